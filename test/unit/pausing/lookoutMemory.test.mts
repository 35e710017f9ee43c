import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startClock } from '../../support/clock.mts';
import { bytesInUse } from '../../support/heap.mts';
import { HOUR, Parking } from './parking.mts';

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
	console.log(`${Math.round(taken / PARKED)} bytes for a parked execution`);
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

it('of all parked executions of an account, only the latest is kept in memory, as n8n has it', async () => {
	const parking = new Parking();
	const contexts: Array<WeakRef<object>> = [];
	const parkOne = (count: number) => {
		const context = { count };
		contexts.push(new WeakRef(context));
		parking.add([`${ID}${count}`], { keeps: context });
	};
	for (let count = 0; count < 100; count++) parkOne(count);
	await bytesInUse();
	expect(contexts.flatMap((one, count) => (one.deref() === undefined ? [] : [count]))).toEqual([
		99,
	]);
});
