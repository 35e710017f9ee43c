import { describe, expect, it, vi } from 'vitest';
import { endPause } from '../../../nodes/ContactData/pausing/lookAfter.ts';
import { skipTime, useFastClock } from '../../support/clock.mts';
import { useBench } from '../../support/n8nCore/contactData.mts';
import { people } from '../../support/people.mts';
import { FIND } from '../spending/money.mts';
import { pauseInN8n } from './callingN8n.mts';
import { pairsOf, resultsOf, Suspended } from './suspended.mts';

// The service may call back a moment before the result that it tells of can be read.

const MINUTE_MS = 60_000;
const JOB_MS = 10 * MINUTE_MS;
/** So that the first look is in vain. */
const EARLY_MS = 800;
const COUNT = 3;

const bench = useBench({ single: JOB_MS, bulk: JOB_MS, webhooks: { send: 'none' } });
useFastClock();
// Sockets keep their own time, and another's load.
vi.setConfig({ testTimeout: 60_000 });

let executions = 0;

/** An execution of its own: what a process remembers of one is not another's. */
function suspended(count: number, size: 'single' | 'bulk' = 'single'): Suspended {
	const operation = size === 'single' ? 'submitAndWait' : 'submitBulkAndWait';
	// Different settings never share a batch.
	const options = { countryCode: "={{ ['US', 'FR', 'DE'][$json.n] }}" };
	const parameters = { ...FIND, companyDomain: '', companyName: 'Acme' };
	const given = { items: people(count), options, parameters };
	return new Suspended(bench(), 'emailFinder', operation, given, `early ${++executions}`);
}

const started = () => bench().sandbox.ledger.entries;
const looksSince = (before: number) => bench().looks.length - before;

/** Goes on to a moment before the n-th submission is finished, each a while after the one before. */
function goToEndOf(n: number, apartMs = 0, earlyMs = EARLY_MS): number {
	const end = (started()[n]?.at ?? 0) + JOB_MS + n * apartMs;
	skipTime(end - earlyMs - Date.now());
	return end;
}

describe.for(['single', 'bulk'] as const)('callbacks that are early: %s', (size) => {
	it('all at once, and each twice: it is resumed seconds after the end', async () => {
		const paused = await pauseInN8n(suspended(COUNT, size));
		const before = bench().looks.length;
		const end = goToEndOf(COUNT - 1);
		const both = [...started(), ...started()];
		const calls = await Promise.all(both.map(async () => await paused.call()));
		expect(calls.map(({ response }) => response?.status)).toEqual(both.map(() => 200));
		const run = await paused.resumedWithin(MINUTE_MS);
		expect(Date.now() - end).toBeLessThan(5_000);
		expect(resultsOf(run)).toMatchObject(Array(COUNT).fill({ found: true }));
		expect(pairsOf(run)).toEqual([...Array(COUNT).keys()]);
		expect(looksSince(before)).toBeLessThanOrEqual(6 * COUNT);
	});

	it('one after another: it is resumed seconds after the last end', async () => {
		bench().sandbox.configure({ [size]: oneAfterAnother });
		const paused = await pauseInN8n(suspended(COUNT, size));
		let end = 0;
		for (let n = 0; n < COUNT; n++) {
			expect(paused.calls).toEqual([]);
			end = goToEndOf(n, MINUTE_MS);
			expect((await paused.call()).resumed).toBeUndefined();
		}
		const run = await paused.resumedWithin(MINUTE_MS);
		expect(Date.now() - end).toBeLessThan(5_000);
		expect(resultsOf(run)).toMatchObject(Array(COUNT).fill({ found: true }));
	});
});

describe('in another process than that of the pause, a callback', () => {
	/** A paused execution that this process does not look after, as after a restart. */
	async function parkElsewhere() {
		const execution = suspended(1);
		const parked = await execution.park();
		const { wakesAt } = parked.data.executionData?.contextData.flow?.contactDataPause as {
			wakesAt: number;
		};
		endPause(parked.id, wakesAt);
		return { call: async () => await execution.call(parked) };
	}

	it('that is a moment early resumes it', async () => {
		const { call } = await parkElsewhere();
		goToEndOf(0);
		expect((await call()).resumed).toBeDefined();
	});

	it('whose end cannot be seen is answered so that the sender comes again', async () => {
		const { call } = await parkElsewhere();
		goToEndOf(0, 0, MINUTE_MS);
		const before = bench().looks.length;
		expect(await call()).toMatchObject({ resumed: undefined, response: { status: 503 } });
		expect(looksSince(before)).toBe(2);
	});
});

/** The n-th person's lookup ends a minute after the one before. */
function oneAfterAnother({ searches }: { searches: ReadonlyArray<{ canonical: string }> }): number {
	return JOB_MS + MINUTE_MS * Number(/number (\d+)/.exec(searches[0]?.canonical ?? '')?.[1]);
}
