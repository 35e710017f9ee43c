import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import type { CredentialRef, ExecutionSummary } from '../support/n8n/api.mts';
import type { Execution } from '../support/n8n/execution.mts';
import { credentialFor, useHarness } from '../support/n8n/harness.mts';
import { lacks } from '../support/n8n/lacks.mts';
import {
	calledByOthers,
	callWorkflow,
	chain,
	code,
	contactData,
	items,
	triggeredChain,
	webhookTrigger,
	type NodeSpec,
} from '../support/n8n/workflows.mts';
import { people } from '../support/people.mts';
import type { Sandbox, SandboxOptions } from '../support/sandbox/server.mts';
import { mayHaveBeenCharged } from '../support/texts.mts';
import { runAgent } from './agent.mts';
import { toolResult } from './model.mts';
import { expectPaidOnce, FIND } from './paid.mts';
import { park, withService, workflow } from './parked.mts';

// What was paid is known after n8n has ended, where the credential has it remembered in a Data Table.

/** Longer than a test: it says when the lookups are over. */
const UNTIL_TOLD_MS = 240_000;
const IN_TABLE = { memory: 'dataTable', memoryDays: 7 };
const NO_TABLES = lacks('Data Tables that are found by name');

const harness = useHarness();

/** An account, and where n8n remembers what was paid with its key. */
interface Side {
	memory: 'dataTable' | 'process';
	sandbox: Sandbox;
	credential: CredentialRef;
}

async function withMemory(
	options: SandboxOptions,
	fields: ReturnType<typeof credentialFor>['data'],
	use: (sandbox: Sandbox, credential: CredentialRef) => Promise<void>,
): Promise<void> {
	await withService(harness, options, async (sandbox, credential) => {
		await harness.n8n.api.updateCredential(credential, credentialFor(sandbox, 'Memory', fields));
		await use(sandbox, credential);
	});
}

/**
 * Kills n8n in the middle of what two accounts have begun, each with its own memory.
 *
 * @param begin gives the execution that is killed, in the moment when it may be
 */
async function killIn(
	options: SandboxOptions,
	begin: (side: Side) => Promise<string>,
	goOn: (side: Side, id: string, paidBefore: number) => Promise<void>,
): Promise<void> {
	await withMemory(options, IN_TABLE, async (sandbox, credential) => {
		const inTable: Side = { memory: 'dataTable', sandbox, credential };
		await withMemory(options, { memory: 'process' }, async (sandbox, credential) => {
			const sides: Side[] = [inTable, { memory: 'process', sandbox, credential }];
			const ids = await Promise.all(sides.map(begin));
			await harness.n8n.kill();
			const paid = sides.map(({ sandbox: { ledger } }) => ledger.totals().searches);
			await harness.n8n.restart();
			await Promise.all(sides.map(async (side, n) => await goOn(side, ids[n] ?? '', paid[n] ?? 0)));
		});
	});
}

/** The tables of the package in n8n, as paths of its API. */
async function tablePaths(): Promise<string[]> {
	const { data } = await harness.n8n.api.rest<{
		data: Array<{ id: string; projectId: string; name: string }>;
	}>('GET', 'data-tables-global');
	const ours = data.filter(({ name }) => name === 'contact_data_searches');
	return ours.map(({ id, projectId }) => `projects/${projectId}/data-tables/${id}`);
}

/** Waits until the table has these ids. */
async function untilWritten(ids: readonly string[]): Promise<void> {
	const newest = async () => {
		const [path] = await tablePaths();
		const rows = `${path}/rows?take=100&sortBy=id:desc`;
		return path === undefined ? '' : JSON.stringify(await harness.n8n.api.rest('GET', rows));
	};
	for (const id of ids) await expect.poll(newest, { timeout: 30_000 }).toContain(id);
}

const find = (credential: CredentialRef, parameters = {}): NodeSpec =>
	contactData(
		'Find',
		credential,
		{ ...FIND, options: {}, ...parameters },
		{ onError: 'continueRegularOutput' },
	);

