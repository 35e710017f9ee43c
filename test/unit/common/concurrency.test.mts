import { expect, it } from 'vitest';
import { forEachConcurrently } from '../../../nodes/ContactData/common/bounds.ts';

/** Runs the pool over 0, 1, 2, …; how many ran at once, and what came in which order. */
async function run(limit: number, length: number) {
	const list = Array.from({ length }, (_, index) => index * 10);
	const began: Array<[number, number]> = [];
	let running = 0;
	let most = 0;
	await forEachConcurrently(limit, list, async (entry, index) => {
		began.push([entry, index]);
		most = Math.max(most, ++running);
		await new Promise((resolve) => setImmediate(resolve));
		running--;
	});
	expect(running).toBe(0);
	expect(began).toEqual(list.map((entry, index) => [entry, index]));
	return most;
}

it.for([
	[1, 5, 1],
	[3, 10, 3],
	[10, 3, 3],
	[4, 0, 0],
])('at most %i at once of %i: %i', async ([limit, length, most]) => {
	expect(await run(limit, length)).toBe(most);
});
