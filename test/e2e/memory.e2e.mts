import { expect, it } from 'vitest';

import { credentialFor, useHarness } from '../support/n8n/harness.mts';
import { lacks } from '../support/n8n/lacks.mts';
import {
	calledByOthers,
	callWorkflow,
	chain,
	contactData,
	madeItems,
	triggeredChain,
	webhookTrigger,
} from '../support/n8n/workflows.mts';
import { expectPaidOnce, FIND } from './paid.mts';

// What was paid is in a Data Table, which n8n opens to its own node alone: only a real n8n can tell.

const TABLE = 'contact_data_searches';
const SEARCHES = 60;
/** When n8n is killed: some seconds of submitting have been written by then, and the last one not. */
const KILLED_AT = 25;
/** At ten a second, those of the last second, and what is on its way. */
const MOST_UNWRITTEN = 15;

const harness = useHarness({});
const isMissing = lacks('Data Tables that are found by name');

const LEADS = (count: number) =>
	madeItems(
		'Leads',
		count,
		"{ fullname: 'mustfind ' + String.fromCharCode(97 + n / 26, 97 + (n % 26)) + 'a' }",
	);

/** A credential whose memory is a Data Table, and a Find with it. */
async function find() {
	const { n8n, sandbox, credential } = harness;
	const saved = credentialFor(sandbox);
	await n8n.api.updateCredential(credential, {
		...saved,
		data: { ...saved.data, memory: 'dataTable', memoryDays: 7 },
	});
	return contactData('Find', credential, { ...FIND, options: {} });
}

/** The tables of the package in n8n. */
async function tablesOf() {
	const { data } = await harness.n8n.api.rest<{
		data: Array<{ id: string; projectId: string; name: string }>;
	}>('GET', 'data-tables-global');
	return data.filter(({ name }) => name === TABLE);
}

it.skipIf(isMissing)(
	'what is paid by a click is known after a kill, in every way to run',
	async () => {
		const { n8n, sandbox } = harness;
		const { api } = n8n;
		const node = await find();
		const clicked = await api.runWorkflow(chain('Clicked', LEADS(3), node));
		expect(clicked.error).toBeUndefined();
		await n8n.kill();
		await n8n.restart();
		const again = await api.runWorkflow(clicked.workflowId);
		expect(again.json('Find')).toEqual(clicked.json('Find'));

		const webhook = triggeredChain(
			'Production',
			webhookTrigger('memory', { responseMode: 'lastNode', responseData: 'allEntries' }),
			LEADS(3),
			node,
		);
		await api.activate(await api.importWorkflow(webhook));
		const answer = await fetch(`${n8n.url}webhook/memory`, { method: 'POST' });
		expect(await answer.json()).toMatchObject(Array(3).fill({ found: true }));

		const child = await api.importWorkflow(triggeredChain('Child', calledByOthers, LEADS(3), node));
		await api.activate(child);
		const parent = await api.runWorkflow(chain('Parent', callWorkflow(child)));
		expect(parent.json()).toMatchObject(Array(3).fill({ found: true }));
		expectPaidOnce(sandbox, 3);
	},
);

it.skipIf(isMissing)(
	'after a kill while it submits, a new run pays for those of the last second alone',
	async () => {
		const { n8n, sandbox } = harness;
		const node = await find();
		const id = await n8n.api.importWorkflow(chain('Killed', LEADS(SEARCHES), node));
		await n8n.api.startWorkflow(id);
		await sandbox.waitFor(() => sandbox.ledger.totals().searches >= KILLED_AT);
		await n8n.kill();
		const before = sandbox.ledger.totals().searches;
		await n8n.restart();
		const again = await n8n.api.runWorkflow(id);
		expect(again.json('Find')).toMatchObject(Array(SEARCHES).fill({ found: true }));
		const paidAgain = sandbox.ledger.totals().searches - SEARCHES;
		expect(before).toBeLessThan(SEARCHES);
		expect(paidAgain).toBeLessThanOrEqual(MOST_UNWRITTEN);
	},
);

it.skipIf(isMissing)('a table that somebody deletes is made again', async () => {
	const { n8n, sandbox } = harness;
	const { api } = n8n;
	const workflow = chain('Deleted', LEADS(2), await find());
	const first = await api.runWorkflow(workflow);
	for (const { id, projectId } of await tablesOf()) {
		await api.rest('DELETE', `projects/${projectId}/data-tables/${id}`);
	}
	const second = await api.runWorkflow(first.workflowId);
	expect(second.json('Find')).toEqual(first.json('Find'));
	expect(await tablesOf()).toHaveLength(1);
	expectPaidOnce(sandbox, 2);
});
