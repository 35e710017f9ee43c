import { describe, expect, it } from 'vitest';
import { ContactDataTrigger } from '../../../nodes/ContactData/ContactDataTrigger.node.ts';
import { triggerUrl } from '../../../nodes/ContactData/run/triggerUrl.ts';
import {
	contactData,
	contactDataAfter,
	jsonOf,
	pairedWith,
	shownError,
	useBench,
} from '../../support/n8nCore/contactData.mts';
import { listSearch } from '../../support/n8nCore/listSearch.mts';
import { runNode } from '../../support/n8nCore/execute.mts';
import { start } from '../../support/n8nCore/testNodes.mts';
import { runWorkflow } from '../../support/n8nCore/workflow.mts';
import { items, LOOKUP_NAMES, parametersOf } from '../../support/searches.mts';
import { chooseFromLists, noOperation, noTrigger, publishFirst } from '../../support/texts.mts';

const WEBHOOKS = ['https://hooks.example/Spring', 'https://hooks.example/autumn'];

const bench = useBench();

describe('account', () => {
	it.for([
		{ webhooks: WEBHOOKS, shown: WEBHOOKS },
		{ webhooks: undefined, shown: [] },
	])('getInfo gives the balance and a list of webhooks: $webhooks', async ({ webhooks, shown }) => {
		const account = bench().sandbox.service.account();
		account.credits = 1234.5;
		account.webhooks = webhooks;
		const run = await bench().run('account', 'getInfo', { items: [{ row: 1 }, { row: 2 }] });
		const info = { credits: 1234.5, webhooks: shown };
		expect(jsonOf(run)).toEqual([info, info]);
		expect(run.items.map(pairedWith)).toEqual([[0], [1]]);
		expect(bench().sandbox.requests.map(({ endpoint, keyName }) => [endpoint, keyName])).toEqual([
			['GET /account/info', 'demo'],
		]);
	});
});

describe("the list of the 'Webhook' option", () => {
	const list = (filter?: string) =>
		listSearch({
			node: contactData,
			credentials: bench().credentials,
			method: 'searchWebhooks',
			filter,
		});

	it('has the registered URLs of the account, filtered without regard to case', async () => {
		bench().sandbox.service.account().webhooks = WEBHOOKS;
		const [spring = '', autumn = ''] = WEBHOOKS;
		expect(await list()).toEqual({
			results: [
				{ name: spring, value: spring },
				{ name: autumn, value: autumn },
			],
		});
		expect(await list('spring')).toEqual({ results: [{ name: spring, value: spring }] });
		expect(await list('winter')).toEqual({ results: [] });
	});

	it('says why it cannot be read', async () => {
		const credentials = bench().credentials;
		credentials.contactDataApi.apiKey = 'wrong';
		await expect(
			listSearch({ node: contactData, credentials, method: 'searchWebhooks' }),
		).rejects.toMatchObject({ message: 'This apikey is not valid' });
	});
});

