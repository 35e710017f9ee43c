import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
	batch,
	FakeService,
	HOUR,
	MINUTE,
	ONGOING,
	SECOND,
	useFakedTime,
	wait,
} from './fakeService.mts';

useFakedTime();

const SEARCHES = 5_000;
/** What the looks take. */
const ON_THE_WAY_MS = SECOND / 5;

interface Job {
	lengthMs: number;
	estimateMs?: number;
	/** How many searches are told to be done; default: nothing is told. */
	finishedAt?: (atMs: number) => number | undefined;
}

/** How late the end of a batch is seen, and after how many looks. */
async function watch({ lengthMs, estimateMs, finishedAt }: Job) {
	const service = new FakeService(({ at }) => {
		if (at >= lengthMs) return batch(SEARCHES, SEARCHES);
		const finished = finishedAt?.(at);
		return finished === undefined ? ONGOING : batch(finished, SEARCHES);
	});
	const given = { size: 'bulk', timeoutMs: 12 * HOUR, estimateMs } as const;
	const { fate, tookMs } = await wait(service, given);
	expect(fate?.kind).toBe('completed');
	return { lateMs: tookMs - lengthMs, looks: service.looks.length };
}

const evenly = (lengthMs: number) => (at: number) => Math.floor((SEARCHES * at) / lengthMs);
const lengths = fc
	.double({ min: Math.log(2 * SECOND), max: Math.log(4 * HOUR), noNaN: true })
	.map((log) => Math.round(Math.exp(log)));

it('an end is seen within a tenth of the time, and within a minute, whatever is told', async () => {
	const estimates = fc.option(fc.integer({ min: 0, max: 24 * HOUR }), { nil: undefined });
	// What is told at a time: right, a halt, a lie, a count that goes back, or nothing.
	const told = fc.array(fc.option(fc.nat({ max: SEARCHES - 1 }), { nil: undefined }), {
		minLength: 1,
		maxLength: 20,
	});
	await fc.assert(
		fc.asyncProperty(lengths, estimates, told, async (lengthMs, estimateMs, counts) => {
			const finishedAt = (at: number) => counts[Math.floor((counts.length * at) / lengthMs)];
			const { lateMs } = await watch({ lengthMs, estimateMs, finishedAt });
			const allowedMs = Math.min(MINUTE, Math.max(2 * SECOND, lengthMs / 10));
			expect(lateMs).toBeLessThanOrEqual(allowedMs + ON_THE_WAY_MS);
		}),
		{ numRuns: 30 },
	);
});

it('an end is seen within two seconds where a forecast is right', async () => {
	const upToAnHour = lengths.filter((ms) => ms <= HOUR);
	await fc.assert(
		fc.asyncProperty(upToAnHour, fc.boolean(), async (lengthMs, isEstimated) => {
			const forecast = isEstimated ? { estimateMs: lengthMs } : { finishedAt: evenly(lengthMs) };
			const { lateMs } = await watch({ lengthMs, ...forecast });
			// Of an hour, one of 5,000 searches takes 0.7 s.
			expect(lateMs).toBeLessThanOrEqual(2 * SECOND + lengthMs / 2_500);
		}),
		{ numRuns: 40 },
	);
});

it.for([
	['a minute', MINUTE, 40],
	['an hour', HOUR, 150],
] as const)('a job of %s is looked at as seldom as by a good guest', async ([, lengthMs, most]) => {
	const forecasts = [{}, { estimateMs: lengthMs }, { finishedAt: evenly(lengthMs) }];
	for (const forecast of forecasts) {
		const { looks } = await watch({ lengthMs, ...forecast });
		expect(looks).toBeLessThanOrEqual(most);
	}
});
