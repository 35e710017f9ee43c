import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import type { Lookup, Size } from '../../../nodes/ContactData/lookups/types.ts';
import type { ToolCall } from '../../../nodes/ContactData/run/toolCall.ts';
import { Ledger } from '../../../nodes/ContactData/orders/ledger.ts';
import { Bill } from '../../../nodes/ContactData/orders/bill.ts';
import type { Limits } from '../../../nodes/ContactData/orders/limits.ts';
import { brakeOf, limitsOf, tooManyForTool } from '../../../nodes/ContactData/orders/limits.ts';
import type { Cost, Fate, Order } from '../../../nodes/ContactData/orders/order.ts';
import { accepted } from '../../../nodes/ContactData/orders/order.ts';
import { ExecutionNotes } from '../../../nodes/ContactData/run/saved.ts';
import { settingsFor } from '../../support/rows.mts';

const { emailFinder, emailVerifier, phoneFinder } = lookups;

interface Given {
	lookup?: Lookup;
	size?: Size;
	cap?: number;
	/** Of the account. */
	balance?: number;
	sent?: Order[];
	/** By an earlier try of the run, or other calls of a tool. */
	before?: Cost;
	isTool?: boolean;
	/** On Error is Continue. */
	continues?: boolean;
	/** Default another account for each. */
	fingerprint?: string;
}
const NONE: Cost = { credits: 0, inDoubt: 0 };
const CALL: ToolCall = {
	endsAt: Infinity,
	readsEndAt: Infinity,
	timeUp: new AbortController().signal,
	isOfAgent: true,
};

let accounts = 0;

/** A run that has recorded what it has sent. */
function runOf(given: Given) {
	const { lookup = phoneFinder, size = 'single', cap, sent = [], isTool = false } = given;
	const { fingerprint = `account ${++accounts}` } = given;
	const account = { fingerprint, baseUrl: '', requestsPerSecond: 10, redact: String };
	const run = {
		continueOnFail: given.continues === true,
		settings: settingsFor(lookup, size, { maxCredits: cap }),
		connection: { account, send: async () => await Promise.resolve({}) },
		saved: { node: {}, flow: {}, executionId: '1', loopTurn: '0' },
		notes: new ExecutionNotes(undefined, {}),
		...(isTool && { call: CALL }),
	};
	const ledger = new Ledger(run);
	for (const order of sent) ledger.record(order, order.fate);
	return run;
}

function limitsWith(given: Given): Limits {
	const { balance, before = NONE, sent = [] } = given;
	const bill = new Bill();
	for (const order of sent) bill.enter(order);
	return limitsOf(runOf(given), { balance, cost: before }, bill);
}

function order(fate: Fate, more: Partial<Order> = {}): Order {
	return { origin: 'new', size: 'single', entries: [], count: 1, fate, ...more };
}
const paid = (credits?: number, more?: Partial<Order>) =>
	order(accepted('an-id', { credits_used: credits }), more);
const unknown = (more?: Partial<Order>) => order({ kind: 'unknown', reason: 'lost' }, more);

const CLAIMED = order({ kind: 'claimed' });
const PAIR: Partial<Order> = { size: 'bulk', count: 2 };

