import { describe, expect, it } from 'vitest';
import type { Accepted } from '../../../nodes/ContactData/orders/order.ts';
import {
	COMPLETED,
	FakeService,
	HOUR,
	ID,
	MINUTE,
	ONGOING,
	REFUSED,
	SECOND,
	type Answer,
	type Look,
	useFakedTime,
	wait,
} from './fakeService.mts';

useFakedTime();

const TIMEOUT_MS = 2 * HOUR;
const JOB_MS = HOUR;

/** A lookup of an hour, of which some looks go wrong. */
const lookup = (fault: Answer, isStruck: (look: Look) => boolean) =>
	new FakeService((look) => {
		if (isStruck(look)) return fault;
		return look.at < JOB_MS ? ONGOING : COMPLETED;
	});

const status = (code: number, message = 'No.'): Answer => ({ status: code, body: { message } });

/** What the user reads of a wait that brought no result. */
function wordsOf(fate: Accepted | undefined): string {
	if (fate?.kind !== 'fault') throw new Error(`No fault is told of: ${fate?.kind}`);
	return `${fate.refusal.message} ${fate.refusal.description}`;
}

/** Answers in which the service, or something on the way to it, says no. */
const REFUSALS: Array<[string, Answer]> = [
	['the table’s own 500', REFUSED],
	['a 400', status(400)],
	['a 403', status(403)],
	['a 404', status(404)],
	['a 401', status(401, 'This apikey is not valid')],
	['a 402', status(402, 'Insufficient credits')],
	['a redirect', { status: 302, body: '' }],
];

/** A fault of the network that lasts: which do is in `unit/service/submission`. */
const LASTING = 'CERT_HAS_EXPIRED';

describe('a long wait gets its result although now and then', () => {
	it.for(REFUSALS)('four looks in a row are refused by %s', async ([, fault]) => {
		const service = lookup(fault, ({ earlier }) => earlier % 8 >= 4);
		const { fate } = await wait(service, { timeoutMs: TIMEOUT_MS });
		expect(fate?.kind).toBe('completed');
		expect(service.looks.length).toBeGreaterThan(2 * 8);
	});

	it('all looks of a minute are refused', async () => {
		for (const from of [0, 10 * MINUTE, JOB_MS - MINUTE / 2]) {
			const service = lookup(REFUSED, ({ at }) => at >= from && at < from + MINUTE);
			const { fate } = await wait(service, { timeoutMs: TIMEOUT_MS });
			expect(fate?.kind, `from ${from} ms`).toBe('completed');
		}
	});

	it('the end is told for half a minute without its result', async () => {
		const service = lookup({ status: 200, body: { status: 'completed' } }, ({ at }) => {
			const minute = at / MINUTE;
			return (minute > 10 && minute < 10.5) || (minute > 18 && minute < 18.5);
		});
		const { fate } = await wait(service, { timeoutMs: TIMEOUT_MS });
		expect(fate?.kind).toBe('completed');
	});

	it('each of many lookups is refused, in turn', async () => {
		const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
		const service = lookup(REFUSED, ({ id, earlier }) => earlier % 8 === ids.indexOf(id));
		const { fates } = await wait(service, { ids, timeoutMs: TIMEOUT_MS });
		expect([...fates.values()].map(({ kind }) => kind)).toEqual(ids.map(() => 'completed'));
	});
});

