import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Slots, type Turn } from '../../../nodes/ContactData/service/slots.ts';

beforeEach(() => {
	// No jitter.
	vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
	vi.restoreAllMocks();
});

/** Takes each turn as it opens, until a moment; the answer comes at once. */
function takeAll(slots: Slots, fromMs: number, toMs: number, isTaken: (turn: Turn) => boolean) {
	const turns: Turn[] = [];
	for (let now = fromMs; ;) {
		now = Math.max(now, slots.opensAt(now));
		if (now > toMs) return turns;
		const turn = slots.take(now);
		turns.push(turn);
		slots.answered(turn, now);
		if (isTaken(turn)) slots.taken(turn, now);
		else slots.refused(turn, now, 0);
	}
}

const always = () => true;
const noTries = ({ isTry }: Turn) => !isTry;
const at = (turns: readonly Turn[]) => turns.map((turn) => turn.at);

/** A process that has been alone, and hears of others with its eleventh request. */
function amongOthers() {
	const slots = new Slots(10);
	const before = takeAll(slots, 0, 1_000, always);
	const [told] = takeAll(slots, 1_001, 1_050, () => false);
	return { slots, before, told };
}

/** How often it is refused one slot more while it has so many, when it never gets one. */
function refusalsUntilNone(slots: Slots, fromMs: number): (slots: number) => number {
	const turns = takeAll(slots, fromMs, fromMs + 300_000, noTries);
	const own = at(turns.filter(noTries));
	const had = turns
		.filter(({ isTry }) => isTry)
		.map((turn) => own.filter((time) => time < turn.at && time >= turn.at - 1_006).length);
	return (slots) => had.filter((count) => count === slots).length;
}

describe('alone', () => {
	it('no second has more than ten, and they are evenly spaced', () => {
		const times = at(takeAll(new Slots(10), 0, 10_000, always));
		expect(times.length).toBeGreaterThanOrEqual(99);
		times.slice(10).forEach((time, index) => expect(time - times[index]).toBeGreaterThan(1_000));
		times
			.slice(1)
			.forEach((time, index) => expect(time - times[index]).toBeGreaterThanOrEqual(100));
	});

	it('nothing is a try for more', () => {
		expect(takeAll(new Slots(10), 0, 5_000, always).filter(({ isTry }) => isTry)).toEqual([]);
	});
});

