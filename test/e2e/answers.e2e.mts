import { describe, expect, it } from 'vitest';
import { credentialFor, useHarness } from '../support/n8n/harness.mts';
import { chain, contactData, madeItems } from '../support/n8n/workflows.mts';
import { ofAnotherSearch } from '../support/texts.mts';

// Answers that contradict themselves or what was asked: they are not believed.

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

describe('one id for three people', () => {
	it('gives nobody the email of another', async () => {
		const change = (body: object) => ({ ...body, id: 'one-for-all' });
		harness.sandbox.faults.add({ on: 'POST *', kind: 'changed', change, times: Infinity });
		harness.sandbox.faults.add({
			on: 'GET /email/find/single',
			kind: 'status',
			status: 200,
			body: { email: 'first@acme.example', qualification: 'valid' },
			times: Infinity,
		});
		const workflow = chain('One id', people('shared', 3), find('submitAndWait'));
		const run = await harness.n8n.api.runWorkflow(workflow);
		expect(run.status).toBe('success');
		const results = run.json<{ id?: string; error?: string; email?: string }>('Find');
		expect(results).toHaveLength(3);
		for (const { id, error, email } of results) {
			expect(id).toBe('one-for-all');
			expect(error).toContain('one-for-all');
			expect(email).toBeUndefined();
		}
	});
});

it('the result of another person is given to nobody', async () => {
	harness.sandbox.faults.add({
		on: 'GET /email/find/single',
		kind: 'changed',
		change: (body) => ('email' in body ? { ...body, info: { fullname: 'Grace Hopper' } } : body),
		times: Infinity,
	});
	const workflow = chain('Another', people('another', 1), find('submitAndWait'));
	const run = await harness.n8n.api.runWorkflow(workflow);
	const [entry] = harness.sandbox.ledger.entries;
	expect(run.json('Find')).toMatchObject([
		{
			id: entry?.id,
			error: `The result of the email search ${entry?.id} ${ofAnotherSearch}`,
		},
	]);
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
			return results.filter(({ error }) => error !== undefined);
		};
		expect(await run('first', 10, 1)).toHaveLength(9);
		expect(sandbox.ledger.totals().charged).toBe(1);

		told.remove();
		expect(await run('second', 5, 9)).toEqual([]);
		expect(sandbox.ledger.totals().charged).toBe(6);
	},
);
