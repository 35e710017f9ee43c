import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { expectNoKey, jsonOf, shownError, useBench } from '../../support/n8nCore/contactData.mts';
import { NOBODY } from '../../support/ports.mts';
import {
	connectionRefused,
	keyHasCharacter,
	keyMissing,
	notUnderstood,
	unreachable,
} from '../../support/texts.mts';

const bench = useBench();
useFastClock();

const KEY = 'a-key-that-must-not-be-shown';

/** The ways by which a node may first meet a wrong credential. */
const OPERATIONS = [
	['emailVerifier', 'submitAndWait'],
	['emailVerifier', 'submitBulk'],
	['emailVerifier', 'getResult'],
	['emailVerifier', 'getBulkResult'],
	['account', 'getInfo'],
] as const;

async function runWith(credential: { apiKey?: string; baseUrl: string }, operation = 0) {
	const [resource, name] = OPERATIONS[operation] ?? OPERATIONS[0];
	return await bench().run(resource, name, {
		parameters: { email: 'a@acme.com', lookupId: 'some-id', batchId: 'some-id' },
		credentials: { contactDataApi: { apiKey: KEY, requestsPerSecond: 10_000, ...credential } },
	});
}

const everyOperation = OPERATIONS.map(([, name], index) => ({ name, index }));

// Every form that is refused: test/unit/credentials.
it.for<[credential: { apiKey?: string; baseUrl?: string }, message: string]>([
	[{ apiKey: '   ' }, keyMissing],
	[{ apiKey: `${KEY.slice(0, 5)}\u200b${KEY.slice(5)}` }, `${keyHasCharacter}U+200B`],
	[{ baseUrl: 'http://api.example.com' }, 'must start with https://'],
	[{ baseUrl: 'https://mary:pw@api.example.com' }, 'must not contain a user name or a password'],
])('with %j nobody is asked, by any operation', async ([given, message]) => {
	for (const { index } of everyOperation) {
		const run = await runWith({ baseUrl: bench().sandbox.baseUrl, ...given }, index);
		const shown = shownError(run, given.apiKey?.trim() || KEY);
		expect(shown).toMatchObject({ name: 'NodeOperationError' });
		expect(shown.message).toContain(message);
		expect(shown.description).toContain('Open the Contact Data API credential');
	}
	expect(bench().sandbox.requests).toEqual([]);
});

describe.for(everyOperation)('$name', ({ index }) => {
	it('with a key that the service does not know', async () => {
		const shown = shownError(await runWith({ baseUrl: bench().sandbox.baseUrl }, index), KEY);
		expect(shown).toMatchObject({ name: 'NodeApiError', httpCode: '401' });
		expect(shown.description).toContain("'Base URL'");
		bench().expectNothingSubmitted();
	});

	it('at an address where nobody answers', async () => {
		const shown = shownError(await runWith({ baseUrl: NOBODY }, index), KEY);
		expect(shown.message).toBe(`${unreachable}: ${connectionRefused}`);
		expect(shown.description).toContain(
			`'Base URL' in the Contact Data API credential (${NOBODY})`,
		);
	});
});

it.for([200, 404])('with the address of a web site, that answers %i and a page', async (status) => {
	const { faults, baseUrl } = bench().sandbox;
	const body = '<html><body>Welcome</body></html>';
	const page = { kind: 'status', status, body, contentType: 'text/html' } as const;
	faults.add({ ...page, on: '*', times: Infinity });
	for (const { index } of everyOperation) {
		const shown = shownError(await runWith({ baseUrl }, index), KEY);
		expect(shown.message).toMatch(
			status === 200
				? new RegExp(`^${notUnderstood}$|no id in it$`)
				: /^There is no such address at the service \(HTTP 404\)$/,
		);
		expect(shown.description).not.toContain('<html>');
	}
	expect(bench().posts).toEqual([]);
});

it.for(['/', '//', ' '])('a base URL that is right may end in %j', async (end) => {
	const { credentials, sandbox } = bench();
	const { contactDataApi } = credentials;
	contactDataApi.baseUrl = sandbox.baseUrl + end;
	contactDataApi.apiKey = ` ${sandbox.apiKey} `;
	const run = await bench().run('account', 'getInfo', { credentials });
	expect(jsonOf(run)).toEqual([{ credits: 100_000, webhooks: [] }]);
	expectNoKey(run.items, sandbox.apiKey);
});