describe('refusals in a row are believed', () => {
	const OF_ID = REFUSALS.filter(([name]) => !/401|402|redirect/.test(name));
	it.for(OF_ID)('at the second look of an earlier search: %s', async ([, fault]) => {
		const given = { timeoutMs: TIMEOUT_MS, isEarlier: true, reachedBefore: false };
		const one = lookup(fault, ({ earlier }) => earlier < 1);
		expect((await wait(one, given)).fate?.kind).toBe('completed');
		const { fate, tookMs } = await wait(
			lookup(fault, () => true),
			given,
		);
		expect(fate).toMatchObject({ kind: 'fault', isOver: true });
		expect(tookMs).toBeLessThan(6_000);
	});

	it.for(REFUSALS)('at the fifth of a new one: %s', async ([, fault]) => {
		const service = lookup(fault, ({ earlier }) => earlier >= 9);
		const { fate, tookMs } = await wait(service, { timeoutMs: TIMEOUT_MS });
		expect(fate).toMatchObject({ kind: 'fault', isOver: true });
		expect(service.looks).toHaveLength(9 + 5);
		expect(tookMs).toBeLessThan(5 * MINUTE);
		expect(wordsOf(fate)).not.toMatch(/Nothing was (sent|started)/);
	});

	it('of one lookup, while the others are waited for', async () => {
		const service = lookup(REFUSED, ({ id }) => id === 'b');
		const { fates } = await wait(service, { ids: ['a', 'b', 'c'], timeoutMs: TIMEOUT_MS });
		expect([...fates].map(([id, { kind }]) => [id, kind]).sort()).toEqual([
			['a', 'completed'],
			['b', 'fault'],
			['c', 'completed'],
		]);
	});
});

describe('that an id is unknown is believed of the service alone', () => {
	const UNKNOWN = [status(404), status(410, 'Gone')];
	const OF_GATEWAYS: Answer[] = [
		status(404, 'no Route matched with those values'),
		{ status: 404, body: '404 page not found' },
		{ status: 404, body: '<html>Not Found</html>' },
		{ status: 404, body: '' },
	];
	const OUTAGE_MS = 40 * SECOND;

	it.for(OF_GATEWAYS)('a gateway that answers so for a while is outlasted: %j', async (answer) => {
		for (const isEarlier of [true, false]) {
			const isOut = (at: number) => at < OUTAGE_MS;
			const service = new FakeService(
				({ at }) => (isOut(at) ? answer : COMPLETED),
				(at) => (isOut(at) ? answer : { status: 200, body: { credits: 1 } }),
			);
			const given = { timeoutMs: TIMEOUT_MS, isEarlier, reachedBefore: false };
			const { fate, tookMs } = await wait(service, given);
			expect(fate?.kind).toBe('completed');
			expect(tookMs).toBeLessThan(OUTAGE_MS + MINUTE / 2);
		}
	});

	it.for(OF_GATEWAYS.slice(1))('a text or a page is never believed: %j', async (answer) => {
		const service = new FakeService(() => answer);
		const { fate } = await wait(service, { timeoutMs: HOUR, isEarlier: true });
		expect(fate).toMatchObject({ kind: 'fault', isOver: false });
	});

	it.for(UNKNOWN)('the account is asked once for many that are unknown: %j', async (answer) => {
		const ids = Array.from({ length: 10 }, (_, n) => `id${n}`);
		const service = new FakeService(() => answer);
		const given = { ids, timeoutMs: TIMEOUT_MS, isEarlier: true };
		const { fates } = await wait(service, given);
		expect([...fates.values()].every(({ isOver }) => isOver)).toBe(true);
		expect(service.looks).toHaveLength(2 * ids.length);
		expect(service.accountReads).toBe(2);
	});
});

describe.for([LASTING, 'ECONNREFUSED', 'EPIPE'])('a network that fails with %s', (code) => {
	it('for half an hour is outlasted', async () => {
		const service = lookup({ code }, ({ at }) => at > 10 * MINUTE && at < 40 * MINUTE);
		const { fate } = await wait(service, { timeoutMs: TIMEOUT_MS });
		expect(fate?.kind).toBe('completed');
	});

	it('right after the submission is outlasted', async () => {
		const service = lookup({ code }, ({ earlier }) => earlier < 3);
		const { fate } = await wait(service, { timeoutMs: TIMEOUT_MS });
		expect(fate?.kind).toBe('completed');
	});

	it('after a first good look at an earlier search is outlasted', async () => {
		const service = lookup({ code }, ({ earlier }) => earlier > 0 && earlier < 9);
		const given = { timeoutMs: TIMEOUT_MS, isEarlier: true, reachedBefore: false };
		expect((await wait(service, given)).fate?.kind).toBe('completed');
	});

	it('for one lookup is outlasted once another was read', async () => {
		const service = lookup({ code }, ({ id, at }) => id === 'b' && at > SECOND && at < 5 * MINUTE);
		const ids = ['a', 'b'];
		const given = { ids, timeoutMs: TIMEOUT_MS, isEarlier: true, reachedBefore: false };
		const { fates } = await wait(service, given);
		expect([...fates.values()].map(({ kind }) => kind)).toEqual(['completed', 'completed']);
	});

	it('until the deadline leaves the lookup ongoing, and does not deny what was started', async () => {
		const service = lookup({ code }, ({ at }) => at > MINUTE);
		const { fate } = await wait(service, { timeoutMs: 10 * MINUTE });
		expect(fate).toMatchObject({ kind: 'fault', isOver: false });
		expect(wordsOf(fate)).toMatch(/^The service could not be (reached|asked): /);
		expect(wordsOf(fate)).not.toMatch(/Nothing was (sent|started)/);
	});
});

