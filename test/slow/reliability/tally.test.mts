import { describe, expect, it } from 'vitest';

import type { LedgerEntry } from '../../support/sandbox/ledger.mts';
import type { Losses } from './moody.mts';
import type { Known, Start, WorkDone } from './readAll.mts';
import { tally, type Remains } from './tally.mts';
import { WORK } from './work.mts';

// Times are in ms; the one kill strikes at 100,000 and is over at 110,000.

const KILL = { at: 100_000, overAt: 110_000 };
const PARKED = WORK.findIndex(({ parameters }) => parameters.waitMode === 'suspend');
const RUN = 5 + PARKED;

function charged(id: string, at: number, more: Partial<LedgerEntry> = {}): LedgerEntry {
	const searches = [`run ${RUN} person 0`];
	const endpoint = 'POST /email/find/bulk';
	return { id, at, searches, account: 'demo', endpoint, credits: 1, refunded: 0, ...more };
}

const completed = (count: number): string[] => Array.from({ length: count }, () => 'completed');

function done(more: Partial<WorkDone> = {}): WorkDone {
	const times = { createdAt: 120_000, endedAt: 130_000 };
	return { status: 'success', ...times, given: completed(20), ...more };
}

const starts = (...times: number[]): Start[] =>
	times.map((startedAt) => ({ startedAt, given: completed(1) }));

interface Given extends Partial<Omit<Remains, 'known' | 'losses'>> {
	known?: Partial<Known>;
	losses?: Partial<Losses>;
}

/** Nothing was charged and nothing ran, but for what a test is about. */
function remains({ known, losses, ...more }: Given = {}): Remains {
	return {
		calmFrom: KILL.overAt,
		end: 210_000,
		kills: [KILL],
		killsSaving: true,
		executions: new Map([[RUN, 'e1']]),
		entries: [],
		takenAt: new Map(),
		samples: [],
		...more,
		known: {
			own: new Set(),
			caught: new Map(),
			emptied: [],
			pointless: [],
			work: new Map(),
			...known,
		},
		losses: { calledAt: new Map(), uncalled: new Set(), unanswered: new Set(), ...losses },
	};
}

describe('an id in no execution of the trigger', () => {
	const gapsOf = (takenAt: number | undefined, more: Given = {}) => {
		const taken = new Map(takenAt === undefined ? [] : [['a', takenAt] as const]);
		return tally(remains({ entries: [charged('a', 90_000)], takenAt: taken, ...more }));
	};

	it('is lost, also where its own execution knows it', () => {
		expect(gapsOf(119_000, { known: { own: new Set(['a']) } }).gaps.lost).toEqual(['a']);
		expect(gapsOf(undefined).gaps.lost).toEqual(['a']);
	});

	it('is excused by an execution without ids, and forgotten where nothing else knows it', () => {
		const emptied = [{ createdAt: 119_000, startedAt: 119_000 }];
		const { gaps, forgotten } = gapsOf(119_000, { known: { emptied } });
		expect(gaps.emptied).toEqual(['a']);
		expect(forgotten).toEqual({ emptied: 1, unsaved: 0 });
		const known = { emptied, own: new Set(['a']) };
		expect(gapsOf(119_000, { known }).forgotten.emptied).toBe(0);
	});

	it.each([
		{ takenAt: 95_500, lagMs: 0, killsSaving: true, unsaved: 1 },
		{ takenAt: 94_500, lagMs: 0, killsSaving: true, unsaved: 0 },
		{ takenAt: 94_500, lagMs: 6_000, killsSaving: true, unsaved: 1 },
		{ takenAt: 89_500, lagMs: 30_000, killsSaving: true, unsaved: 0 },
		{ takenAt: 99_000, lagMs: 0, killsSaving: false, unsaved: 0 },
	])(
		'that was taken at $takenAt, where others took $lagMs ms: $unsaved',
		({ takenAt, lagMs, killsSaving, unsaved }) => {
			const taken = new Map([
				['a', takenAt],
				['b', 150_000],
			]);
			const known = { caught: new Map([['b', starts(150_000 + lagMs)]]) };
			const result = gapsOf(takenAt, { killsSaving, known, takenAt: taken });
			expect(result.longestLagMs).toBe(lagMs);
			expect(result.gaps.unsaved).toHaveLength(unsaved);
			expect(result.forgotten.unsaved).toBe(unsaved);
			expect(result.gaps.lost).toHaveLength(1 - unsaved);
		},
	);

	it('makes nothing of an execution that n8n began after it was back', () => {
		const takenAt = new Map([['b', 99_000]]);
		const known = { caught: new Map([['b', starts(120_000)]]) };
		expect(tally(remains({ takenAt, known })).longestLagMs).toBe(0);
	});
});

