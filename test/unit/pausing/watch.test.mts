import { describe, expect, it } from 'vitest';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import type { Size } from '../../../nodes/ContactData/lookups/types.ts';
import { Watch } from '../../../nodes/ContactData/pausing/watch.ts';
import type { Connection } from '../../../nodes/ContactData/service/request.ts';
import type { Ended } from '../../../nodes/ContactData/service/state.ts';
import { orderOf } from '../../support/rows.mts';

// What a process knows of a pause, and who looks at it when.

const ENDED = { status: 200, body: { qualification: 'valid', email: 'ada@acme.example' } };
const ONGOING = { status: 202, body: { status: 'ongoing' } };
const REFUSED = { status: 400, body: { message: 'Could not retrieve it' } };
const DOWN = { status: 503, body: {} };
type Answer = typeof ENDED | typeof ONGOING | typeof REFUSED | typeof DOWN;

/** A watch of so many lookups, `0` submitted first, and the looks of it. */
function heldPause(count: number, answerTo: (id: string) => Answer, size: Size = 'single') {
	const orders = Array.from({ length: count }, (_, n) => orderOf(size, String(n), []));
	const watch = new Watch(lookups.emailVerifier, orders);
	const looks: string[] = [];
	const timeouts: unknown[] = [];
	let turnsOfMost = 0;
	let underWay = 0;
	const connection: Connection = {
		account: {
			baseUrl: 'https://service.example',
			requestsPerSecond: 10,
			fingerprint: 'watch',
			redact: (text) => text,
		},
		send: async ({ qs, timeout }) => {
			const id: unknown = qs?.id;
			if (typeof id !== 'string') throw new Error('A look names its lookup');
			looks.push(id);
			timeouts.push(timeout);
			turnsOfMost = Math.max(turnsOfMost, ++underWay);
			await new Promise((resolve) => setImmediate(resolve));
			underWay--;
			const { status, body } = answerTo(id);
			return { statusCode: status, headers: {}, body: JSON.stringify(body) };
		},
	};
	return {
		watch,
		looks,
		timeouts,
		look: async (results?: Map<string, Ended>) => await watch.look(connection, results),
		mostAtOnce: () => turnsOfMost,
	};
}

it('looks at the last submission first, and ends at the first that still runs', async () => {
	const { looks, look } = heldPause(50, () => ONGOING);
	expect(await look()).toMatchObject({ kind: 'ongoing' });
	expect(looks).toEqual(['49']);
});

it('looks at twice as many each time all have ended, ten at once at most, and at none again', async () => {
	let stillRuns = '30';
	const { looks, look, watch, mostAtOnce } = heldPause(50, (id) =>
		id === stillRuns ? ONGOING : ENDED,
	);
	const results = new Map<string, Ended>();
	expect(await look(results)).toMatchObject({ kind: 'ongoing' });
	// 1, 2, 4, 8, and ten of which one still runs.
	expect(looks).toHaveLength(25);
	expect(watch.openCount).toBe(26);
	stillRuns = '';
	expect(await look(results)).toBeUndefined();
	expect(looks).toHaveLength(51);
	expect(new Set(looks).size).toBe(50);
	expect(mostAtOnce()).toBe(10);
	expect(results.size).toBe(50);
	// All have ended: there is nothing to ask any more.
	expect(await look(results)).toBeUndefined();
	expect(looks).toHaveLength(51);
});

describe('callbacks', () => {
	it('while somebody looks make it look once more, however many they are', async () => {
		const answers = [ONGOING, ENDED];
		const { looks, look, watch } = heldPause(1, () => answers.shift() ?? ENDED);
		expect(watch.joinLook()).toBe(false);
		const looking = look();
		const joined = Array.from({ length: 100 }, () => watch.joinLook());
		expect(joined).not.toContain(false);
		expect(await looking).toBeUndefined();
		expect(looks).toHaveLength(2);
		expect(watch.joinLook()).toBe(false);
	});

	it('while somebody looks in vain do not make it look for ever', async () => {
		const { looks, look, watch } = heldPause(1, () => ONGOING);
		const looking = look();
		watch.joinLook();
		expect(await looking).toMatchObject({ kind: 'ongoing' });
		expect(looks).toHaveLength(2);
	});
});

describe('an id that the service refuses', () => {
	it('at five looks in a row is lost, and holds up nothing', async () => {
		const { watch, look, looks } = heldPause(2, (id) => (id === '1' ? REFUSED : ENDED));
		for (let count = 0; count < 4; count++) {
			expect(await look()).toMatchObject({ kind: 'fault', fault: 'refused' });
			expect(watch.isLost('1')).toBe(false);
		}
		expect(await look()).toBeUndefined();
		expect(looks).toEqual([...Array<string>(5).fill('1'), '0']);
		expect(['0', '1'].map((id) => watch.isLost(id))).toEqual([false, true]);
	});

	it('in between other answers, or because it is down, is not', async () => {
		const inTurn = [...Array<Answer>(4).fill(REFUSED), ONGOING];
		let count = 0;
		const { watch, look } = heldPause(2, (id) =>
			id === '0' ? DOWN : (inTurn[count++ % inTurn.length] ?? ONGOING),
		);
		for (let looks = 0; looks < 30; looks++) await look();
		expect(['0', '1'].map((id) => watch.isLost(id))).toEqual([false, false]);
	});
});

it('what could not be read may take twice as long at each next look, up to five minutes, and from then on', async () => {
	let isDown = true;
	const { watch, look, timeouts } = heldPause(1, () => (isDown ? DOWN : ONGOING), 'bulk');
	const faults: number[] = [];
	for (let count = 0; count < 6; count++) {
		isDown = count < 4;
		await look();
		faults.push(watch.faults);
	}
	expect(faults).toEqual([1, 2, 3, 4, 0, 0]);
	expect(timeouts).toEqual([60, 120, 240, 300, 300, 300].map((seconds) => 1_000 * seconds));
});