describe('how many more searches fit', () => {
	it.for<[what: string, given: Given, room: number]>([
		['no cap: all', {}, Infinity],
		['the usual price', { cap: 149 }, 2],
		['the usual price of an email', { lookup: emailFinder, cap: 10 }, 10],
		['the documented price', { lookup: emailVerifier, cap: 1 }, 4],
		['a price above the documented one', { lookup: emailVerifier, cap: 1, sent: [paid(0.5)] }, 1],
		['a price that was learned', { lookup: emailFinder, cap: 10, sent: [paid(2)] }, 4],
		['the price of a batch', { cap: 200, sent: [paid(90, { size: 'bulk', count: 2 })] }, 2],
		['a batch of which a part was charged', { cap: 100, sent: [paid(20, PAIR)] }, 1],
		['and after a single one', { cap: 300, sent: [paid(60), paid(90, PAIR)] }, 2],
		['a single one tells that it has fallen', { cap: 220, sent: [paid(60), paid(40)] }, 3],
		['three times 1.1', { lookup: emailFinder, cap: 3.3, sent: [paid(1.1)] }, 2],
		['a free search tells no price', { cap: 100, sent: [paid(0)] }, 2],
		['one in doubt counts as charged', { cap: 150, sent: [paid(50), unknown()] }, 1],
		['so does one under way', { cap: 150, sent: [paid(50), order({ kind: 'sending' })] }, 1],
		['and one that waits to be sent again', { cap: 150, sent: [paid(50), CLAIMED] }, 1],
		['and one that does not tell what it cost', { cap: 150, sent: [paid(50), paid()] }, 1],
		['by the usual price no cap is kept once one is in doubt', { cap: 100, sent: [unknown()] }, 0],
		['an earlier try of the execution', { cap: 100, before: { credits: 50, inDoubt: 0 } }, 1],
		['what was refused costs nothing', { cap: 100, sent: [order({ kind: 'halted' })] }, 2],
		['a cap of 0', { cap: 0 }, 0],
		['the balance at a documented price', { lookup: emailVerifier, cap: 9, balance: 0.6 }, 2],
		[
			'and not less what was paid before it was read',
			{ lookup: emailVerifier, balance: 0.6, before: { credits: 0.25, inDoubt: 0 } },
			2,
		],
		['less what was sent', { lookup: emailVerifier, balance: 0.6, sent: [paid(0.25)] }, 1],
		['the balance at the lowest price', { cap: 900, balance: 90 }, 2],
		['less what is in doubt', { balance: 90, sent: [unknown()] }, 1],
		[
			'other calls of a tool',
			{ lookup: emailVerifier, cap: 1, before: { credits: 0.25, inDoubt: 1 } },
			2,
		],
	])('%s', ([, given, room]) => {
		expect(limitsWith(given).room).toBe(room);
	});
});

describe('why no more are started', () => {
	const SPENT = { before: { credits: 80, inDoubt: 0 } };
	it.for<[searches: number, given: Given, message: string | undefined, description?: string]>([
		[2, { cap: 100 }, undefined],
		[0, { cap: 0 }, undefined],
		[
			4,
			{ cap: 100 },
			"'Max Credits' of 100 does not cover 4 phone searches at the usual 50 credits each (200 credits)",
			"Nothing was charged for those. Raise 'Max Credits' in Options to 200, or send fewer items.",
		],
		[
			3,
			{ cap: 100, sent: [paid(50)] },
			"'Max Credits' of 100 is reached: this run has spent 50, and the other 3 phone searches would cost 150",
			"Nothing was charged for those. Raise 'Max Credits' in Options to 150.",
		],
		[
			1,
			{ cap: 100, sent: [paid(50), paid(50)], continues: true },
			"'Max Credits' of 100 is reached: this run has spent 100, and the other phone search would cost 50",
			"Nothing was charged for that one. The next run may spend 'Max Credits' anew, and pays only for this one.",
		],
		[
			1,
			{ cap: 100, sent: [paid(50), unknown()] },
			"'Max Credits' of 100 is reached: this run has spent 50, and perhaps 50 more, and the other phone search would cost 50",
			'Nothing was charged for that one.',
		],
		[
			3,
			{ cap: 100, sent: [unknown()] },
			"'Max Credits' of 100 cannot be kept, because nobody knows what the first phone search has cost",
			'Nothing was charged for those. A later run learns the price from another search.',
		],
		[
			1,
			{ cap: 100, isTool: true, ...SPENT },
			"'Max Credits' of 100 is reached: the calls of this execution have spent 80, and the other phone search would cost 50",
			'Nothing was charged for that one. Go on with the results that there are; only the user can raise it.',
		],
		[
			1,
			{ lookup: emailFinder, cap: 0 },
			"'Max Credits' of 0 does not cover 1 email search at the usual 1 credit each (1 credit)",
			"Nothing was charged for that one. 0 lets nothing be spent. Raise 'Max Credits' in Options to 1.",
		],
		[
			5,
			{ balance: 180 },
			"The account's balance of 180 credits does not cover 5 phone searches even at the lowest price of 40 credits each (200 credits)",
			'Nothing was charged for those. Add credits to your account, or send fewer items.',
		],
		[
			1,
			{ cap: 100, sent: [paid()] },
			"'Max Credits' of 100 cannot be kept, because the service does not say what the first phone search has cost",
			"Nothing was charged for that one. To search without a cap, take 'Max Credits' out of Options.",
		],
		[
			3,
			{ lookup: emailVerifier, balance: 0.5 },
			"The account's balance of 0.5 credits does not cover 3 email verifications at 0.25 credits each (0.75 credits)",
			'Nothing was charged for those. Add credits to your account, or send fewer items.',
		],
		[
			3,
			{ lookup: emailVerifier, balance: 0.5, sent: [paid(0.25)], continues: true },
			"The account's balance of 0.25 credits does not cover 3 email verifications at 0.25 credits each (0.75 credits)",
			'Nothing was charged for those. Add credits to your account. Then send only the items with this error.',
		],
	])('%i more: %j: %s', ([searches, given, message, description]) => {
		const problem = limitsWith(given).objection(searches);
		expect([problem?.message, problem?.description]).toEqual([message, description]);
	});

	it('a tool without a cap starts at most 25', () => {
		const ofTool = (more: Given) => runOf({ isTool: true, ...more });
		expect(tooManyForTool(ofTool({}), 25)).toBeUndefined();
		expect(tooManyForTool(ofTool({}), 26)?.message).toContain('at most 25 searches');
		expect(tooManyForTool(ofTool({ cap: 9_999 }), 26)).toBeUndefined();
		expect(tooManyForTool(runOf({}), 26)).toBeUndefined();
	});
});