describe('an id in two executions of the trigger', () => {
	it.each([
		{ times: [98_000, 99_000], killsSaving: true, isTwice: true },
		{ times: [111_000, 90_001], killsSaving: true, isTwice: false },
		{ times: [89_999, 111_000], killsSaving: true, isTwice: true },
		{ times: [119_999, 130_000], killsSaving: true, isTwice: false },
		{ times: [120_000, 130_000], killsSaving: true, isTwice: true },
		{ times: [90_001, 111_000], killsSaving: false, isTwice: true },
		{ times: [90_001, 121_000, 122_000], killsSaving: true, isTwice: true },
		{ times: [111_000], killsSaving: true, isTwice: false },
	])('that began at $times: $isTwice', ({ times, killsSaving, isTwice }) => {
		const known = { caught: new Map([['a', starts(...times)]]) };
		expect(tally(remains({ known, killsSaving })).startedTwice).toEqual(isTwice ? ['a'] : []);
	});
});

describe('an execution of the trigger', () => {
	const phones = 'POST /phone/bulk';
	it.each([
		{ given: completed(3), isInVain: false },
		{ given: completed(2), isInVain: true },
		{ given: completed(2), endpoint: phones, isInVain: false },
		{ given: completed(1), endpoint: phones, isInVain: true },
		{ given: completed(3), endpoint: phones, isInVain: true },
		{ given: [], endpoint: phones, isInVain: true },
		{ given: ['completed', 'completed', 'failed'], isInVain: true },
		{ given: [], isInVain: true },
		{ given: undefined, isInVain: true },
		{ given: undefined, startedAt: 90_001, isInVain: false },
		{ given: undefined, startedAt: 89_999, isInVain: true },
		{ given: [], startedAt: 99_000, isInVain: true },
		{ given: completed(3), endpoint: 'POST /phone/single', isInVain: false },
		{ given: completed(1), endpoint: 'POST /phone/single', isInVain: true },
		{ given: completed(4), isInVain: true },
	])('with $given is in vain: $isInVain', ({ given, isInVain, endpoint, startedAt = 150_000 }) => {
		const searches = ['run 9 mustfind a', 'run 9 notfound b', 'run 9 mustfind c'];
		const entries = [charged('a', 90_000, { searches, ...(endpoint && { endpoint }) })];
		const known = { caught: new Map([['a', [{ startedAt, given }]]]) };
		expect(tally(remains({ entries, known })).startedInVain).toEqual(isInVain ? ['a'] : []);
	});
});

describe('ids of executions of the trigger', () => {
	const entries = [charged('a', 90_000), charged('b', 90_000)];
	const takenAt = new Map([
		['a', 115_000],
		['b', 115_000],
	]);
	const of = (caught: Known['caught'], more: Given = {}) =>
		tally(remains({ entries, takenAt, known: { caught }, ...more }));

	it('are not missing, nor in vain where there is none', () => {
		const { gaps, startedInVain } = of(new Map([['a', starts(116_000)]]));
		expect(gaps.lost).toEqual(['b']);
		expect(startedInVain).toEqual([]);
	});

	it('are whole where one of several executions is', () => {
		const failed = { startedAt: 150_000, given: undefined };
		const [whole] = starts(150_000);
		if (whole === undefined) throw new Error('None');
		const known = new Map([
			['a', [failed, whole]],
			['b', [whole, failed]],
		]);
		expect(of(known).startedInVain).toEqual([]);
	});

	it('are late by their first execution, and by a kill only where it came in between', () => {
		expect(of(new Map([['a', starts(116_000, 119_000)]])).longestLagMs).toBe(1_000);
		const kills = [{ at: 130_000, overAt: 140_000 }];
		expect(of(new Map([['a', starts(119_000)]]), { kills }).longestLagMs).toBe(4_000);
	});
});

