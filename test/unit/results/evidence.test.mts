import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { expect, it } from 'vitest';
import type { Output } from '../../../nodes/ContactData/input/rows.ts';
import { lookups, type LookupName } from '../../../nodes/ContactData/lookups/index.ts';
import type { Search, Size } from '../../../nodes/ContactData/lookups/types.ts';
import { noteShown } from '../../../nodes/ContactData/orders/order.ts';
import { collect } from '../../../nodes/ContactData/results/collect.ts';
import { readBulkState, readSingleState } from '../../../nodes/ContactData/service/state.ts';
import { orderOf, rowsFor } from '../../support/rows.mts';
import { LOOKUP_NAMES } from '../../support/searches.mts';

// Answers in which some facts are missing and some are false: a result is given only where no fact speaks
// against it, and whatever is not given is an error with the id. The facts are known here, and not read back.
// DRAWN=30000 in the environment draws so many, and prints what became of them.

const ID = 'abc-1';
const { DRAWN } = process.env;
const RUNS = Number(DRAWN ?? 3_000);

/** What an answer says of whose it is, of whether it is over, and of whom it does not list. */
const FACTS = [
	...['ownId', 'requested', 'index', 'echo', 'name', 'company'],
	...['word', 'finished', 'entries', 'found', 'refund'],
] as const;
type Fact = (typeof FACTS)[number];
type Told = 'true' | 'missing' | 'false';

interface Drawn {
	lookupName: LookupName;
	size: Size;
	/** Whether each of the people is found. */
	found: boolean[];
	isOver: boolean;
	facts: Record<Fact, Told>;
	/** Which of its false forms a false fact has. */
	form: number;
}

const drawn: fc.Arbitrary<Drawn> = fc
	.record({
		lookupName: fc.constantFrom(...LOOKUP_NAMES),
		size: fc.constantFrom<Size>('single', 'bulk', 'bulk', 'bulk'),
		found: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
		isOver: fc.boolean(),
		missing: fc.subarray([...FACTS], { maxLength: 3 }),
		wrong: fc.subarray([...FACTS], { maxLength: 2 }),
		form: fc.nat(1),
	})
	.map(({ missing, wrong, found, ...one }) => ({
		...one,
		found: one.size === 'single' ? found.slice(0, 1) : found,
		facts: Object.fromEntries(
			FACTS.map((fact) => {
				const told = missing.includes(fact) ? 'missing' : 'true';
				return [fact, wrong.includes(fact) ? 'false' : told];
			}),
		) as Record<Fact, Told>,
	}));

const PEOPLE = [
	['Ada Hart', 'acme'],
	['Bob Stone', 'bolt'],
	['Cem Low', 'cone'],
	['Dee Marsh', 'dune'],
] as const;
const personOf = (n: number) => PEOPLE[n] ?? (['Zoe Quill', 'zink'] as const);
/** No batch is so large. */
const STRANGER = 9;

function searchOf(name: LookupName, n: number): Search {
	const [fullname, company] = personOf(n);
	const handle = fullname.toLowerCase().replace(' ', '-');
	const searches: Record<LookupName, Search> = {
		emailFinder: { fullname, company_domain: `${company}.example` },
		emailVerifier: { email: `${handle}@${company}.example` },
		phoneFinder: { socialprofile_url: `https://www.linkedin.com/in/${handle}` },
	};
	return searches[name];
}

