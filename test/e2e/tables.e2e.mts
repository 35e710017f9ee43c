import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterAll, describe, expect, it } from 'vitest';

import type { CredentialRef } from '../support/n8n/api.mts';
import { readExample } from '../support/n8n/examples.mts';
import { credentialFor, useHarness } from '../support/n8n/harness.mts';
import { lacks } from '../support/n8n/lacks.mts';
import { findQueuePrograms, startQueueServers } from '../support/n8n/queueServers.mts';
import {
	chain,
	code,
	connected,
	contactData,
	editFields,
	items,
	loopOverItems,
	type NodeSpec,
} from '../support/n8n/workflows.mts';
import { DEMO_ACCOUNT } from '../support/sandbox/service.mts';
import { expectPaidOnce, FIND } from './paid.mts';

// What docs/tables.md says: each run has the same columns, and the IDs in the table are worth a search.

const programs = await findQueuePrograms();
const servers = 'missing' in programs ? undefined : await startQueueServers(programs);
afterAll(async () => await servers?.stop());
if ('missing' in programs) console.log(`Postgres is not tested without ${programs.missing}.`);

const harness = useHarness();

/** A table as the nodes of a workflow use it. */
interface Table {
	write: NodeSpec;
	read: NodeSpec;
}

/** Made from the columns of a first run. */
async function dataTable(first: IDataObject): Promise<Table> {
	const { api } = harness.n8n;
	const { id: project } = await api.rest<{ id: string }>('GET', 'projects/personal');
	const columns = Object.keys(first).map((name) => ({
		name,
		type: name === 'found' ? 'boolean' : 'string',
	}));
	const name = 'Each Run';
	await api.rest('POST', `projects/${project}/data-tables`, { name, columns });
	const node = (nodeName: string, parameters: INodeParameters): NodeSpec => ({
		name: nodeName,
		type: 'n8n-nodes-base.dataTable',
		typeVersion: 1,
		parameters: { dataTableId: { __rl: true, mode: 'name', value: name }, ...parameters },
	});
	const columnsByName = { mappingMode: 'autoMapInputData', value: null };
	return {
		write: node('Write', { operation: 'insert', columns: columnsByName, options: {} }),
		read: node('Read', { operation: 'get', returnAll: true }),
	};
}

/** With the nodes of the example. */
async function postgresTable(): Promise<Table> {
	const { DB_POSTGRESDB_HOST: host, DB_POSTGRESDB_PORT: port } = servers?.env ?? {};
	const data = { host, port: Number(port), database: 'postgres', user: 'n8n', password: '' };
	const postgres = await harness.n8n.api.importCredential({
		name: 'Postgres',
		type: 'postgres',
		data: { ...data, ssl: 'disable' },
	});
	const { nodes } = await readExample('postgres-leads', harness.credential);
	const [make, write] = ['Make Table', 'Write Rows'].map((name): NodeSpec => {
		const node = nodes.find((one) => one.name === name);
		if (node === undefined) throw new Error(`The example has no node ${name}`);
		return { ...node, credentials: { postgres } };
	});
	await harness.n8n.api.runWorkflow(chain('Make', make));
	const query = { operation: 'executeQuery', query: 'SELECT * FROM found_emails' };
	return {
		write,
		read: { ...make, name: 'Read', parameters: { ...query, options: {} } },
	};
}

const find = (credential: CredentialRef, options: INodeParameters = {}): NodeSpec =>
	contactData('Find', credential, { ...FIND, options }, { onError: 'continueRegularOutput' });

describe.each([
	['a Data Table', lacks('Data Tables that are found by name'), dataTable],
	['a table of PostgreSQL', servers === undefined, postgresTable],
] as const)('%s', (_, isMissing, makeTable) => {
	it.skipIf(isMissing)(
		'takes each run, and on the third day its IDs are read for nothing',
		async () => {
			const { n8n, sandbox, credential } = harness;
			const { api } = n8n;
			const search = (...names: string[]): NodeSpec[] => [
				items(
					'Leads',
					names.map((fullname) => ({ fullname })),
				),
				find(credential),
			];
			const [first] = (await api.runWorkflow(chain('First', ...search('mustfind ada')))).json();
			const { write, read } = await makeTable(first ?? {});
			for (const names of [
				['mustfind ada', 'mustfind ben'],
				['mustfind eve', 'notfound tom', 'N/A'],
			]) {
				const run = await api.runWorkflow(chain('Write', ...search(...names), write));
				expect(run.error).toBeUndefined();
			}
			const { searches } = sandbox.ledger.totals();
			expect(searches).toBe(4);

			// What n8n remembers of the last day is of another key.
			const apiKey = sandbox.service.addAccount(DEMO_ACCOUNT);
			await api.updateCredential(credential, credentialFor({ ...sandbox, apiKey }));
			const again = find(credential, { earlierId: '={{ $json.search_id }}' });
			const third = await api.runWorkflow(chain('Third day', read, again));
			const results = third.json('Find');
			expect(results.map(({ email }) => email)).toEqual(
				third.json('Read').map(({ email }) => email),
			);
			expect(results.map(({ found }) => found)).toEqual([true, true, true, false, null]);
			expect(sandbox.ledger.totals().searches).toBe(searches);
		},
	);
});

// As docs/tables.md has it: the Filter and what writes stand beside the way back.
it('a loop that the node itself leads back ends once, and each person found is written once', async () => {
	const { n8n, sandbox, credential } = harness;
	const leads = Array.from({ length: 9 }, (_, n) => ({
		fullname: `${n % 3 === 0 ? 'notfound' : 'mustfind'} number ${n}`,
	}));
	const many = contactData('Find', credential, { ...FIND, operation: 'submitBulkAndWait' });
	const loop = connected(
		chain(
			'Loop',
			items('Leads', leads),
			loopOverItems(3),
			editFields('Done', { name: '={{ $json.fullname }}' }),
			many,
			code('Found?', 'return $input.all().filter(({ json }) => json.found);'),
			editFields('Write', { email: '={{ $json.email }}' }),
		),
		{ Loop: [['Done'], ['Find']], Done: [], Find: [['Loop', 'Found?']] },
	);
	const execution = await n8n.api.runWorkflow(loop);
	expect(execution.error).toBeUndefined();
	const { runData } = execution.data.resultData;
	const countsOf = (node: string) =>
		runData[node]?.map(({ data }) => data?.main[0]?.length ?? 0) ?? [];
	expect(countsOf('Done')).toEqual([9]);
	expect(countsOf('Write')).toEqual([2, 2, 2]);
	expectPaidOnce(sandbox, 9);
});