describe('among others', () => {
	it('uses each of its slots again as soon as it is free, and no other', () => {
		const { slots, before } = amongOthers();
		const own = at(takeAll(slots, 1_050, 4_000, noTries));
		const free = new Set(at(before).map((time) => time + 1_006));
		for (const time of own) {
			expect(free).toContain(time);
			free.add(time + 1_006);
		}
	});

	it('waits for a slot until the service must have counted its second', () => {
		const slots = new Slots(1);
		const turn = slots.take(0);
		slots.answered(turn, 30);
		const late = slots.take(1_006);
		slots.answered(late, 1_006 + 30 + 70);
		expect(slots.opensAt(1_200)).toBeCloseTo(1_006 + 1_006 + 70, 0);
	});

	it('tries for one more each 4.4 s on average, as long as it is refused', () => {
		const { slots } = amongOthers();
		const tries = takeAll(slots, 1_050, 20_000, noTries).filter(({ isTry }) => isTry);
		const gaps = at(tries.slice(1)).map((time, index) => time - tries[index].at);
		expect(tries.length).toBeGreaterThan(2);
		for (const gap of gaps) {
			expect(gap).toBeGreaterThanOrEqual(4_400);
			// Its own slots go first.
			expect(gap).toBeLessThan(5_500);
		}
	});

	it('gives a slot up after the more refusals in a row the fewer it has', () => {
		const refusals = refusalsUntilNone(amongOthers().slots, 1_050);
		expect([4, 3, 2, 1].map(refusals)).toEqual([2, 3, 4, 5]);
	});

	it('hurries more with each try in a row that is taken', () => {
		const { slots } = amongOthers();
		takeAll(slots, 1_050, 60_000, noTries);
		const tries = takeAll(slots, 60_000, 90_000, always).filter(({ isTry }) => isTry);
		const gaps = at(tries.slice(1)).map((time, index) => time - tries[index].at);
		// 4.4 s, more or less by half: a half of it, an eighth, a thirty-second.
		expect(gaps[0]).toBeLessThan(2_400);
		expect(gaps[1]).toBeLessThan(850);
		expect(gaps[2]).toBeLessThan(300);
	});

	it('has the whole limit soon after the others have gone', () => {
		const { slots } = amongOthers();
		takeAll(slots, 1_050, 60_000, noTries);
		const times = at(takeAll(slots, 60_000, 75_000, always));
		expect(times.filter((time) => time > 70_000).length).toBeGreaterThanOrEqual(48);
	});

	it('takes several refusals at once for one sign', () => {
		const [one, many] = [new Slots(10), new Slots(10)];
		for (const slots of [one, many]) takeAll(slots, 0, 1_000, always);
		const sent = [0, 1, 2].map((index) => many.take(1_010 + 101 * index));
		const [first] = [one.take(1_010)];
		one.refused(first, 1_300, 0);
		for (const turn of sent) many.refused(turn, 1_300, 0);
		const of = (slots: Slots) => takeAll(slots, 1_300, 2_400, noTries).filter(noTries).length;
		// Two slots fewer, as they were not taken; nothing is given up for them besides.
		expect(of(one) - of(many)).toBeLessThanOrEqual(3);
	});

	it('keeps all waiting that long when it is told to', () => {
		const { slots } = amongOthers();
		const turn = slots.take(1_110);
		slots.refused(turn, 1_110, 5_000);
		expect(slots.opensAt(1_200)).toBe(6_110);
	});

	it('is alone again, as far as it knows, after a quarter of a minute without work', () => {
		const { slots } = amongOthers();
		takeAll(slots, 1_050, 30_000, noTries);
		const few = takeAll(slots, 44_000, 45_000, always).length;
		expect(few).toBeLessThanOrEqual(5);
		expect(takeAll(slots, 61_000, 61_999, always)).toHaveLength(10);
	});
});

describe('without a slot', () => {
	it('asks again after delays that double, up to a few seconds', () => {
		const turns = at(takeAll(new Slots(10), 0, 30_000, () => false));
		const gaps = turns.slice(1).map((time, index) => time - turns[index]);
		expect(gaps.slice(0, 6)).toEqual([375, 750, 1_500, 2_625, 2_625, 2_625]);
	});
});

describe('without a slot again', () => {
	/** The delays after a single one that was taken, which had been refused for long. */
	function delaysAfter(perSecond: number, fromMs: number) {
		const slots = new Slots(perSecond);
		takeAll(slots, 0, 10_000, () => false);
		let now = fromMs;
		while (takeAll(slots, now, now, always).length === 0) now++;
		const turns = at(takeAll(slots, now + 2_000, now + 60_000, () => false));
		return turns.slice(1).map((time, index) => time - turns[index]);
	}

	it('begins with short delays where it was alone meanwhile', () => {
		expect(delaysAfter(10, 30_000).slice(0, 4)).toEqual([375, 750, 1_500, 2_625]);
	});

	it('goes on with long ones where it was not', () => {
		expect(new Set(delaysAfter(2, 10_001))).toEqual(new Set([2_625]));
	});
});

