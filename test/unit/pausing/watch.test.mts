import { expect, it } from 'vitest';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import type { Size } from '../../../nodes/ContactData/lookups/types.ts';
import { Watch } from '../../../nodes/ContactData/pausing/watch.ts';
import type { Connection } from '../../../nodes/ContactData/service/request.ts';
import { orderOf } from '../../support/rows.mts';

// What a process knows of a pause, and who looks at it when.

const ONGOING = { status: 202, body: { status: 'ongoing' } };
const REFUSED = { status: 400, body: { message: 'Could not retrieve it' } };
const DOWN = { status: 503, body: {} };
type Answer = typeof ONGOING | typeof REFUSED | typeof DOWN;

/** A watch of so many lookups, `0` submitted first, and the looks of it. */
function heldPause(count: number, answerTo: (id: string) => Answer, size: Size = 'single') {
	const orders = Array.from({ length: count }, (_, n) => orderOf(size, String(n), []));
	const watch = new Watch(lookups.emailVerifier, orders);
	const looks: string[] = [];
	const timeouts: unknown[] = [];
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
			const { status, body } = answerTo(id);
			return await Promise.resolve({ statusCode: status, headers: {}, body: JSON.stringify(body) });
		},
	};
	return { watch, looks, timeouts, look: async () => await watch.look(connection) };
}

it('looks at the last submission first, and ends at the first that still runs', async () => {
	const { looks, look } = heldPause(50, () => ONGOING);
	expect(await look()).toMatchObject({ shown: { kind: 'ongoing' } });
	expect(looks).toEqual(['49']);
});

it('an id that the service refuses in between other answers, or because it is down, is not lost', async () => {
	const inTurn = [...Array<Answer>(4).fill(REFUSED), ONGOING];
	let count = 0;
	const { watch, look } = heldPause(2, (id) =>
		id === '0' ? DOWN : (inTurn[count++ % inTurn.length] ?? ONGOING),
	);
	for (let looks = 0; looks < 30; looks++) await look();
	expect(['0', '1'].map((id) => watch.isLost(id))).toEqual([false, false]);
});

it('what could not be read may take twice as long at each next look, up to five minutes, and from then on', async () => {
	let isDown = true;
	const { look, timeouts } = heldPause(1, () => (isDown ? DOWN : ONGOING), 'bulk');
	const faults: number[] = [];
	for (let count = 0; count < 6; count++) {
		isDown = count < 4;
		faults.push((await look())?.failed.faults ?? NaN);
	}
	expect(faults).toEqual([1, 2, 3, 4, 0, 0]);
	expect(timeouts).toEqual([60, 120, 240, 300, 300, 300].map((seconds) => 1_000 * seconds));
});