const foundBy = (execution: Execution) => execution.json('Find').map(({ found }) => found);

/** Fifteen people in three batches, by what differs in their custom data. */
function threeBatches(credential: CredentialRef): NodeSpec[] {
	const leads = people(15).map((person, n) => ({ ...person, of: Math.floor(n / 5) }));
	const custom = { custom: '={{ ({ of: $json.of }) }}' };
	const many = { operation: 'submitBulkAndWait', options: custom };
	return [items('Leads', leads), find(credential, many)];
}

const singles = (credential: CredentialRef) => [items('Leads', people(200)), find(credential)];

/** Starts nodes in production, as n8n retries no click that was killed; gives the execution's id. */
async function startInProduction(...nodes: NodeSpec[]): Promise<string> {
	const { api, url } = harness.n8n;
	const path = randomUUID();
	const id = await api.importWorkflow(triggeredChain(path, webhookTrigger(path), ...nodes));
	await api.activate(id);
	await fetch(`${url}webhook/${path}`, { method: 'POST' });
	return await startedIn(id, 'webhook');
}

/** The executions that write into the table have another mode, and are listed while they run. */
async function startedIn(workflowId: string, mode: string): Promise<string> {
	const isIt = (execution: ExecutionSummary) => execution.mode === mode;
	return (await harness.n8n.api.waitForExecution(isIt, { workflowId })).id;
}

describe.skipIf(NO_TABLES)('n8n is killed', () => {
	it('after two of three batches: Retry and a new run read the two, and the third is in doubt', async () => {
		const begin = async ({ memory, sandbox, credential }: Side) => {
			sandbox.faults.add({ kind: 'hang', accepted: true, on: 'POST *', skip: 2 });
			const id = await startInProduction(...threeBatches(credential));
			await sandbox.waitFor(() => sandbox.ledger.entries.length === 3);
			const accepted = sandbox.ledger.entries.slice(0, 2);
			if (memory === 'dataTable') await untilWritten(accepted.map(({ id: paid }) => paid));
			return id;
		};
		await killIn({}, begin, async ({ memory, sandbox, credential }, id) => {
			const { api } = harness.n8n;
			const retried = await api.retryExecution(id, { loadWorkflow: true });
			const anew = await api.runWorkflow(chain('Anew', ...threeBatches(credential)));
			for (const execution of [retried, anew]) {
				const isKnown = (n: number) => memory === 'process' || n < 10;
				expect(foundBy(execution)).toEqual(people(15).map((_, n) => (isKnown(n) ? true : null)));
				for (const { error } of execution.json('Find').filter((__, n) => !isKnown(n)))
					expect(error).toMatch(mayHaveBeenCharged);
			}
			if (memory === 'dataTable') expectPaidOnce(sandbox, 15);
			else expect(sandbox.ledger.chargedTwice()).toHaveLength(15);
		});
	});

	it(
		'in a run of 200 singles: a new run reads all but those of the last second',
		{ tags: 'long' },
		async () => {
			const begin = async ({ sandbox, credential }: Side) => {
				const id = await startInProduction(...singles(credential));
				await sandbox.waitFor(() => sandbox.ledger.entries.length >= 77);
				return id;
			};
			await killIn({}, begin, async ({ memory, sandbox, credential }, id, paidBefore) => {
				const { api } = harness.n8n;
				const anew = await api.runWorkflow(chain('Anew', ...singles(credential)));
				const retried = await api.retryExecution(id, { loadWorkflow: true });
				for (const execution of [anew, retried])
					expect(foundBy(execution)).toEqual(Array(200).fill(true));
				const again = sandbox.ledger.chargedTwice().length;
				console.log(`${memory}: ${paidBefore} were paid before, ${again} of them again`);
				// Ten a second are sent.
				if (memory === 'dataTable') expect(again).toBeLessThanOrEqual(20);
				else expect(again).toBe(paidBefore);
			});
		},
	);

	it('in a pause: a new run reads what was paid', async () => {
		const begin = async ({ credential }: Side) => await park(harness, workflow(credential, 3));
		await killIn({ single: UNTIL_TOLD_MS }, begin, async ({ memory, sandbox, credential }, id) => {
			const { api } = harness.n8n;
			const anew = await api.startWorkflow(workflow(credential, 3, { waitMode: 'poll' }));
			await sandbox.waitFor(
				() => sandbox.requests.filter(({ method }) => method === 'GET').length > 3,
			);
			sandbox.service.finish();
			for (const execution of [await api.waitForEnd(anew), await api.waitForEnd(id)])
				expect(foundBy(execution)).toEqual([true, true, true]);
			if (memory === 'dataTable') expectPaidOnce(sandbox, 3);
			else expect(sandbox.ledger.chargedTwice()).toHaveLength(3);
		});
	});
});

