import { expect, it } from 'vitest';

import type { CredentialRef, WorkflowJson } from '../support/n8n/api.mts';
import { useHarness } from '../support/n8n/harness.mts';
import {
	chain,
	contactData,
	editFields,
	items,
	triggeredChain,
	type NodeSpec,
} from '../support/n8n/workflows.mts';
import { people } from '../support/people.mts';
import { expectPaidOnce, FIND } from './paid.mts';
import { withService } from './parked.mts';

// The same search is paid once a day, whoever asks: cases that people have reported of paid nodes.

const harness = useHarness();

const MANY = { ...FIND, operation: 'submitBulkAndWait' };
/** So long a caller waits before it gives up. */
const IMPATIENT_MS = 1_500;

/** Publishes a workflow that a call of its URL starts, and that answers when it is over. */
async function publish(path: string, ...nodes: NodeSpec[]): Promise<string> {
	const { api, url } = harness.n8n;
	const webhook: NodeSpec = {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		parameters: { path, httpMethod: 'POST', responseMode: 'lastNode', options: {} },
		webhookId: path,
	};
	await api.activate(await api.importWorkflow(triggeredChain(path, webhook, ...nodes)));
	return `${url}webhook/${path}`;
}

const callUrl = async (url: string, signal?: AbortSignal) =>
	(await fetch(url, { method: 'POST', signal })).status;

it.concurrent('a webhook that fires three times for one lead', async () => {
	await withService(harness, {}, async (sandbox, credential) => {
		const lead = contactData('Find', credential, { ...FIND, fullname: 'mustfind ada' });
		const url = await publish('three-times', lead);
		expect(await Promise.all([1, 2, 3].map(async () => await callUrl(url)))).toEqual([
			200, 200, 200,
		]);
		expectPaidOnce(sandbox, 1);
	});
});

it.concurrent('a caller that gives up and asks again', async () => {
	await withService(harness, { single: 4_000 }, async (sandbox, credential) => {
		const lead = contactData('Find', credential, { ...FIND, fullname: 'mustfind eve' });
		const url = await publish('gives-up', lead);
		for (let call = 0; call < 2; call++) {
			await callUrl(url, AbortSignal.timeout(IMPATIENT_MS)).catch(() => undefined);
		}
		expect(await callUrl(url)).toBe(200);
		expectPaidOnce(sandbox, 1);
	});
});

it.concurrent('a workflow that is started twice in a second, Find Many over ten rows', async () => {
	await withService(harness, { bulk: 2_000 }, async (sandbox, credential) => {
		const { api } = harness.n8n;
		const workflow = chain(
			'Twice',
			items('Leads', people(10)),
			contactData('Find', credential, MANY),
		);
		const id = await api.importWorkflow(workflow);
		const ended = [await api.startWorkflow(id), await api.startWorkflow(id)];
		for (const execution of ended) {
			const found = (await api.waitForEnd(execution)).json('Find');
			expect(found.map((json) => json.found)).toEqual(Array(10).fill(true));
		}
		expectPaidOnce(sandbox, 10);
	});
});

/** A workflow in which these nodes are wired into Find, and not to each other. */
function wiredInto(credential: CredentialRef, name: string, wires: NodeSpec[]): WorkflowJson {
	const find = contactData('Find', credential, FIND);
	const workflow = chain(name, items('Leads', people(5)), ...wires, find);
	const to = (nodes: string[]) => nodes.map((node) => ({ node, type: 'main' as const, index: 0 }));
	const names = wires.map((wire) => wire.name);
	return {
		...workflow,
		connections: {
			...workflow.connections,
			Leads: { main: [to(names)] },
			...Object.fromEntries(names.map((one) => [one, { main: [to(['Find'])] }])),
		},
	};
}