describe('in a crowd, where it had no slot for long', () => {
	/** A process that has just got that many slots, after so many refusals. */
	function withSlots(count: number, refusals: number) {
		const slots = new Slots(10);
		return { slots, now: getSlots(slots, 0, count, refusals) };
	}

	function getSlots(slots: Slots, fromMs: number, count: number, refusals: number): number {
		let [asked, had, now] = [0, 0, fromMs];
		const isTaken = ({ isTry }: Turn) => {
			if (asked++ < refusals) return false;
			if (isTry) had++;
			return true;
		};
		while (had < count) takeAll(slots, now, ++now, isTaken);
		return now;
	}

	function refusalsAtOne(count: number, refusals: number) {
		const { slots, now } = withSlots(count, refusals);
		return refusalsUntilNone(slots, now)(1);
	}

	it('gives its slot up after fewer refusals', () => {
		expect([5, 6].map((refusals) => refusalsAtOne(1, refusals))).toEqual([5, 3]);
	});

	it('tries for a second one less often', () => {
		const secondAfter = (refusals: number) => {
			const { slots, now } = withSlots(1, refusals);
			const [first, second] = takeAll(slots, now, now + 60_000, noTries).filter(
				({ isTry }) => isTry,
			);
			return second.at - first.at;
		};
		expect(secondAfter(6) / secondAfter(5)).toBeGreaterThan(3);
	});

	it('is out of it with three slots', () => {
		expect(refusalsAtOne(3, 6)).toBeGreaterThanOrEqual(5);
	});

	it('is out of it when it has been idle, also where others turn up at once', () => {
		const { slots, now } = withSlots(1, 6);
		const againMs = getSlots(slots, now + 30_000, 1, 1);
		expect(refusalsUntilNone(slots, againMs)(1)).toBe(5);
	});

	it('does not count refusals from before it was idle', () => {
		const { slots, now } = withSlots(1, 5);
		takeAll(slots, now, now + 60_000, noTries);
		const againMs = getSlots(slots, now + 120_000, 1, 5);
		expect(refusalsUntilNone(slots, againMs)(1)).toBe(5);
	});

	it.for([2, 3])('uses a third at least of one a second where its limit is %i', (perSecond) => {
		const slots = new Slots(perSecond);
		const taken: number[] = [];
		const answers: Array<{ turn: Turn; isTaken: boolean }> = [];
		for (let now = 0; now < 635_000; now++) {
			for (const { turn, isTaken } of answers.filter(({ turn }) => turn.at + 100 === now)) {
				slots.answered(turn, now);
				if (isTaken) slots.taken(turn, now);
				else slots.refused(turn, now, 0);
			}
			if (slots.opensAt(now) > now) continue;
			const turn = slots.take(now);
			// After a time in which it takes none.
			const isTaken = now >= 35_000 && now - (taken.at(-1) ?? 0) >= 1_000;
			if (isTaken) taken.push(now);
			answers.push({ turn, isTaken });
		}
		expect(taken.length / 600).toBeGreaterThan(0.33);
	});
});

describe('a limit', () => {
	it.for([1, 3, 40, 200])('of %i a second is kept, and used', (perSecond) => {
		const times = at(takeAll(new Slots(perSecond), 0, 10_000, always));
		times
			.slice(perSecond)
			.forEach((time, index) => expect(time - times[index]).toBeGreaterThan(1_000));
		expect(times.length).toBeGreaterThan(9.8 * perSecond);
	});

	it('that is lowered counts at once, and one that is raised too', () => {
		const slots = new Slots(10);
		takeAll(slots, 0, 2_000, always);
		slots.limitTo(4);
		expect(takeAll(slots, 2_000, 5_999, always).length).toBeLessThanOrEqual(17);
		slots.limitTo(20);
		expect(takeAll(slots, 6_000, 7_999, always).length).toBeGreaterThanOrEqual(38);
	});

	/** Uses its own slots only for three seconds: how many requests it sends in each. */
	const perSecondOf = (slots: Slots) =>
		takeAll(slots, 1_100, 4_099, noTries).filter(noTries).length / 3;

	it.for([4, 9, 20, 40])('that is set to %i while it shares leaves the others their part', (to) => {
		const usual = perSecondOf(amongOthers().slots);
		const { slots } = amongOthers();
		slots.limitTo(to);
		expect(perSecondOf(slots)).toBeLessThanOrEqual(Math.min(usual, to) + 1 / 3);
	});
});