describe.skipIf(NO_TABLES)('Max Credits per Day', () => {
	it(
		'of 20: of 30 executions of one item 20 are charged, though n8n is killed in between',
		{ tags: 'long' },
		async () => {
			const limited = { ...IN_TABLE, limitPerDay: true, maxCreditsPerDay: 20 };
			await withMemory({}, limited, async (sandbox, credential) => {
				const { n8n } = harness;
				const lead = 'return [{ json: { fullname: `mustfind execution ${$execution.id}` } }];';
				const id = await n8n.api.importWorkflow(chain('One', code('Lead', lead), find(credential)));
				const errors: unknown[] = [];
				for (let run = 0; run < 30; run++) {
					if (run === 15) {
						await n8n.kill();
						await n8n.restart();
					}
					const [{ error }] = (await n8n.api.runWorkflow(id)).json('Find');
					if (error !== null) errors.push(error);
				}
				expect(sandbox.ledger.totals().charged).toBe(20);
				expect(errors).toHaveLength(10);
				for (const error of errors)
					expect(error).toContain("'Max Credits per Day' of 20 is reached");
			});
		},
	);
});

const leadOf = (name: string) => items('Lead', [{ fullname: `mustfind ${name}` }]);

async function byClick(credential: CredentialRef): Promise<void> {
	await harness.n8n.api.runWorkflow(chain('Click', leadOf('click'), find(credential)));
}

async function inProduction(credential: CredentialRef): Promise<void> {
	const id = await startInProduction(leadOf('production'), find(credential));
	await harness.n8n.api.waitForEnd(id);
}

async function inSubWorkflow(credential: CredentialRef): Promise<void> {
	const { api } = harness.n8n;
	const called = triggeredChain('Sub-workflow', calledByOthers, find(credential));
	const id = await api.importWorkflow(called);
	await api.activate(id);
	await api.runWorkflow(chain('Caller', leadOf('sub'), callWorkflow(id)));
}

async function inErrorWorkflow(credential: CredentialRef): Promise<void> {
	const { api, url } = harness.n8n;
	const onError = { name: 'On Error', type: 'n8n-nodes-base.errorTrigger' };
	const errorWorkflow = await api.importWorkflow(
		triggeredChain('On error', onError, leadOf('error'), find(credential)),
	);
	await api.activate(errorWorkflow);
	const path = randomUUID();
	const fails = triggeredChain('Fails', webhookTrigger(path), code('Fail', 'throw new Error()'));
	const id = await api.importWorkflow({ ...fails, settings: { ...fails.settings, errorWorkflow } });
	await api.activate(id);
	await fetch(`${url}webhook/${path}`, { method: 'POST' });
	const execution = await startedIn(errorWorkflow, 'error');
	expect((await api.waitForEnd(execution)).status).toBe('success');
	await api.deactivate(id);
}

async function asTool(credential: CredentialRef): Promise<void> {
	const given = { Full_Name: 'mustfind tool', Company_Domain: 'acme.example' };
	await runAgent({ n8n: harness.n8n, credential }, (request) =>
		toolResult(request) === undefined
			? { tool: 'Find_Email', arguments: given }
			: { text: 'I found it.' },
	);
}

