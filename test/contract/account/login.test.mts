import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
	contactData,
	shownError,
	useBench,
	type Bench,
} from '../../support/n8nCore/contactData.mts';
import { runHook } from '../../support/n8nCore/hooks.mts';
import { listSearch } from '../../support/n8nCore/listSearch.mts';
import { notify, trigger } from '../trigger/trigger.mts';

// What a base URL with a user name and a password leads to, at a service and where there is none.

const bench = useBench();

const NAME = 'mary';
const PASSWORD = 's3cret-w0rd';
const LOGINS = [`${NAME}@`, `${NAME}:${PASSWORD}@`, `:${PASSWORD}@`];
const SAYS = /^The 'Base URL' of the credential .*(user ?name|login|password)/i;

const OPERATIONS: Array<[resource: string, operation: string]> = [
	...['emailFinder', 'emailVerifier', 'phoneFinder'].flatMap((resource) =>
		[
			'submit',
			'submitAndWait',
			'submitBulk',
			'submitBulkAndWait',
			'getResult',
			'getBulkResult',
		].map((operation): [string, string] => [resource, operation]),
	),
	['account', 'getInfo'],
];
const PARAMETERS = {
	email: 'a@acme.com',
	fullname: 'Ada Lovelace',
	companyName: 'Acme',
	socialProfileUrl: 'https://social.example/in/ada',
	lookupId: 'some-id',
	batchId: 'some-id',
};

function credentialsWith(login: string, baseUrl = bench().sandbox.baseUrl): Bench['credentials'] {
	const { contactDataApi } = bench().credentials;
	const withLogin = baseUrl.replace('://', `://${login}`);
	return { contactDataApi: { ...contactDataApi, baseUrl: withLogin } };
}

/** Asserts that nothing of the login is in it, whatever its form. */
function expectNoLogin(value: unknown): void {
	const shown = inspect(value, { depth: Infinity, showHidden: true, maxStringLength: Infinity });
	expect(shown).not.toContain(PASSWORD);
	expect(shown).not.toContain(NAME);
	if (value instanceof Error) expect(String(value.stack)).not.toMatch(`${PASSWORD}|${NAME}`);
}

describe.for(LOGINS)('a base URL with %j', (login) => {
	it.for(OPERATIONS)(
		'is refused in words, and nothing is sent: %s %s',
		async ([resource, name]) => {
			const { apiKey } = bench().sandbox;
			for (const baseUrl of [bench().sandbox.baseUrl, 'http://127.0.0.1:9']) {
				const credentials = credentialsWith(login, baseUrl);
				const run = await bench().run(resource, name, { parameters: PARAMETERS, credentials });
				const shown = shownError(run, apiKey);
				expect(shown.message).toMatch(SAYS);
				expect(shown.description).toContain('Open the Contact Data API credential');
				expectNoLogin(run.error);
				expectNoLogin([run.items, run.hints, run.contextData]);
			}
			expect(bench().sandbox.requests).toEqual([]);
		},
	);

	it('is refused in words under Continue', async () => {
		const run = await bench().run('emailVerifier', 'submit', {
			parameters: PARAMETERS,
			credentials: credentialsWith(login),
			settings: { onError: 'continueRegularOutput' },
		});
		expect(run.items).toMatchObject([{ json: { error: expect.stringMatching(SAYS) as unknown } }]);
		expectNoLogin(run.items);
		expect(bench().sandbox.requests).toEqual([]);
	});

	it('is refused where webhooks are listed', async () => {
		const credentials = credentialsWith(login);
		const thrown: unknown = await listSearch({
			node: contactData,
			credentials,
			method: 'searchWebhooks',
		}).catch((error: unknown) => error);
		expect(thrown).toBeInstanceOf(Error);
		expect(thrown instanceof Error && thrown.message).toMatch(SAYS);
		expectNoLogin(thrown);
		expect(bench().sandbox.requests).toEqual([]);
	});

	it('is refused when the trigger is switched on', async () => {
		for (const hook of ['checkExists', 'create'] as const) {
			const { error, staticData } = await runHook({
				node: trigger,
				hook,
				credentials: credentialsWith(login),
				webhookBaseUrl: 'https://n8n.example/webhook',
				settings: { webhookId: 'an-id' },
			});
			expect(error instanceof Error && error.message).toMatch(SAYS);
			expectNoLogin(error);
			expectNoLogin(staticData);
		}
		expect(bench().sandbox.requests).toEqual([]);
	});

	it('is not told to the sender of a notification', async () => {
		const call = await notify({ credentials: credentialsWith(login) }, { id: 'some-id' });
		expect(call.response?.status).toBe(503);
		expectNoLogin(call);
		expect(bench().sandbox.requests).toEqual([]);
	});
});
