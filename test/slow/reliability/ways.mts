import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';

import type { Execution } from '../../support/n8n/execution.mts';
import type { SandboxOptions } from '../../support/sandbox/server.mts';
import type { WireFault } from './faults.mts';
import { publishListener } from './listener.mts';
import { checkKey, checkMoney, findWorkflow, NODE, PEOPLE, seenIn } from './outcome.mts';
import type { Stage } from './stage.mts';

/** A way of using the package, and how a fault meets it. */
export interface Way {
	readonly name: string;
	readonly sandbox: SandboxOptions;
	/** Runs it under the fault, and then on without; asserts that nothing is lost, and gives what the user sees. */
	readonly run: (stage: Stage, fault: WireFault) => Promise<string>;
}

const FAULT_MS = 6_000;
const TIMEOUT_SECONDS = (FAULT_MS + 24_000) / 1_000;
/** Longer than n8n takes to park the execution, with the fault and without. */
const PARKED_LOOKUP_MS = 16_000;
const REDELIVERY = { retries: 200, retryDelayMs: 1_000 };
const RUN_MS = { timeoutMs: FAULT_MS + 200_000 };

const POSTS = 'POST *';
const LOOKS = 'GET /email/*';

async function passingStrike(stage: Stage, fault: WireFault, on: typeof POSTS | typeof LOOKS) {
	const end = await fault.strike(stage, on);
	const over = delay(FAULT_MS).then(end);
	return { over };
}

const countOf = ({ sandbox }: Stage, method: string) =>
	sandbox.requests.filter((request) => request.method === method).length;

/** What the error itself advises: On Error: Continue, and a retry with the saved workflow. */
async function retry({ n8n }: Stage, failed: Execution): Promise<Execution> {
	const path = `workflows/${failed.workflowId}`;
	const saved = await n8n.api.rest<{ nodes: Array<{ name: string }>; versionId: string }>(
		'GET',
		path,
	);
	const nodes = saved.nodes.map((node) =>
		node.name === NODE ? { ...node, onError: 'continueRegularOutput' } : node,
	);
	await n8n.api.rest('PATCH', path, { nodes, versionId: saved.versionId });
	return await n8n.api.retryExecution(failed.id, { loadWorkflow: true, ...RUN_MS });
}

/** Waits for the end under the fault, then for the end of the fault, and retries what failed. */
async function finish(stage: Stage, id: string, over: Promise<void>) {
	const first = await stage.n8n.api.waitForEnd(id, RUN_MS);
	let seen = seenIn(first, stage);
	await over;
	const executions = [first];
	if (first.status !== 'success') {
		const second = await retry(stage, first);
		expect(second.json(NODE)).toHaveLength(PEOPLE.length);
		executions.push(second);
		seen += `. Retry: ${seenIn(second, stage)}`;
	}
	checkKey(stage, executions);
	checkMoney(stage, executions);
	return seen;
}

const submit: Way = {
	name: 'submit',
	sandbox: {},
	run: async (stage, fault) => {
		const toRun = findWorkflow(stage, { operation: 'submit' });
		const { api } = stage.n8n;
		if (fault.of === 'address') {
			const { over } = await passingStrike(stage, fault, POSTS);
			return await finish(stage, await api.startWorkflow(toRun), over);
		}
		const id = await api.startWorkflow(toRun);
		await stage.sandbox.waitFor(() => countOf(stage, 'POST') >= 2, 30_000);
		const { over } = await passingStrike(stage, fault, POSTS);
		return await finish(stage, id, over);
	},
};

const poll: Way = {
	name: 'wait by poll',
	sandbox: { single: 3_000 },
	run: async (stage, fault) => {
		const { api } = stage.n8n;
		if (fault.of === 'address') {
			// A run keeps to the address that it began with; so this one begins with the wait.
			const receipts = await api.runWorkflow(findWorkflow(stage, { operation: 'submit' }), RUN_MS);
			const waiting = findWorkflow(
				stage,
				{
					operation: 'getResult',
					lookupId: '={{ $json.search_id }}',
					options: { waitForResult: true, timeout: TIMEOUT_SECONDS },
				},
				receipts.json(NODE),
			);
			const { over } = await passingStrike(stage, fault, LOOKS);
			return await finish(stage, await api.startWorkflow(waiting), over);
		}
		const options = { timeout: TIMEOUT_SECONDS };
		const id = await api.startWorkflow(
			findWorkflow(stage, { operation: 'submitAndWait', options }),
		);
		// The first look comes after the last receipt.
		await stage.sandbox.waitFor(
			() => stage.sandbox.requests.some(({ query }) => query.id !== undefined),
			30_000,
		);
		const { over } = await passingStrike(stage, fault, LOOKS);
		return await finish(stage, id, over);
	},
};

const suspend: Way = {
	name: 'wait by suspend',
	sandbox: { single: PARKED_LOOKUP_MS, webhooks: REDELIVERY },
	run: async (stage, fault) => {
		const { api } = stage.n8n;
		const id = await api.startWorkflow(
			findWorkflow(stage, {
				operation: 'submitAndWait',
				waitMode: 'suspend',
				options: { timeout: TIMEOUT_SECONDS + 120 },
			}),
		);
		await api.waitForStatus(id, (status) => status === 'waiting', RUN_MS);
		const { over } = await passingStrike(stage, fault, LOOKS);
		return await finish(stage, id, over);
	},
};

const trigger: Way = {
	name: 'trigger',
	sandbox: { single: 1_000, webhooks: REDELIVERY },
	run: async (stage, fault) => {
		const { n8n, sandbox, credential } = stage;
		const { api, url: webhookUrl } = n8n;
		const listener = await publishListener({ api, webhookUrl }, credential, sandbox);
		const { workflowId } = listener;
		const { over } = await passingStrike(stage, fault, LOOKS);
		// Another program submits; the account has the trigger's URL registered.
		const answer = await fetch(`${sandbox.baseUrl}/email/find/single`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', 'x-api-key': sandbox.apiKey },
			body: JSON.stringify({ fullname: PEOPLE[0]?.fullname, company_domain: 'acme.example' }),
		});
		expect(answer.status).toBe(200);
		await api.waitForExecution(({ status }) => status === 'success', { workflowId, ...RUN_MS });
		await over;
		const [started, ...more] = await listener.executions();
		if (started === undefined) throw new Error('The execution is gone');
		expect(more).toEqual([]);
		expect(started.json(NODE)).toMatchObject([
			{ search_id: sandbox.ledger.entries[0]?.id, found: true },
		]);
		checkKey(stage, [started]);
		const refused = sandbox.deliveries.filter(({ outcome }) => outcome === 503).length;
		const unanswered = sandbox.deliveries.filter(({ outcome }) => typeof outcome !== 'number');
		expect(unanswered).toEqual([]);
		checkMoney(stage, [started]);
		return `${refused === 0 ? '' : `the sender gets 503 (${refused} ×), then `}the workflow starts once, with the result`;
	},
};

export const WAYS: readonly Way[] = [submit, poll, suspend, trigger];
