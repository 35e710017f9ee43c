import { expect, it } from 'vitest';
import { credentialFor, useHarness } from '../support/n8n/harness.mts';
import { chain, contactData, madeItems } from '../support/n8n/workflows.mts';

// Answers that contradict what was asked, or that cannot be true.

const harness = useHarness();

const people = (company: string, count: number) =>
	madeItems('People', count, `{ name: 'Mustfind Number' + n, domain: '${company}.example' }`);

const find = (operation: string, options = {}, credential = harness.credential) =>
	contactData(
		'Find',
		credential,
		{
			resource: 'emailFinder',
			operation,
			fullname: '={{ $json.name }}',
			companyDomain: '={{ $json.domain }}',
			options,
		},
		{ onError: 'continueRegularOutput' },
	);

it('one id for three people gives each of them its result', async () => {
	const change = (body: object) => ({ ...body, id: 'one-for-all' });
	harness.sandbox.faults.add({ on: 'POST *', kind: 'changed', change, times: Infinity });
	const found = { email: 'first@acme.example', qualification: 'valid' };
	harness.sandbox.faults.add({
		on: 'GET /email/find/single',
		kind: 'status',
		status: 200,
		body: found,
		times: Infinity,
	});
	const workflow = chain('One id', people('shared', 3), find('submitAndWait'));
	const run = await harness.n8n.api.runWorkflow(workflow);
	expect(run.json('Find')).toMatchObject(Array(3).fill({ id: 'one-for-all', ...found }));
});

it('a result is given whatever name it tells: people have several', async () => {
	harness.sandbox.faults.add({
		on: 'GET /email/find/single',
		kind: 'changed',
		change: (body) => ('email' in body ? { ...body, info: { fullname: 'Grace Hopper' } } : body),
		times: Infinity,
	});
	const workflow = chain('Another', people('another', 1), find('submitAndWait'));
	const run = await harness.n8n.api.runWorkflow(workflow);
	const [entry] = harness.sandbox.ledger.entries;
	expect(run.json('Find')).toMatchObject([{ id: entry?.id, found: true }]);
});

it.for([-1, 1e-6, 1e308])(
	'a charge of %d credits: Max Credits 1 is kept, and the next run learns the price',
	async (charge) => {
		const { sandbox, n8n } = harness;
		const name = `Charge of ${charge}`;
		// Of which no price is known.
		const { baseUrl } = sandbox;
		const account = { baseUrl, apiKey: sandbox.service.addAccount(name) };
		const credential = await n8n.api.importCredential(credentialFor(account, name));
		const change = (body: object) => ({ ...body, credits_used: charge });
		const told = sandbox.faults.add({ on: 'POST *', kind: 'changed', change, times: Infinity });
		const run = async (company: string, count: number, maxCredits: number) => {
			const node = find('submit', { maxCredits }, credential);
			const workflow = chain(`${name}: ${company}`, people(company, count), node);
			const execution = await n8n.api.runWorkflow(workflow);
			const results = execution.json<{ error?: string }>('Find');
			return results.filter(({ error }) => typeof error === 'string');
		};
		expect(await run('first', 10, 1)).toHaveLength(9);
		expect(sandbox.ledger.totals().charged).toBe(1);

		told.remove();
		expect(await run('second', 5, 9)).toEqual([]);
		expect(sandbox.ledger.totals().charged).toBe(6);
	},
);
