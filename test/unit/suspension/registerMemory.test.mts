import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startClock } from '../../support/clock.mts';
import { bytesInUse } from '../../support/heap.mts';
import { MINUTE, Parking } from './parking.mts';

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

const PARKED = 10_000;
/** What an execution holds in memory while it runs. */
const EXECUTION_BYTES = 1_000_000;
const ID = '0123456789abcdef01234567';

it(`${PARKED} parked executions take a kilobyte each, and nothing when they are gone`, async () => {
	const parking = new Parking();
	const before = await bytesInUse();
	const executions: string[] = [];
	for (let count = 0; count < PARKED; count++) {
		// n8n's context, which holds the execution, is behind its connection.
		const context = new Uint8Array(EXECUTION_BYTES);
		executions.push(parking.add([`${ID}${count}`], { keeps: context }));
	}
	const taken = (await bytesInUse()) - before - EXECUTION_BYTES;
	const each = taken / PARKED;
	console.log(`${Math.round(each)} bytes for a parked execution`);
	expect(each).toBeLessThanOrEqual(1_100);

	for (const executionId of executions) parking.register.resumed(executionId);
	executions.length = 0;
	await parking.pass(MINUTE);
	expect((await bytesInUse()) - before).toBeLessThanOrEqual(0.1 * taken);
});
