import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { noteEnd } from '../../../nodes/ContactData/pausing/pausedWait.ts';
import { startClock } from '../../support/clock.mts';
import { bytesInUse } from '../../support/heap.mts';
import { HOUR, MINUTE, Parking } from './parking.mts';

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

const PARKED = 10_000;
const ID = '0123456789abcdef01234567';

it(`${PARKED} parked executions take a kilobyte each, and nothing when their pauses are over`, async () => {
	const parking = new Parking();
	const before = await bytesInUse();
	const executions: string[] = [];
	for (let count = 0; count < PARKED; count++) executions.push(parking.add([`${ID}${count}`]));
	const taken = (await bytesInUse()) - before;
	// 1,100 as a rule: what else the process holds is not quite the same before and after.
	expect(taken / PARKED).toBeLessThanOrEqual(1_500);

	for (const executionId of executions) parking.bring(executionId);
	executions.length = 0;
	// What a late callback would bring once more is known until their pauses are over.
	expect((await bytesInUse()) - before).toBeLessThanOrEqual(taken);
	await parking.pass(3 * HOUR);
	parking.add([`${ID} last`]);
	expect((await bytesInUse()) - before).toBeLessThanOrEqual(0.1 * taken);
});

const MOST_BYTES = 50_000_000;
const LONG_TEXT = 'x'.repeat(1_500);

it('parked executions of thousands of searches, with their results, take 50 MB, and the oldest are given up', async () => {
	const parking = new Parking();
	const before = await bytesInUse();
	const executions = Array.from({ length: 20 }, (_, execution) => {
		const ids = Array.from({ length: 5_000 }, (_, n) => `${ID}${execution} ${n}`);
		const executionId = parking.add(ids);
		const wait = parking.lookout.find(executionId);
		ids.forEach((id, n) => {
			// Of texts that are equal one is kept.
			const body = { qualification: 'valid', custom: { text: `${LONG_TEXT}${execution} ${n}` } };
			if (wait !== undefined) noteEnd(wait, id, { kind: 'completed', body });
		});
		return executionId;
	});
	expect((await bytesInUse()) - before).toBeLessThanOrEqual(MOST_BYTES);
	const known = executions.map((id) => parking.lookout.find(id) !== undefined);
	expect(known.indexOf(true)).toBeGreaterThan(0);
	expect(known.slice(known.indexOf(true))).not.toContain(false);
});

// The connection of an execution keeps all of it in n8n's memory.
it('of all paused executions of a credential one is kept, and none when the last is over', async () => {
	const parking = new Parking();
	const contexts: Array<WeakRef<object>> = [];
	const parkOne = (credentialId: string, forMs: number) => {
		const context = { credentialId };
		contexts.push(new WeakRef(context));
		parking.add([`${ID}${contexts.length}`], { keeps: context, credentialId, forMs });
	};
	parkOne('over soon', MINUTE);
	for (let count = 1; count <= 20; count++) parkOne('one', HOUR);
	const kept = async () => {
		await bytesInUse();
		return contexts.flatMap((one, count) => (one.deref() === undefined ? [] : [count]));
	};
	expect(await kept()).toEqual([0, 20]);
	await parking.pass(3 * MINUTE);
	expect(await kept()).toEqual([20]);
});
