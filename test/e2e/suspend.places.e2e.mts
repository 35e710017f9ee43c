import { describe, expect, it } from 'vitest';

import type { CredentialRef } from '../support/n8n/api.mts';
import type { Execution } from '../support/n8n/execution.mts';
import { useHarness } from '../support/n8n/harness.mts';
import { lacks } from '../support/n8n/lacks.mts';
import {
	calledByOthers,
	callWorkflow,
	chain,
	connected,
	contactData,
	editFields,
	items,
	loopOverItems,
	triggeredChain,
	waitForCall,
	type NodeSpec,
} from '../support/n8n/workflows.mts';
import { people } from '../support/people.mts';
import type { Sandbox } from '../support/sandbox/server.mts';
import { FIND } from './paid.mts';
import { CALLBACK_PATH, withService } from './parked.mts';

// Where in n8n a node in Wait Mode Pause Until Notified can stand. Its items come from `Leads`, and end in `After`.

const harness = useHarness();

const leads = items('Leads', people(3));
const after = editFields('After', {
	n: "={{ $('Leads').item.json.n }}",
	id: '={{ $json.search_id }}',
});
const find = (credential: CredentialRef): NodeSpec =>
	contactData('Find', credential, { ...FIND, waitMode: 'suspend' });

async function inSubWorkflow(credential: CredentialRef): Promise<Execution> {
	const { api } = harness.n8n;
	const called = triggeredChain('Sub-workflow', calledByOthers, find(credential));
	const id = await api.importWorkflow(called);
	await api.activate(id);
	return await api.runWorkflow(chain('Caller', leads, callWorkflow(id), after));
}

async function twiceInALoop(credential: CredentialRef): Promise<Execution> {
	const verify = contactData('Verify', credential, {
		resource: 'emailVerifier',
		operation: 'submitAndWait',
		waitMode: 'suspend',
		email: '={{ $json.email }}',
	});
	const workflow = chain('Loop', leads, loopOverItems(2), find(credential), verify, after);
	const outputs = { Loop: [['After'], ['Find']], Verify: [['Loop']] };
	return await harness.n8n.api.runWorkflow(connected(workflow, outputs));
}

async function inTwoBranches(credential: CredentialRef): Promise<Execution> {
	const phone = contactData('Phone', credential, {
		resource: 'phoneFinder',
		operation: 'submitAndWait',
		waitMode: 'suspend',
		socialProfileUrl: '=https://www.linkedin.com/in/number-{{ $json.n }}',
		options: { maxCredits: 500 },
	});
	const merge: NodeSpec = { name: 'Merge', type: 'n8n-nodes-base.merge', typeVersion: 3 };
	const row = chain('Branches', leads, find(credential), phone, merge, after);
	const workflow = connected(row, { Leads: [['Find', 'Phone']], Find: [['Merge']] });
	workflow.connections.Phone = { main: [[{ node: 'Merge', type: 'main', index: 1 }]] };
	return await harness.n8n.api.runWorkflow(workflow);
}

async function afterWait(credential: CredentialRef): Promise<Execution> {
	const { api } = harness.n8n;
	const url = editFields('URL', { url: '={{ $execution.resumeUrl }}' });
	const workflow = chain('Wait', url, waitForCall(), leads, find(credential), after);
	const id = await api.startWorkflow(workflow);
	await api.waitForStatus(id, (status) => status === 'waiting');
	const [{ url: resumeUrl }] = (await api.getExecution(id)).json<{ url: string }>('URL');
	await fetch(resumeUrl);
	return await api.waitForEnd(id);
}

/** In n8n 1 the caller goes on with the items that it gave. */
const CALLER_GETS_NONE = lacks('the results of a paused sub-workflow for its caller');

describe('a suspending node is called back, or finds the results itself where callbacks are lost', () => {
	it.concurrent.for([
		['in a sub-workflow, whose caller waits', inSubWorkflow, 'none', 3],
		['twice in a loop', twiceInALoop, 'all', 6],
		['in two branches', inTwoBranches, 'none', 6],
		['after a Wait', afterWait, 'all', 3],
	] as const)('%s', async ([, run, send, searches], { skip }) => {
		skip(CALLER_GETS_NONE && run === inSubWorkflow);
		await withService(harness, { single: 500, webhooks: { send } }, async (sandbox, credential) => {
			const execution = await run(credential);
			expect(execution.error).toBeUndefined();
			expect(execution.status).toBe('success');
			expectPaired(execution, sandbox);
			expect(sandbox.ledger.entries).toHaveLength(searches);
			expect(sandbox.ledger.chargedTwice()).toEqual([]);
			expectSuspended(sandbox);
		});
	});
});

/** Each lead has its own results at the end, none twice. */
function expectPaired(execution: Execution, { ledger }: Sandbox): void {
	const runs = execution.data.resultData.runData.After ?? [];
	const given = runs.flatMap(({ data }) => data?.main[0] ?? []).map(({ json }) => json);
	expect(given).not.toEqual([]);
	const ids = given.map(({ id }) => id);
	expect(new Set(ids).size).toBe(ids.length);
	for (const { n, id } of given) {
		const search = ledger.entries.find((entry) => entry.id === id)?.searches.join();
		expect(search).toMatch(new RegExp(`number\\W${Number(n)}\\b`));
	}
}

/** It did not poll: it asked to be called back. */
function expectSuspended({ requests }: Sandbox): void {
	for (const { body } of requests.filter(({ method }) => method === 'POST')) {
		expect(body).toHaveProperty('settings.webhook', expect.stringMatching(CALLBACK_PATH));
	}
}
