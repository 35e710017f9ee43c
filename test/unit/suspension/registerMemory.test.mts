import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startClock } from '../../support/clock.mts';
import { MINUTE, Parking } from './parking.mts';

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

const PARKED = 10_000;
const ID = '0123456789abcdef01234567';

/** After a collection, which cannot take what was touched in the same turn of the event loop. */
async function heapBytes(): Promise<number> {
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc') as () => void;
	for (let turn = 0; turn < 5; turn++) {
		await new Promise((resolve) => setImmediate(resolve));
		collect();
	}
	return process.memoryUsage().heapUsed;
}

it(`${PARKED} parked executions take a kilobyte each, and nothing when they are gone`, async () => {
	const parking = new Parking();
	const before = await heapBytes();
	const executions: string[] = [];
	for (let count = 0; count < PARKED; count++) executions.push(parking.add([`${ID}${count}`]));
	const taken = (await heapBytes()) - before;
	console.log(`${Math.round(taken / PARKED)} bytes for a parked execution`);
	expect(taken / PARKED).toBeLessThanOrEqual(1_100);

	for (const [count, executionId] of executions.entries()) {
		parking.register.resumed(executionId, [`${ID}${count}`]);
	}
	executions.length = 0;
	await parking.pass(MINUTE);
	expect((await heapBytes()) - before).toBeLessThanOrEqual(0.1 * taken);
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
	await heapBytes();
	expect(contexts.flatMap((one, count) => (one.deref() === undefined ? [] : [count]))).toEqual([
		99,
	]);
});