/** The answer, and whose each of its entries is said to be: by its echo, and by its index. */
function answerOf({ lookupName, size, found, isOver, facts, form }: Drawn) {
	const lookup = lookups[lookupName];
	const count = found.length;
	const isTold = (fact: Fact) => facts[fact] !== 'missing';
	const isWrong = (fact: Fact) => facts[fact] === 'false';
	const isPhone = lookup.name === 'phoneFinder';
	const next = (n: number) => (form === 0 && count > 1 ? (n + 1) % count : STRANGER);
	const saidBy = (fact: 'echo' | 'index', n: number) =>
		isTold(fact) ? (isWrong(fact) ? next(n) : n) : undefined;

	/** Of what still runs the first is there. */
	const isEnded = (n: number) =>
		isOver ? !(isWrong('entries') && n === 0) : size === 'bulk' && n === 0;
	const qualificationOf = (n: number) => {
		if (!isTold('entries')) return undefined;
		if (!isEnded(n)) return !isOver && isWrong('entries') ? MISSED[lookupName] : 'ongoing';
		return found[n] ? FOUND[lookupName] : MISSED[lookupName];
	};
	const entryOf = (n: number): IDataObject => {
		const echoed = saidBy('echo', n);
		const isThere = found[n] === true && isEnded(n);
		const who = isWrong('name') ? STRANGER : n;
		const at = isWrong('company') ? STRANGER : n;
		const index = saidBy('index', n);
		return {
			truth: n,
			...(size === 'bulk' && index !== undefined && { index }),
			...(echoed !== undefined && lookup.toEcho(searchOf(lookupName, echoed))),
			...(isPhone && isThere && { number: `+49${n}` }),
			...(lookup.name === 'emailFinder' && {
				email: isThere ? `${n}@x.example` : null,
				...(isThere && {
					info: {
						...(isTold('name') && { fullname: personOf(who)[0] }),
						...(isTold('company') && { company_domain: `${personOf(at)[1]}.example` }),
					},
				}),
			}),
			qualification: qualificationOf(n),
		};
	};
	const all = found.map((_, n) => n);
	const listed = isPhone && size === 'bulk' ? all.filter((n) => found[n] || !isEnded(n)) : all;
	const word = isOver === isWrong('word') ? ['processing', 'analyzing'][form] : 'completed';
	const id = isTold('ownId') ? (isWrong('ownId') ? 'xyz-9' : ID) : undefined;
	const status = isTold('word') ? word : undefined;
	const misses = found.filter((one) => !one).length;
	const done = isOver ? count : 1;
	const stats = {
		...(isTold('requested') && { requested: count + (isWrong('requested') ? 1 - 2 * form : 0) }),
		...(isTold('finished') && { finished: isWrong('finished') ? count + 1 - done : done }),
		...(isPhone &&
			isOver &&
			isTold('found') && { found: isWrong('found') ? count : count - misses }),
		...(isPhone &&
			isOver &&
			isTold('refund') && {
				credits_cost: 50 * count,
				credits_to_refund: isWrong('refund') ? 0 : 50 * misses,
			}),
	};
	const entries = listed.map(entryOf);
	const body: IDataObject =
		size === 'bulk'
			? { general: { id, status }, stats, results: entries }
			: { ...entries[0], id, status };
	return { body, entries, listed, stats, status, saidBy };
}

const FOUND: Record<LookupName, string> = {
	emailFinder: 'valid',
	emailVerifier: 'valid',
	phoneFinder: 'found',
};
const MISSED: Record<LookupName, string> = {
	emailFinder: 'invalid',
	emailVerifier: 'invalid',
	phoneFinder: 'not_found',
};

function outputsOf({ lookupName, size, found }: Drawn, body: IDataObject): Output[][] {
	const lookup = lookups[lookupName];
	const rows = rowsFor(
		lookup,
		found.map((_, n) => searchOf(lookupName, n)),
	);
	const order = orderOf(size, ID, rows);
	const read = size === 'bulk' ? readBulkState : readSingleState;
	const shown = read(200, body, { lookup, id: ID, sent: rows.length });
	// So it is when a fault has been believed.
	noteShown(order, shown.kind === 'fault' ? { ...shown, fault: 'lasting' } : shown);
	collect({ lookup, isSplit: true, timeout: { timeoutMs: 1, isAtLimit: false } }, [order]);
	return rows.map(({ outputs }) => outputs);
}

/**
 * The facts that speak against giving an entry as the result of a search, by its position; or against
 * saying that it was not found, where none is given.
 */
function against(one: Drawn, position: number, truth: number | undefined): Fact[] {
	const answer = answerOf(one);
	const said = [
		...againstEnd(one, answer, truth),
		...(truth === undefined
			? againstUnlisted(one, answer)
			: againstOwner(one, answer, position, truth)),
	];
	return said.filter((fact) => fact !== undefined);
}

type Answer = ReturnType<typeof answerOf>;
type Said = Array<Fact | undefined>;

/** Gives the fact where it speaks. */
const where = (speaks: boolean, fact: Fact) => (speaks ? fact : undefined);

function againstEnd(one: Drawn, { entries, listed, stats, status }: Answer, truth?: number): Said {
	const { lookupName, size, found } = one;
	const count = found.length;
	const { finished = Infinity, requested = count } = stats;
	const entry = entries.find((each) => each.truth === truth);
	const verdict = entry?.qualification;
	const value = lookupName === 'emailVerifier' ? undefined : (entry?.number ?? entry?.email);
	const isFound =
		verdict === FOUND[lookupName] || (verdict === undefined && typeof value === 'string');
	const ended = entries.filter(
		({ qualification: word }) => word !== 'ongoing' && word !== undefined,
	);
	const isList = size === 'bulk';
	const isMissed = verdict === MISSED[lookupName];
	const isWordless = isList && status === undefined;
	return [
		where(status === 'processing', 'word'),
		// One who was found is, whatever else is said of the search.
		where(status === 'analyzing' && (isList || !isFound), 'word'),
		where(entry !== undefined && !isFound && !isMissed, 'entries'),
		where(isList && isMissed && finished < ended.length, 'finished'),
		where(isWordless && finished < Math.max(requested, count), 'finished'),
		where(isWordless && lookupName !== 'phoneFinder' && listed.length < requested, 'requested'),
	];
}

