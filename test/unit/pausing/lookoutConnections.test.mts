import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startClock } from '../../support/clock.mts';
import { bytesInUse } from '../../support/heap.mts';
import { HOUR, MINUTE, Parking, SECOND } from './parking.mts';

// A connection keeps a whole execution of n8n in memory.

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

/** Parks an execution; tells whether what it keeps is still in memory. */
function parkOne(parking: Parking, credentialId: string, forMs: number): () => boolean {
	const context = { credentialId };
	const kept = new WeakRef(context);
	parking.add([`${credentialId} ${forMs}`], { keeps: context, credentialId, forMs });
	return () => kept.deref() !== undefined;
}

it('that of a credential is let go when its last execution is gone', async () => {
	const parking = new Parking();
	const isFirstKept = parkOne(parking, 'first', MINUTE);
	const isSecondKept = parkOne(parking, 'second', HOUR);
	await parking.pass(3 * MINUTE);
	await bytesInUse();
	expect([isFirstKept(), isSecondKept()]).toEqual([false, true]);
});

it('the latest of a credential serves its earlier executions, however long these wait', async () => {
	const parking = new Parking();
	const isFirstKept = parkOne(parking, 'one', HOUR);
	await parking.pass(30 * SECOND);
	const isSecondKept = parkOne(parking, 'one', 2 * HOUR);
	await parking.pass(30 * SECOND);
	await bytesInUse();
	expect([isFirstKept(), isSecondKept()]).toEqual([false, true]);
});