it('a price is remembered for a day, by account and lookup, and not by size', () => {
	const account = { lookup: emailFinder, fingerprint: 'remembers' };
	runOf({ ...account, size: 'bulk', sent: [paid(6, { size: 'bulk', count: 3 })] });
	expect(limitsWith(account).price).toEqual({ credits: 2, source: 'charged' });
	const USUAL = { credits: 1, source: 'usual' };
	expect(limitsWith({ ...account, fingerprint: 'another' }).price).toEqual(USUAL);
	expect(limitsWith({ ...account, lookup: phoneFinder }).price.source).toBe('usual');
	const later = performance.now() + 86_400_000;
	const clock = vi.spyOn(performance, 'now').mockReturnValue(later);
	onTestFinished(() => clock.mockRestore());
	expect(limitsWith(account).price).toEqual(USUAL);
});

it.for<[what: string, given: Given, searches: number, orders: number]>([
	['one goes alone until the service accepts any', {}, Infinity, 1],
	['then all', { sent: [paid(50)] }, Infinity, Infinity],
	['one tells the price to a cap', { cap: 200 }, 1, 1],
	['then all that fit', { cap: 200, sent: [paid(50)] }, 3, Infinity],
	['one more where one was free', { cap: 200, sent: [paid(0)] }, 1, 1],
])('%s', ([, given, searches, orders]) => {
	const { searchesAtOnce, ordersAtOnce } = limitsWith(given);
	expect([searchesAtOnce, ordersAtOnce]).toEqual([searches, orders]);
});

it.for<[Order[], boolean]>([
	[[unknown(), unknown()], false],
	[[unknown(), unknown(), unknown()], true],
	[[unknown({ size: 'bulk' })], true],
])('the brake, by how many are of unknown fate in the execution: %j', ([sent, isOn]) => {
	expect(brakeOf(runOf({ sent })) !== undefined).toBe(isOn);
});

it('what a thousand orders cost is a sum that runs: each is looked at when it is entered, and not again', () => {
	const run = runOf({ cap: 1_000_000 });
	const bill = new Bill();
	let looks = 0;
	for (let sent = 0; sent < 1_000; sent++) {
		expect(limitsOf(run, { cost: NONE }, bill).objection(1)).toBeUndefined();
		const counted = new Proxy(paid(1), {
			get: (one, name) => (looks++, Reflect.get(one, name) as unknown),
		});
		bill.enter(counted);
	}
	expect(bill.cost.credits).toBe(1_000);
	expect(looks).toBeLessThan(20_000);
});
