import { describe, expect, it } from 'vitest';

import type { LedgerEntry } from '../../support/sandbox/ledger.mts';
import type { Losses } from './moody.mts';
import type { Known, WorkDone } from './readAll.mts';
import { type Remains, tally } from './tally.mts';
import { WORK } from './work.mts';

// Times are in ms; the one kill strikes at 100,000 and is over at 110,000.

const KILL = { at: 100_000, overAt: 110_000 };
const PARKED = WORK.findIndex(({ parameters }) => parameters.waitMode === 'suspend');
const RUN = 5 + PARKED;

function charged(id: string, at: number, run = RUN): LedgerEntry {
	const searches = [`run ${run} person 0`];
	return { id, at, searches, account: 'demo', endpoint: 'POST *', credits: 1, refunded: 0 };
}

function done(more: Partial<WorkDone> = {}): WorkDone {
	const given = Array.from({ length: 20 }, () => 'completed');
	return { status: 'success', createdAt: 120_000, endedAt: 130_000, given, ...more };
}

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
		known: { own: new Set(), caught: new Map(), emptiedAt: [], work: new Map(), ...known },
		losses: { calledAt: new Map(), uncalled: new Set(), unanswered: new Set(), ...losses },
	};
}

describe('an id in no execution of the trigger', () => {
	const entries = [charged('a', 118_000)];
	const takenAt = new Map([['a', 119_000]]);

	it('is lost, also where its own execution knows it', () => {
		const known = { own: new Set(['a']) };
		expect(tally(remains({ entries, takenAt, known })).gaps.lost).toEqual(['a']);
	});

	it('is no id that n8n forgot where its own execution knows it', () => {
		const emptiedAt = [119_000];
		const forgotten = tally(remains({ entries, takenAt, known: { emptiedAt } })).forgotten;
		expect(forgotten).toEqual({ emptied: 1, unsaved: 0 });
		const known = { emptiedAt, own: new Set(['a']) };
		expect(tally(remains({ entries, takenAt, known })).forgotten.emptied).toBe(0);
	});
});

describe('an id in two executions of the trigger', () => {
	it.each([
		{ times: [98_000, 99_000], killsSaving: true, isTwice: true },
		{ times: [111_000, 90_000], killsSaving: true, isTwice: false },
		{ times: [90_000, 111_000], killsSaving: false, isTwice: true },
		{ times: [90_000, 111_000, 112_000], killsSaving: true, isTwice: true },
		{ times: [111_000], killsSaving: true, isTwice: false },
	])('that began at $times: $isTwice', ({ times, killsSaving, isTwice }) => {
		const known = { caught: new Map([['a', times]]) };
		const { startedTwice } = tally(remains({ known, killsSaving }));
		expect(startedTwice).toEqual(isTwice ? ['a'] : []);
	});
});

describe('an id that the trigger alone knows', () => {
	const caught = new Map([['a', [125_000]]]);
	const takenAt = new Map([['a', 124_000]]);
	const explained = (at: number, more: Given = {}) => {
		const work = new Map([['e1', done({ endedAt: 105_000 })]]);
		const entries = [charged('a', at)];
		return tally(remains({ entries, takenAt, known: { caught, work }, ...more })).unexplained;
	};

	it.each([
		{ at: 99_000, unexplained: [] },
		{ at: 100_900, unexplained: [] },
		{ at: 101_001, unexplained: ['a'] },
	])('was submitted at $at', ({ at, unexplained }) => {
		expect(explained(at)).toEqual(unexplained);
	});

	it('is no loss where its execution was over before the kill, and unexplained then', () => {
		const known = { caught, work: new Map([['e1', done({ endedAt: 99_500 })]]) };
		expect(explained(99_000, { known })).toEqual(['a']);
	});

	it('is explained by its own lost answer, and not by that of another', () => {
		expect(explained(120_000, { losses: { unanswered: new Set(['a']) } })).toEqual([]);
		expect(explained(120_000, { losses: { unanswered: new Set(['b']) } })).toEqual(['a']);
	});
});

describe('the work', () => {
	const of = (one: WorkDone, more: Given = {}) =>
		tally(remains({ known: { work: new Map([['e1', one]]) }, ...more }));

	it('is counted by its kind', () => {
		expect(of(done()).successes).toEqual(WORK.map((_, kind) => (kind === PARKED ? 1 : 0)));
		expect(of(done({ status: 'error' })).successes).toEqual(WORK.map(() => 0));
	});

	it.each([
		{ given: Array.from({ length: 19 }, () => 'completed'), isIncomplete: true },
		{
			given: Array.from({ length: 20 }, (_, n) => (n ? 'completed' : 'ongoing')),
			isIncomplete: true,
		},
		{ given: done().given, isIncomplete: false },
	])('is incomplete without a result for each item: $isIncomplete', ({ given, isIncomplete }) => {
		expect(of(done({ given })).incomplete).toEqual(isIncomplete ? ['e1'] : []);
	});

	it('of receipts needs no results', () => {
		const run = WORK.findIndex(({ waits }) => !waits);
		const executions = new Map([[run, 'e1']]);
		expect(of(done({ given: [undefined] }), { executions }).incomplete).toEqual([]);
	});

	it('is of the calm after the last kill only', () => {
		expect(of(done()).calm).toMatchObject({ executions: 1, succeeded: 1 });
		expect(of(done({ status: 'error' })).calm).toMatchObject({ executions: 1, succeeded: 0 });
		expect(of(done({ createdAt: 109_000 })).calm).toMatchObject({ executions: 0, succeeded: 0 });
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