describe('an id that the trigger alone knows', () => {
	const caught = new Map([['a', starts(125_000)]]);
	const of = (at: number, more: Given = {}) => {
		const work = new Map([['e1', done({ endedAt: 105_000 })]]);
		return tally(remains({ entries: [charged('a', at)], known: { caught, work }, ...more }));
	};

	it('is one that no execution of the work knows', () => {
		expect(of(99_000).caughtOnly).toEqual(['a']);
		const known = { caught, own: new Set(['a']) };
		expect(of(120_000, { known })).toMatchObject({ caughtOnly: [], unexplained: [] });
	});

	it.each([
		{ at: 99_000, unexplained: [] },
		{ at: 102_900, unexplained: [] },
		{ at: 103_001, unexplained: ['a'] },
	])('was submitted at $at', ({ at, unexplained }) => {
		expect(of(at).unexplained).toEqual(unexplained);
	});

	it('is unexplained where its execution was over before the kill', () => {
		const known = { caught, work: new Map([['e1', done({ endedAt: 99_500 })]]) };
		expect(of(99_000, { known }).unexplained).toEqual(['a']);
	});

	it('is explained by a kill where nobody knows when its execution ended', () => {
		const known = { caught, work: new Map([['e1', done({ endedAt: undefined })]]) };
		expect(of(99_000, { known }).unexplained).toEqual([]);
		expect(of(99_000, { known: { caught } }).unexplained).toEqual([]);
	});

	it('is explained by the end of its own execution, not of another', () => {
		const work = new Map([
			['e1', done({ endedAt: 105_000 })],
			['e2', done({ endedAt: 99_500 })],
		]);
		const executions = new Map([
			[RUN, 'e1'],
			[RUN + 5, 'e2'],
		]);
		const searches = [`run ${RUN + 5} person 0`];
		const entries = [charged('a', 99_000, { searches })];
		const more = { entries, executions, known: { caught, work } };
		expect(of(99_000, more).unexplained).toEqual(['a']);
		expect(of(99_000, { executions, known: { caught, work } }).unexplained).toEqual([]);
	});

	it('is explained by its own lost answer, and not by that of another', () => {
		expect(of(120_000, { losses: { unanswered: new Set(['a']) } }).unexplained).toEqual([]);
		expect(of(120_000, { losses: { unanswered: new Set(['b']) } }).unexplained).toEqual(['a']);
	});
});

describe('the work', () => {
	const of = (one: WorkDone, more: Given = {}) =>
		tally(remains({ known: { work: new Map([['e1', one]]) }, ...more }));

	it.each([
		{ statuses: ['error', 'error', 'error'], failed: [PARKED] },
		{ statuses: ['error', 'error', 'success'], failed: [] },
		{ statuses: ['error', 'error'], failed: [] },
	] as const)('of one kind that ends with $statuses', ({ statuses, failed }) => {
		const executions = new Map(statuses.map((_, n) => [RUN + 5 * n, `e${n}`]));
		const work = new Map(statuses.map((status, n) => [`e${n}`, done({ status })]));
		expect(tally(remains({ executions, known: { work } })).failedKinds).toEqual(failed);
	});

	it.each([
		{ given: completed(19), isIncomplete: true },
		{ given: [...completed(19), 'ongoing'], isIncomplete: true },
		{ given: completed(20), isIncomplete: false },
	])('is incomplete without a result for each item: $isIncomplete', ({ given, isIncomplete }) => {
		expect(of(done({ given })).incomplete).toEqual(isIncomplete ? ['e1'] : []);
		expect(of(done({ status: 'error', given: undefined })).incomplete).toEqual([]);
	});

	it('of receipts needs no results', () => {
		const run = WORK.findIndex(({ waits }) => !waits);
		const executions = new Map([[run, 'e1']]);
		expect(of(done({ given: [undefined] }), { executions }).incomplete).toEqual([]);
	});

	it('is of the calm after the last kill only', () => {
		expect(of(done()).calm).toMatchObject({ executions: 1, succeeded: 1 });
		const failed = done({ status: 'error', given: undefined });
		const failure = { executions: 1, succeeded: 0, failed: ['e1'] };
		expect(of(failed).calm).toMatchObject(failure);
		const entries = [charged('a', 121_000), charged('b', 121_000)];
		expect(of(failed, { entries }).calm).toMatchObject(failure);
		const unanswered = { losses: { unanswered: new Set(['b']) } };
		expect(of(failed, { entries, ...unanswered }).calm.failed).toEqual([]);
		const others = entries.map((entry) => ({ ...entry, searches: [`run ${RUN + 5} person 0`] }));
		expect(of(failed, { entries: others, ...unanswered }).calm.failed).toEqual(['e1']);
		const losses = { calledAt: new Map([['e1', 130_001]]) };
		const before = of(done({ createdAt: 109_000 }), { losses });
		expect(before.calm).toEqual({ executions: 0, succeeded: 0, failed: [], unprompted: 0 });
	});

	it.each([
		{ calledAt: 130_001, unprompted: 1 },
		{ calledAt: 130_000, unprompted: 0 },
		{ calledAt: undefined, unprompted: 0 },
	])('that is over at 130,000, and called at $calledAt', ({ calledAt, unprompted }) => {
		const calls = new Map(calledAt === undefined ? [] : [['e1', calledAt] as const]);
		expect(of(done(), { losses: { calledAt: calls } }).calm.unprompted).toBe(unprompted);
	});
});

it('the memory is that of the calm, but for its first tenth', () => {
	const samples = [109_000, 119_000, 121_000, 164_000, 166_000, 209_000].map((at, n) => ({
		at,
		bytes: 10 ** n,
	}));
	expect(tally(remains({ samples })).memory).toEqual([550, 55_000]);
});
