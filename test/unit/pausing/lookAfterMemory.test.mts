import { expect, it, vi } from 'vitest';
import { heldPause } from '../../../nodes/ContactData/pausing/lookAfter.ts';
import { bytesInUse } from '../../support/heap.mts';
import { HOUR, MINUTE, Parking, useFakedTime } from './parking.mts';

useFakedTime();

const MOST_BYTES = 50_000_000;
/** As a parser makes it: a text of pieces is larger. */
const idOf = (...numbers: number[]) =>
	Buffer.from(`0123456789abcdef01234567${numbers.join(' ')}`).toString('latin1');

it('10,000 paused executions take 50 MB at most, and nothing when they are over', async () => {
	const parking = new Parking();
	const before = await bytesInUse();
	const executions = Array.from({ length: 10_000 }, (_, n) => parking.add([idOf(n)]));
	const known = executions.map((id) => heldPause(id, parking.endOf(id)) !== undefined);
	const firstKnown = known.indexOf(true);
	// The oldest are given up: callbacks and the deadline are left for these.
	expect(known.slice(firstKnown)).not.toContain(false);
	const taken = (await bytesInUse()) - before;
	const bytesOfEach = taken / executions.length;
	expect((executions.length - firstKnown) * bytesOfEach).toBeLessThanOrEqual(MOST_BYTES);
	expect(firstKnown).toBeLessThan(5_000);

	parking.endAll();
	// Of who was given up, nothing is left but the sleep.
	vi.clearAllTimers();
	expect((await bytesInUse()) - before).toBeLessThanOrEqual(0.1 * taken);
});

it('paused executions of thousands of lookups take 50 MB at most', async () => {
	const parking = new Parking();
	const before = await bytesInUse();
	const executions = Array.from({ length: 60 }, (_, execution) =>
		parking.add(Array.from({ length: 5_000 }, (_, n) => idOf(execution, n))),
	);
	// Who was given up sleeps for a minute at most.
	await parking.pass(MINUTE);
	expect((await bytesInUse()) - before).toBeLessThanOrEqual(MOST_BYTES);
	const known = executions.map((id) => heldPause(id, parking.endOf(id)) !== undefined);
	expect(known.filter(Boolean).length).toBeGreaterThan(30);
});

// The connection of an execution keeps all of it in n8n's memory.
it('of all paused executions of a credential one is kept, and none when the last is over', async () => {
	const parking = new Parking();
	parking.service.faults.add({ on: 'GET *', kind: 'status', status: 503, times: Infinity });
	const contexts: Array<WeakRef<object>> = [];
	const parkOne = (credentialId: string, forMs: number) => {
		const context = { credentialId };
		contexts.push(new WeakRef(context));
		parking.add([idOf(contexts.length)], { keeps: context, credentialId, forMs });
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