describe("the 'Webhook' option", () => {
	const URL = 'https://hooks.example/notify?secret=1';
	const EMAIL = { email: 'a@acme.com' };
	const WAYS = LOOKUP_NAMES.flatMap((resource) =>
		['submit', 'submitBulk'].map((operation) => ({ resource, operation })),
	);
	const locator = (mode: string, value: string) => ({ __rl: true, mode, value });

	it.for(WAYS)('$resource $operation sends a URL', async ({ resource, operation }) => {
		const given = { parameters: parametersOf(resource), items: items('ada') };
		bench().sandbox.configure({ webhooks: { send: 'none' } });
		for (const mode of ['list', 'url']) {
			const options = { webhook: locator(mode, ` ${URL} `) };
			jsonOf(await bench().run(resource, operation, { ...given, options }));
		}
		const settings = { webhook: URL };
		expect(bench().posts.map(({ body }) => body)).toMatchObject([{ settings }, { settings }]);
	});

	it('cannot be the trigger of a workflow without one, which is told of no row', async () => {
		for (const operation of ['submit', 'submitBulk']) {
			const given = {
				items: [{}, {}],
				parameters: EMAIL,
				options: { webhook: locator('trigger', '') },
			};
			const run = await bench().run('emailVerifier', operation, given);
			const shown = shownError(run, bench().sandbox.apiKey);
			expect(shown).toMatchObject({ message: noTrigger, itemIndex: undefined });
			expect(shown.description).toMatch(/add one.*Nothing was charged/);
		}
		bench().expectNothingSubmitted();
	});

	it('cannot be a trigger that is not published', async () => {
		const webhook = locator('trigger', '');
		const given = { parameters: EMAIL, options: { webhook } };
		const run = await runWorkflow({
			nodes: [
				start([{}]),
				bench().node('emailVerifier', 'submit', given),
				{ node: new ContactDataTrigger() },
			],
			edges: [{ from: 'Start', to: 'Contact Data' }],
			credentials: bench().credentials,
		});
		expect(run.error?.message).toBe(publishFirst);
		expect(run.error).toMatchObject({
			description: expect.stringContaining('Retry with currently saved workflow') as string,
		});
		bench().expectNothingSubmitted();
	});

	it('is the same trigger for a retry, to which n8n gives nothing of the workflow', async () => {
		const published = contactDataAfter((context) =>
			triggerUrl.remember(context, 'https://n8n.example/webhook/x'),
		);
		const given = { parameters: EMAIL, options: { webhook: locator('trigger', '') } };
		const { credentials } = bench();
		bench().sandbox.configure({ webhooks: { send: 'none' } });
		bench().sandbox.faults.add({ kind: 'status', status: 402, on: 'POST *' });
		const node = { ...bench().node('emailVerifier', 'submit', given), node: published };
		const first = await runNode({ credentials, ...node });
		expect(first.error).toBeDefined();
		const { contextData } = first;
		const retry = await bench().run('emailVerifier', 'submit', { ...given, contextData });
		expect(jsonOf(retry)).toMatchObject([{ status: 'ongoing' }]);
		const webhook = 'https://n8n.example/webhook/x?event=emailVerifierSingle';
		expect(bench().posts.map(({ body }) => body)).toMatchObject([
			{ settings: { webhook } },
			{ settings: { webhook } },
		]);
	});

	it.for([
		['url', 'http://localhost:5678/webhook/x'],
		['list', 'https://n8n.local/webhook/x'],
	] as const)('refuses by %s what the service cannot reach: %s', async ([mode, url]) => {
		const { contactDataApi } = bench().credentials;
		const run = await bench().run('emailVerifier', 'submit', {
			parameters: EMAIL,
			options: { webhook: locator(mode, url) },
			credentials: { contactDataApi: { ...contactDataApi, baseUrl: 'https://service.invalid' } },
		});
		expect(shownError(run, contactDataApi.apiKey).message).toContain(`'Webhook' ${url}`);
	});

	it.for(
		['list', 'url'].flatMap((mode) => [
			{ mode, host: 'hooks.example', isTaken: false },
			{ mode, host: '127.0.0.1:5678', isTaken: true },
			{ mode, host: 'localhost:5678', isTaken: true },
		]),
	)('by $mode is HTTPS, but for a loopback host: http://$host', async ({ mode, host, isTaken }) => {
		bench().sandbox.configure({ webhooks: { send: 'none' } });
		const webhook = `http://${host}/notify`;
		const options = { webhook: locator(mode, webhook) };
		const run = await bench().run('emailVerifier', 'submit', { parameters: EMAIL, options });
		expect(bench().posts).toMatchObject(isTaken ? [{ body: { settings: { webhook } } }] : []);
		if (isTaken) return;
		const { message } = shownError(run, bench().sandbox.apiKey);
		expect(message).toBe("'Webhook' must be a URL that starts with https://");
	});

	it.for([
		['hooks.example/notify', 'must be a URL'],
		['ftp://hooks.example', 'must be a URL'],
		['the URL https://hooks.example/notify', 'must be a URL'],
		[7, 'must be a URL'],
		['  ', 'is empty'],
		[null, 'is empty'],
	] as const)('refuses %j before anything is sent', async ([value, says]) => {
		const webhook = { ...locator('url', ''), value: `={{ ${JSON.stringify(value)} }}` };
		const given = { parameters: EMAIL, options: { webhook } };
		const shown = shownError(
			await bench().run('emailVerifier', 'submit', given),
			bench().sandbox.apiKey,
		);
		expect(shown.message).toContain(`'Webhook' ${says}`);
		expect(shown.description).toContain("remove 'Webhook' from Options");
		bench().expectNothingSubmitted();
	});
});

describe('a node whose parameters come from elsewhere', () => {
	it.for([
		['emailFinder', 'guess'],
		['faxFinder', 'submit'],
		['emailFinder', 'constructor'],
	])('has no operation for %s %s', async ([resource = '', operation = '']) => {
		const run = await runNode({
			node: contactData,
			parameters: { resource, operation },
			credentials: bench().credentials,
		});
		expect(run.error).toMatchObject({
			name: 'NodeOperationError',
			// n8n knows no operation of a resource that it does not know.
			message: `${noOperation}'${resource === 'emailFinder' ? operation : ''}' for the resource '${resource}'`,
			description: chooseFromLists,
		});
		bench().expectNothingSubmitted();
	});
});
