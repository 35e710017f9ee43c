import type { INodeType } from 'n8n-workflow';
import { describe, expect, it, vi } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { contactData, useBench } from '../../support/n8nCore/contactData.mts';
import { runWorkflow } from '../../support/n8nCore/workflow.mts';
import { expectChargedOnce } from '../spending/money.mts';
import { receiptsOf, resultsOf, Suspended } from './suspended.mts';

// n8n may fail to save a pause: what was paid for by then is not lost, and not paid again.

/** Longer than anything is polled before it is parked. */
const JOB_MS = 20_000;

const bench = useBench({ single: JOB_MS, bulk: JOB_MS });
useFastClock();
// Sockets keep their own time, and another's load.
vi.setConfig({ testTimeout: 60_000 });

const ITEMS = [{ email: 'mustfind@a.example' }, { email: 'notfound@a.example' }];
const idsCharged = () => bench().sandbox.ledger.entries.map(({ id }) => id);

describe.for(['stopWorkflow', 'continueErrorOutput'] as const)(
	'%s: n8n that fails to park',
	(onError) => {
		const broken: INodeType = {
			description: contactData.description,
			async execute() {
				this.putExecutionToWait = async () => await Promise.reject(new Error('No place'));
				return await contactData.execute.call(this);
			},
		};
		const execution = () => {
			const settings = { onError };
			const suspended = new Suspended(bench(), 'emailVerifier', 'submitAndWait', {
				items: ITEMS,
				settings,
			});
			const [start, , after] = suspended.workflow.nodes;
			if (start === undefined || after === undefined) throw new Error('No workflow');
			const nodes = [start, { ...suspended.node, node: broken }, after];
			return { ...suspended.workflow, nodes };
		};

		it('loses no id', async () => {
			const run = await runWorkflow(execution());
			const output = onError === 'continueErrorOutput' ? 1 : 0;
			const shown = JSON.stringify([run.error, resultsOf(run, output)]);
			expect(idsCharged()).toHaveLength(2);
			for (const id of idsCharged()) expect(shown).toContain(id);
		});

		it('is tried again on the same items, and pays for nothing again', async () => {
			const workflow = execution();
			const [, node] = workflow.nodes;
			if (node === undefined) throw new Error('No node');
			node.settings = { ...node.settings, retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
			await runWorkflow(workflow);
			expectChargedOnce(bench(), ITEMS.length);
		});
	},
);

it('a Timeout without end is a date that n8n can save', async () => {
	const execution = new Suspended(bench(), 'emailVerifier', 'submitAndWait', {
		items: ITEMS,
		options: { timeout: 1e300 },
	});
	const { waitTill, parked } = await execution.run();
	// A year of five digits is not after one of four in a database of text.
	expect(waitTill?.toISOString()).toMatch(/^\d{4}-/);
	expect(receiptsOf(parked ?? (await execution.park()))).toMatchObject(
		idsCharged().map((id) => ({ search_id: id })),
	);
});
