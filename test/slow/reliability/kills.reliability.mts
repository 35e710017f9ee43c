import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { useHarness } from '../../support/n8n/harness.mts';
import { addFinding } from './cells.mts';
import { openElsewhere, type Elsewhere } from '../../support/elsewhere.mts';
import type { WireFault } from './faults.mts';
import { isFull } from './form.mts';
import { lockDatabase } from './lock.mts';
import { checkKey, checkMoney, checkNet, findWorkflow, seenIn } from './outcome.mts';
import { openStage, type Stage } from './stage.mts';
import { spreadNet, STEPS, type Net } from './steps.mts';
import { WAYS } from './ways.mts';

const harness = useHarness();
let elsewhere: Elsewhere;
beforeAll(async () => {
	elsewhere = await openElsewhere();
});
afterAll(async () => await elsewhere.close());

/** n8n has patience with its database for about five seconds, then it gives up what it wanted to save. */
const LOCK_MS = 3_000;
const LONG_LOCK_MS = 10_000;

const KILLED = {
	name: 'n8n killed with -9 and started again',
	end: async () => await harness.n8n.kill(),
};
/** `restart` stops it in order: after some seconds of patience, which come to the same. */
const STOPPED = { name: 'n8n stopped and started again', end: async () => {} };
const ENDS = isFull ? [KILLED, STOPPED] : [KILLED];

describe.for(ENDS)('$name', ({ name, end }) => {
	it('at each step of the life cycle', async () => {
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
			await end();
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
					const cell = await lookBack(stage, net, executionId);
					// What n8n has saved gives its results, and does not need the net, which catches every id.
					if (step.isSaved) {
						expect(cell).toMatchObject({ seen: 'success: 5 × result', money: { caught: 0 } });
					}
					const names = { table: 'n8n' as const, fault: name, way: step.name };
					await addFinding(inject('findings'), { kind: 'cell', cell: { ...names, ...cell } });
				}),
			);
		} finally {
			await Promise.all(stages.map(async (stage) => await stage.close()));
		}
	});
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
	const money = checkMoney(stage, interrupted, checkNet(caught));
	const [execution] = interrupted;
	const seen =
		execution === undefined
			? 'the workflow starts once, when the service calls again'
			: `${execution.status}: ${seenIn(execution, stage)}`;
	return { seen, money };
}

describe('the database is locked', () => {
	const fault: WireFault = {
		name: `locked for ${LOCK_MS / 1_000} s`,
		of: 'answers',
		isHeavy: true,
		strike: async ({ n8n }) => {
			const unlock = await lockDatabase(n8n.dataDir);
			const unlocked = delay(LOCK_MS).then(unlock);
			return async () => await unlocked;
		},
	};
	it.for(WAYS)('$name', async (way) => {
		const stage = await openStage({ n8n: harness.n8n, elsewhere }, way.sandbox);
		const outcome = await way.run(stage, fault).finally(stage.close);
		expect(elsewhere.visits).toEqual([]);
		const names = { table: 'database' as const, fault: fault.name, way: way.name };
		await addFinding(inject('findings'), { kind: 'cell', cell: { ...names, ...outcome } });
	});

	it('for longer than n8n waits: what n8n forgets comes by the trigger', async () => {
		const { n8n } = harness;
		const sandbox = { single: 2 * LONG_LOCK_MS };
		const stage = await openStage({ n8n, elsewhere }, sandbox);
		try {
			const net = await spreadNet(stage);
			const id = await n8n.api.startWorkflow(findWorkflow(stage, { operation: 'submit' }));
			const { ledger } = stage.sandbox;
			await stage.sandbox.waitFor(() => ledger.entries.length > 1);
			const unlock = await lockDatabase(n8n.dataDir);
			await delay(LONG_LOCK_MS);
			await unlock();
			const ids = ledger.entries.map((entry) => entry.id);
			const caught = await net.caught(ids);
			checkKey(stage, caught);
			const execution = await n8n.api.getExecution(id);
			// It has no data at all.
			const money = checkMoney(stage, [], checkNet(caught));
			const names = { table: 'database' as const, way: 'submit' };
			const cell = {
				...names,
				fault: `locked for ${LONG_LOCK_MS / 1_000} s`,
				seen: `${execution.status}, until n8n is started again: it could not save the end`,
				money,
			};
			await addFinding(inject('findings'), { kind: 'cell', cell });
		} finally {
			await stage.close();
		}
	});
});