function againstUnlisted({ facts, found }: Drawn, { listed, stats }: Answer): Said {
	const count = found.length;
	const isRefunded = stats.credits_to_refund === 50 * (count - listed.length);
	const isCounted = stats.found === listed.length;
	return [
		where(facts.ownId === 'false', 'ownId'),
		where(facts.requested === 'false', 'requested'),
		where((stats.finished ?? Infinity) < count, 'finished'),
		where(stats.found !== undefined && !isCounted, 'found'),
		where(!isRefunded && !isCounted, 'refund'),
	];
}

function againstOwner(one: Drawn, answer: Answer, position: number, truth: number): Said {
	const { facts, found, size } = one;
	const hasInfo = answer.entries.find((each) => each.truth === truth)?.info !== undefined;
	const isOtherName = hasInfo && facts.name === 'false';
	const isOtherCompany = hasInfo && facts.company === 'false';
	const isOther = where(isOtherName && isOtherCompany, 'company');
	const echoed = answer.saidBy('echo', truth);
	// What repeats the search is its result, wherever it stands.
	if (echoed !== undefined) return [isOther, where(echoed !== position, 'echo')];
	if (size === 'single') {
		const isVouchedFor = hasInfo && facts.name === 'true' && !isOtherCompany;
		return [isOther, where(facts.ownId === 'false' && !isVouchedFor, 'ownId')];
	}
	return [
		isOther,
		where(facts.ownId === 'false', 'ownId'),
		where(isOtherName, 'name'),
		where(facts.requested === 'false', 'requested'),
		where(found.length > 1 && answer.saidBy('index', truth) !== position, 'index'),
	];
}

it('a result is given only where no fact speaks against it, and all else is an error with the id', () => {
	const answers = { 'all given': 0, 'some given': 0, 'none given': 0 };
	const outcomes = { right: 0, 'of another, by what is false alone': 0, errors: 0 };
	const property = fc.property(drawn, (one) => {
		const told = Object.values(one.facts);
		const outputs = outputsOf(one, answerOf(one).body);
		outputs.forEach((ofRow, position) => {
			const [output, ...others] = ofRow;
			expect(others).toEqual([]);
			if (output?.kind === 'failure') {
				expect(output.ids).toEqual(one.size === 'bulk' ? { batch_id: ID } : { id: ID });
				expect(output.problem.message).not.toBe('');
				outcomes.errors++;
				return;
			}
			expect(output).toMatchObject({ kind: 'result', json: { status: 'completed' } });
			const { truth, found } = output?.json ?? {};
			const owner = typeof truth === 'number' ? truth : undefined;
			expect(against(one, position, owner)).toEqual([]);
			const isRight = owner === undefined || owner === position;
			// Nobody can know better where the search or the place of another is told.
			if (!isRight) expect([one.facts.echo, one.facts.index]).toContain('false');
			if (!told.includes('false')) expect([isRight, found]).toEqual([true, one.found[position]]);
			outcomes[isRight ? 'right' : 'of another, by what is false alone']++;
		});
		const given = outputs.flat().filter(({ kind }) => kind !== 'failure').length;
		const part = given === outputs.length ? 'all' : given === 0 ? 'none' : 'some';
		answers[`${part} given`]++;
	});
	fc.assert(property, { numRuns: RUNS });
	if (DRAWN !== undefined) console.log(answers, outcomes);
	for (const count of Object.values(answers)) expect(count).toBeGreaterThan(RUNS / 50);
});

it('all that is told truly is given', () => {
	fc.assert(
		fc.property(drawn, (one) => {
			const facts = Object.fromEntries(FACTS.map((fact) => [fact, 'true'])) as Drawn['facts'];
			const right = { ...one, facts, isOver: true };
			const outputs = outputsOf(right, answerOf(right).body).flat();
			expect(outputs.map((output) => output.kind !== 'failure' && output.json.found)).toEqual(
				right.found,
			);
		}),
	);
});