describe.skipIf(NO_TABLES)('wherever a node runs', () => {
	it('what it has paid is known there after n8n was killed', { tags: 'long' }, async () => {
		await withMemory({}, IN_TABLE, async (sandbox, credential) => {
			const places = [byClick, inProduction, inSubWorkflow, inErrorWorkflow, asTool];
			const logged = harness.n8n.logs().length;
			for (const place of places) await place(credential);
			await harness.n8n.kill();
			await harness.n8n.restart();
			for (const place of places) await place(credential);
			expectPaidOnce(sandbox, places.length);
			expect(harness.n8n.logs().slice(logged)).not.toContain('could not be used');
		});
	});
});

it.skipIf(NO_TABLES)('a table that somebody deletes is made again', async () => {
	await withMemory({}, IN_TABLE, async (sandbox, credential) => {
		const { api } = harness.n8n;
		const first = await api.runWorkflow(chain('Deleted', leadOf('first'), find(credential)));
		for (const path of await tablePaths()) await api.rest('DELETE', path);
		const second = await api.runWorkflow(first.workflowId);
		expect(second.json('Find')).toEqual(first.json('Find'));
		expect(await tablePaths()).toHaveLength(1);
		expectPaidOnce(sandbox, 1);
	});
});

it.skipIf(NO_TABLES)('an evaluation, run again after a restart, pays once', async () => {
	await withMemory({}, IN_TABLE, async (sandbox, credential) => {
		const { api } = harness.n8n;
		const { id: project } = await api.rest<{ id: string }>('GET', 'projects/personal');
		const tables = `projects/${project}/data-tables`;
		const columns = [{ name: 'fullname', type: 'string' }];
		const leads = await api.rest<{ id: string }>('POST', tables, { name: 'Leads', columns });
		const data = ['mustfind one', 'mustfind two'].map((fullname) => ({ fullname }));
		await api.rest('POST', `${tables}/${leads.id}/insert`, { data, returnType: 'count' });
		const one = { id: '1', name: 'ran', type: 'number', value: 1 };
		const workflowId = await api.importWorkflow(
			triggeredChain(
				'Evaluation',
				{
					name: 'Row',
					type: 'n8n-nodes-base.evaluationTrigger',
					typeVersion: 4.7,
					parameters: {
						source: 'dataTable',
						dataTableId: { __rl: true, mode: 'id', value: leads.id },
					},
				},
				find(credential),
				{
					name: 'Metrics',
					type: 'n8n-nodes-base.evaluation',
					typeVersion: 4.7,
					parameters: {
						operation: 'setMetrics',
						metric: 'customMetrics',
						metrics: { assignments: [one] },
					},
				},
			),
		);
		const path = `workflows/${workflowId}/test-runs`;
		for (let count = 1; count <= 2; count++) {
			if (count === 2) await harness.n8n.restart();
			await api.rest('POST', `${path}/new`, {});
			const states = async () =>
				(await api.rest<Array<{ status: string }>>('GET', path)).map(({ status }) => status);
			await expect
				.poll(states, { timeout: 60_000 })
				.toEqual(Array.from({ length: count }, () => 'completed'));
		}
		expectPaidOnce(sandbox, 2);
	});
});

describe('an n8n without Data Tables', () => {
	const without = useHarness({ N8N_DISABLED_MODULES: 'data-table' });

	it('goes on, and says so once in the line and in the log', async () => {
		const { n8n, sandbox, credential } = without;
		await n8n.api.updateCredential(credential, credentialFor(sandbox, 'Memory', IN_TABLE));
		const run = async () =>
			await n8n.api.runWorkflow(chain('Find', items('Leads', people(3)), find(credential)));
		const execution = await run();
		expect(foundBy(execution)).toEqual([true, true, true]);
		const told = 'contact_data_searches could not be used';
		const hints = execution.run('Find')?.hints ?? [];
		expect(hints.filter(({ message }) => message.includes(told))).toHaveLength(1);
		expect(n8n.logs().split(told)).toHaveLength(2);
		await run();
		expectPaidOnce(sandbox, 3);
	});
});
