import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { readExample } from '../support/n8n/examples.mts';
import { useHarness } from '../support/n8n/harness.mts';

const harness = useHarness();

describe('the example of a Data Table', () => {
	const columns = ['fullname', 'company_domain', 'company_name', 'email', 'status'];
	const leads = [
		{ fullname: 'mustfind one', company_domain: 'acme.example', company_name: '' },
		{ fullname: 'notfound two', company_domain: 'acme.example', company_name: '' },
		{ fullname: 'mustfind three', company_domain: '', company_name: 'Acme Ltd' },
	];

	it('writes emails back to their rows, and takes no row twice', async () => {
		const { api } = harness.n8n;
		const project = await api.rest<{ id: string }>('GET', 'projects/personal');
		const tables = `projects/${project.id}/data-tables`;
		const { id } = await api.rest<{ id: string }>('POST', tables, {
			name: 'Leads',
			columns: columns.map((name) => ({ name, type: 'string' })),
		});
		await api.rest('POST', `${tables}/${id}/insert`, { data: leads, returnType: 'all' });
		const workflow = await api.importWorkflow(
			await readExample('data-table-leads', harness.credential),
		);

		const execution = await api.runWorkflow(workflow);
		expect(execution.error).toBeUndefined();
		const { data: rows } = await api.rest<{ data: IDataObject[] }>('GET', `${tables}/${id}/rows`);
		const [one, two, three] = leads.map(({ fullname }) =>
			rows.find((row) => row.fullname === fullname),
		);
		expect(one?.email).toContain('@acme.example');
		expect(['verified', 'undeliverable']).toContain(one?.status);
		expect(two).toMatchObject({ email: null, status: 'not found' });
		expect(three?.email).toContain('@');

		const paid = harness.sandbox.ledger.entries.length;
		const again = await api.runWorkflow(workflow);
		expect(again.error).toBeUndefined();
		expect(harness.sandbox.ledger.entries).toHaveLength(paid);
	});
});

describe('the example of phone numbers with a cap', () => {
	it('finds the numbers within the cap', async () => {
		const example = await readExample('phone-numbers-with-cap', harness.credential);
		const execution = await harness.n8n.api.runWorkflow(example);
		expect(execution.error).toBeUndefined();
		expect(execution.json('Phone Numbers').map(({ name }) => name)).toEqual([
			'Amelia Hart',
			'Lukas Brandt',
			'Sofia Lindqvist',
			'Marcus Oyelaran',
		]);
		expect(execution.items('Not Searched')).toEqual([]);
		expect(harness.sandbox.ledger.totals().charged).toBe(200);
	});

	it('searches nobody where the cap does not cover all, and says why', async () => {
		const { nodes, ...rest } = await readExample('phone-numbers-with-cap', harness.credential);
		const fifth = `return [{ name: "Grace O'Donnell", profile: "https://www.linkedin.com/in/g" },`;
		const withFifth = nodes.map((node) => {
			const { jsCode } = node.parameters;
			return typeof jsCode === 'string'
				? { ...node, parameters: { jsCode: jsCode.replace('return [', fifth) } }
				: node;
		});
		const execution = await harness.n8n.api.runWorkflow({ ...rest, nodes: withFifth });
		expect(execution.error).toBeUndefined();
		const notSearched = execution.json('Not Searched');
		expect(notSearched).toHaveLength(5);
		expect(notSearched[0].name).toBe("Grace O'Donnell");
		expect(notSearched[0].reason).toMatch(/'Max Credits' of 200 does not cover 5 phone searches/);
		expect(notSearched[0].advice).toMatch(/^Not started, and nothing charged/);
		expect(harness.sandbox.ledger.entries).toEqual([]);
	});
});