it.concurrent('three nodes wired into one Find', async () => {
	await withService(harness, {}, async (sandbox, credential) => {
		const set = (name: string) => editFields(name, { fullname: '={{ $json.fullname }}' });
		const wires = ['One', 'Two', 'Three'].map(set);
		await harness.n8n.api.runWorkflow(wiredInto(credential, 'Three wires', wires));
		expectPaidOnce(sandbox, 5);
	});
});

it.concurrent('both outputs of an If wired into one Find', async () => {
	await withService(harness, {}, async (sandbox, credential) => {
		const condition: NodeSpec = {
			name: 'If',
			type: 'n8n-nodes-base.if',
			typeVersion: 2,
			parameters: {
				conditions: {
					options: { caseSensitive: true, leftValue: '', typeValidation: 'loose' },
					conditions: [
						{
							id: 'even',
							leftValue: '={{ $json.n % 2 }}',
							rightValue: 0,
							operator: { type: 'number', operation: 'equals' },
						},
					],
					combinator: 'and',
				},
				options: {},
			},
		};
		const twice = items('Leads', [
			...people(3),
			...people(3).map((one) => ({ ...one, n: one.n + 1 })),
		]);
		const workflow = chain('Both outputs', twice, condition, contactData('Find', credential, FIND));
		const to = [{ node: 'Find', type: 'main' as const, index: 0 }];
		workflow.connections.If = { main: [to, to] };
		const run = await harness.n8n.api.runWorkflow(workflow);
		expect(run.status).toBe('success');
		expectPaidOnce(sandbox, 3);
	});
});

it.concurrent.for([
	['Find', FIND],
	['Find Many', MANY],
] as const)('Retry of a failed execution, pressed twice: %s', async ([, parameters]) => {
	await withService(harness, { account: { credits: 3 } }, async (sandbox, credential) => {
		const { api } = harness.n8n;
		const find = contactData('Find', credential, { ...parameters });
		const failed = await api.runWorkflow(chain('No credits', items('Leads', people(5)), find));
		expect(failed.status).toBe('error');
		sandbox.service.account().credits = 1_000;
		for (let press = 0; press < 2; press++) {
			const retried = await api.retryExecution(failed.id, { loadWorkflow: true });
			expect(retried.json('Find').map(({ found }) => found)).toEqual(Array(5).fill(true));
		}
		expectPaidOnce(sandbox, 5);
	});
});

it.concurrent(
	'a sub-workflow that is called once for each item, of five people who are there twice',
	async () => {
		await withService(harness, {}, async (sandbox, credential) => {
			const { api } = harness.n8n;
			const called: NodeSpec = {
				name: 'Called',
				type: 'n8n-nodes-base.executeWorkflowTrigger',
				typeVersion: 1.1,
				parameters: { inputSource: 'passthrough' },
			};
			const find = contactData('Find', credential, FIND);
			const id = await api.importWorkflow(triggeredChain('Called for each', called, find));
			await api.activate(id);
			const call: NodeSpec = {
				name: 'Call',
				type: 'n8n-nodes-base.executeWorkflow',
				typeVersion: 1.2,
				parameters: {
					workflowId: { __rl: true, mode: 'id', value: id },
					mode: 'each',
					options: {},
				},
			};
			const leads = items('Leads', [...people(5), ...people(5)]);
			const run = await api.runWorkflow(chain('Calls for each', leads, call));
			expect(run.status).toBe('success');
			expectPaidOnce(sandbox, 5);
		});
	},
);

it.concurrent('an error workflow that starts the failed one again', async () => {
	await withService(harness, {}, async (sandbox, credential) => {
		const { api } = harness.n8n;
		const find = contactData('Find', credential, FIND);
		const fails: NodeSpec = {
			name: 'Fails',
			type: 'n8n-nodes-base.stopAndError',
			parameters: { errorMessage: 'as each time' },
		};
		const id = await api.importWorkflow(chain('Fails', items('Leads', people(3)), find, fails));
		for (let round = 0; round < 5; round++) {
			expect((await api.runWorkflow(id)).status).toBe('error');
		}
		expectPaidOnce(sandbox, 3);
	});
});