it('a service that was never reached is told of at once and not waited for', async () => {
	const service = lookup({ code: LASTING }, () => true);
	const given = { timeoutMs: TIMEOUT_MS, isEarlier: true, reachedBefore: false };
	const { fate } = await wait(service, given);
	expect(fate).toMatchObject({ kind: 'fault', fault: 'lasting', isOver: true });
	expect(service.looks).toEqual([{ id: ID, at: 0, earlier: 0 }]);
	expect(wordsOf(fate)).not.toContain('nothing charged');
});

it('a lookup is not looked at more often because others are in trouble', async () => {
	const looksAtA = async (ids: string[]) => {
		const service = lookup({ status: 503, body: '' }, ({ id }) => id === 'b');
		await wait(service, { ids, timeoutMs: TIMEOUT_MS });
		return service.looks.filter(({ id }) => id === 'a').length;
	};
	expect(await looksAtA(['a', 'b'])).toBe(await looksAtA(['a']));
});

const DOWN: Answer = { status: 503, body: '' };

it.for([10 * SECOND, 5 * MINUTE, HOUR])(
	'a service that is down for %i ms while a lookup ends is asked seldom, and its result is there soon after',
	async (downMs) => {
		const service = new FakeService(({ at }) => (at < downMs ? DOWN : COMPLETED));
		const { fate, tookMs } = await wait(service, { timeoutMs: TIMEOUT_MS });
		expect(fate?.kind).toBe('completed');
		expect(tookMs - downMs).toBeLessThan(MINUTE);
		expect(service.looks.length).toBeLessThan(10 + downMs / (20 * SECOND));
	},
);

it.for<[what: string, fault: Answer, seconds: number]>([
	['the service is down', DOWN, 1],
	['the service says no, which may be believed at the fifth time', REFUSED, 5],
])(
	'one failed look, as %s, puts a result off by no more than it must',
	async ([, fault, seconds]) => {
		const service = new FakeService(({ earlier }) => (earlier === 0 ? fault : COMPLETED));
		await wait(service, { timeoutMs: TIMEOUT_MS });
		const [failed, next] = service.looks;
		expect(Math.floor(((next?.at ?? 0) - (failed?.at ?? 0)) / SECOND)).toBe(seconds);
	},
);

it('a hiccup long after the service was down is followed by a look as soon as ever', async () => {
	let hiccups = 0;
	const service = new FakeService(({ at }) => {
		if (at < 4 * MINUTE) return DOWN;
		return at > 7 * MINUTE && hiccups++ === 0 ? DOWN : ONGOING;
	});
	await wait(service, { timeoutMs: 10 * MINUTE });
	const after = service.looks.filter(({ at }) => at > 7 * MINUTE);
	expect((after[1]?.at ?? 0) - (after[0]?.at ?? 0)).toBeLessThan(5 * SECOND);
});

it('a fault that has passed is not what a timeout tells', async () => {
	const service = new FakeService(({ earlier }) => (earlier === 0 ? DOWN : ONGOING));
	expect((await wait(service, { timeoutMs: MINUTE })).fate?.kind).toBe('ongoing');
});
