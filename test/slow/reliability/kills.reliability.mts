import { afterAll, beforeAll, expect, it } from 'vitest';

import { useHarness } from '../../support/n8n/harness.mts';
import { openElsewhere, type Elsewhere } from '../../support/elsewhere.mts';
import { checkKey, checkMoney, checkNet, seenIn } from './outcome.mts';
import { openStage, type Stage } from './stage.mts';
import { spreadNet, STEPS, type Net } from './steps.mts';

const harness = useHarness();
let elsewhere: Elsewhere;
beforeAll(async () => {
	elsewhere = await openElsewhere();
});
afterAll(async () => await elsewhere.close());

it('n8n is killed at each step of the life cycle, and started again', async () => {
	const stages: Stage[] = [];
	try {
		const reached = await Promise.all(
			STEPS.map(async (step) => {
				const stage = await openStage({ n8n: harness.n8n, elsewhere }, step.sandbox);
				stages.push(stage);
				const net = await spreadNet(stage);
				for (const rule of step.hold) stage.sandbox.faults.add(rule);
				return { step, stage, net, executionId: await step.reach(stage) };
			}),
		);
		for (const { step, executionId } of reached) {
			if (executionId === undefined) continue;
			const { status } = await harness.n8n.api.getExecution(executionId);
			expect(status, step.name).toBe(step.isSaved ? 'waiting' : 'running');
		}
		await harness.n8n.kill();
		await harness.n8n.restart();
		// n8n calls crashed what it finds running when it starts, also what starts in that moment.
		const running = async () => await harness.n8n.api.listExecutions({ status: ['running'] });
		await expect.poll(running, { timeout: 60_000 }).toEqual([]);
		for (const { sandbox } of stages) {
			sandbox.faults.clear();
			sandbox.service.finish();
		}
		await Promise.all(
			reached.map(async ({ step, stage, net, executionId }) => {
				const { seen, caught } = await lookBack(stage, net, executionId);
				// What n8n has saved gives its results, and does not need the net, which catches every id.
				if (step.isSaved)
					expect({ seen, caught }).toEqual({ seen: 'success: 5 × result', caught: 0 });
				console.log(`killed ${step.name}: ${seen}`);
			}),
		);
	} finally {
		await Promise.all(stages.map(async (stage) => await stage.close()));
	}
});

/** What the user finds when n8n is up again. */
async function lookBack(stage: Stage, net: Net, executionId: string | undefined) {
	const { n8n, sandbox } = stage;
	const interrupted =
		executionId === undefined
			? []
			: [await n8n.api.waitForEnd(executionId, { timeoutMs: 120_000 })];
	const ids = sandbox.ledger.entries.map(({ id }) => id);
	const caught = await net.caught(ids);
	checkKey(stage, [...interrupted, ...caught]);
	const fates = checkMoney(stage, interrupted, checkNet(caught));
	const [execution] = interrupted;
	const seen =
		execution === undefined
			? 'the workflow starts once, when the service calls again'
			: `${execution.status}: ${seenIn(execution, stage)}`;
	return { seen, caught: fates.caught };
}
