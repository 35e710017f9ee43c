import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	batch,
	COMPLETED,
	FakeService,
	HOUR,
	MINUTE,
	ONGOING,
	SECOND,
	type Answer,
	useFakedTime,
	wait,
} from './fakeService.mts';

useFakedTime();

/** For all that is under way or begins when the time is over. */
const GRACE_MS = 5 * SECOND;
/** What the computing takes. */
const MOMENT_MS = 50;

const named = (count: number) => Array.from({ length: count }, (_, n) => `id${n}`);
const completedOf = (fates: Map<string, { kind: string }>) =>
	[...fates.values()].filter(({ kind }) => kind === 'completed').length;

it.for([
	[1, 1],
	[1000, 1],
	[1000, 300],
	[40, 7200],
])(
	'a wait for %i lookups at a service that hangs ends soon after its timeout of %i s',
	async ([count, seconds]) => {
		const service = new FakeService(() => 'hangs');
		const ids = named(count);
		const timeoutMs = seconds * SECOND;
		const { fates, tookMs } = await wait(service, { ids, timeoutMs });
		expect(tookMs).toBeGreaterThanOrEqual(timeoutMs - MOMENT_MS);
		expect(tookMs).toBeLessThanOrEqual(timeoutMs + GRACE_MS + MOMENT_MS);
		expect([...fates.keys()].sort()).toEqual([...ids].sort());
		expect(completedOf(fates)).toBe(0);
	},
);

it('what ended just before the timeout is still brought in, of a thousand lookups', async () => {
	const timeoutMs = 30 * SECOND;
	const service = new FakeService(({ at }) => (at < timeoutMs ? ONGOING : COMPLETED));
	// At ten looks at a time of 50 ms each, a thousand take the five seconds.
	const ids = named(900);
	const { fates } = await wait(service, { ids, timeoutMs });
	expect(completedOf(fates)).toBeGreaterThanOrEqual(850);
	expect(fates.size).toBe(ids.length);
});

it('looks that hang do not keep others from being looked at a last time', async () => {
	const timeoutMs = 10 * SECOND;
	const isLast = (at: number) => at >= timeoutMs - MOMENT_MS;
	const service = new FakeService(({ id, at }) => {
		if (!isLast(at)) return ONGOING;
		return /^id\d$/.test(id) && id !== 'id0' ? 'hangs' : COMPLETED;
	});
	const { fates } = await wait(service, { ids: named(60), timeoutMs });
	expect(completedOf(fates)).toBe(60 - 9);
});

describe('a look that hangs', () => {
	const HANGING = 'id0';

	it.for([
		['single', 2, 3],
		['single', 60, 15],
		['bulk', 10, 3],
	] as const)('holds up the other %s lookups of %i by %i s at most', async (row) => {
		const [size, count, seconds] = row;
		for (const doneAt of [20 * SECOND, 10 * MINUTE]) {
			const service = new FakeService(({ id, at }) => {
				if (id === HANGING) return 'hangs';
				if (size === 'bulk') return batch(at < doneAt ? 0 : 2, 2);
				return at < doneAt ? ONGOING : COMPLETED;
			});
			await wait(service, { ids: named(count), size, timeoutMs: HOUR });
			const others = service.looks.filter(({ id }) => id !== HANGING);
			const seenAt = Math.max(...others.map(({ at }) => at));
			expect(seenAt).toBeLessThan(1.1 * doneAt + seconds * SECOND);
		}
	});

	it.for([1, 10, 30])(
		'over the timeout (%i of 60) hides no result of the others',
		async (count) => {
			const timeoutMs = 30 * SECOND;
			const hanging = new Set(named(count));
			const service = new FakeService(({ id, at }) => {
				if (hanging.has(id)) return 'hangs';
				return at < timeoutMs - SECOND ? ONGOING : COMPLETED;
			});
			const { fates } = await wait(service, { ids: named(60), timeoutMs });
			expect(completedOf(fates)).toBe(60 - count);
		},
	);
});

it('whatever the service does, and when, all looks of a wait end within five seconds of it', async () => {
	const answer = fc.oneof(
		fc.constant<Answer>('hangs'),
		fc.constant(ONGOING),
		fc.constant<Answer>({ status: 503, body: '' }),
		fc.constant<Answer>({ code: 'ECONNREFUSED' }),
		fc
			.integer({ min: 0, max: 90 * SECOND })
			.map((afterMs): Answer => ({ status: 202, body: '', afterMs })),
	);
	await fc.assert(
		fc.asyncProperty(
			fc.array(answer, { minLength: 1, maxLength: 20 }),
			fc.integer({ min: 1, max: 60 }),
			fc.integer({ min: 100, max: MINUTE }),
			async (answers, count, timeoutMs) => {
				let looks = 0;
				const service = new FakeService(() => answers[looks++ % answers.length]);
				const { fates, tookMs } = await wait(service, { ids: named(count), timeoutMs });
				expect(fates.size).toBe(count);
				expect(tookMs).toBeLessThanOrEqual(timeoutMs + GRACE_MS + MOMENT_MS);
			},
		),
		{ numRuns: 20, endOnFailure: true },
	);
});

describe('a wait that is cancelled', () => {
	it('before it begins looks at nothing', async () => {
		const service = new FakeService(() => COMPLETED);
		const given = { timeoutMs: MINUTE, signal: AbortSignal.abort() };
		expect((await wait(service, given)).fate?.kind).toBe('ongoing');
		expect(service.looks).toEqual([]);
	});

	it('ends at once, and keeps what was over before', async () => {
		const service = new FakeService(({ id }) => (id === 'id0' ? COMPLETED : ONGOING));
		const stop = new AbortController();
		setTimeout(() => stop.abort(), MINUTE);
		const given = { ids: named(3), timeoutMs: HOUR, signal: stop.signal };
		const { fates, tookMs } = await wait(service, given);
		expect([...fates.values()].map(({ kind }) => kind)).toEqual([
			'completed',
			'ongoing',
			'ongoing',
		]);
		expect(tookMs).toBe(MINUTE);
	});
});

it('looks at a thousand lookups share the time, ten at once, and no more', async () => {
	const service = new FakeService(() => COMPLETED);
	const { fates, tookMs } = await wait(service, { ids: named(1_000), timeoutMs: HOUR });
	expect(completedOf(fates)).toBe(1_000);
	expect(service.mostUnderWay).toBe(10);
	// 1,000 looks of 50 ms: 5 s where ten are under way.
	expect(tookMs).toBeLessThan(8 * SECOND);
});
