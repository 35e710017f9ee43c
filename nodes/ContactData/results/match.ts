import type { IDataObject } from 'n8n-workflow';
import { searchKey } from '../lookups/searches';
import type { Lookup, Search } from '../lookups/types';
import { verdictOf } from '../service/verdict';
import { contradicts, formsOf, mayBeOfOther, nameTold, repeatedSearch, wholeName } from './whose';

/** The searches that wait for a batch that has ended. */
export interface Batch {
	/** All different. `place` is that in the batch, from 0; left out where no index is to be trusted. */
	searches: ReadonlyArray<{ search: Search; key: string; place?: number }>;
	/** How many searches it was sent with; `undefined` where nobody knows. */
	count?: number;
}

interface Matching {
	/** The result of each search, by its position; `undefined` where the batch has none. */
	results: Array<IDataObject | undefined>;
	/** Results that belong to no search of the batch, as far as anybody knows. */
	unplaced: IDataObject[];
}

interface Listed {
	result: IDataObject;
	index?: number;
	/** Of the search that it repeats. */
	position?: number;
}

/** Finds the search that each result of a batch belongs to, by the rules 2, 3, 4 and 6 of whose a result is. */
export function matchResults(
	lookup: Lookup,
	batch: Batch,
	results: readonly IDataObject[],
): Matching {
	const listed = noteRepeated(lookup, batch, results);
	const atIndex = readIndexes(lookup, batch, listed);
	const found: Listed[][] = batch.searches.map(() => []);
	const unplaced: IDataObject[] = [];
	for (const entry of listed) {
		const position = entry.position ?? atIndex(entry);
		if (position === undefined) unplaced.push(entry.result);
		else if (position !== 'others') found[position]?.push(entry);
	}
	const matched = found.map((same) => {
		const isOneAnswer = new Set(same.map(({ result }) => answerOf(lookup, result))).size <= 1;
		// Rule 6: a place given to two is nobody's; of several numbers of one person the first is given.
		const isOnePerson =
			lookup.oneResultOfSeveral && same.every(({ position }) => position !== undefined);
		if (isOneAnswer || isOnePerson) return same[0]?.result;
		for (const { result } of same) unplaced.push(result);
		return undefined;
	});
	return { results: matched, unplaced };
}

/** Rule 2: what repeats a search is of that search; so is what tells the whole name of exactly one of them. */
function noteRepeated(
	lookup: Lookup,
	{ searches, count }: Batch,
	results: readonly IDataObject[],
): Listed[] {
	const positions = new Map(searches.map(({ key }, position) => [key, position]));
	const listed = results.map((result): Listed => {
		const key = searchKey(lookup, repeatedSearch(lookup, result));
		return { result, index: readIndex(result), position: positions.get(key) };
	});
	// Of a part of a batch nobody knows whether another search has the name, too.
	if (searches.length !== count) return listed;
	const isRepeated = new Set(listed.map(({ position }) => position));
	const named = new Map<string, Set<number>>();
	searches.forEach(({ search }, position) => {
		for (const form of formsOf(wholeName(lookup, search))) {
			named.set(form, (named.get(form) ?? new Set()).add(position));
		}
	});
	return listed.map((entry) => {
		if (entry.position !== undefined) return entry;
		const forms = formsOf(nameTold(lookup, entry.result));
		const [position, ...others] = new Set(forms.flatMap((form) => [...(named.get(form) ?? [])]));
		return others.length > 0 || isRepeated.has(position) ? entry : { ...entry, position };
	});
}

/** Rule 3: the index, from 0, of what repeats no search. No index counts where one is false or too high. */
function readIndexes(
	lookup: Lookup,
	{ searches, count = Infinity }: Batch,
	listed: readonly Listed[],
): (entry: Listed) => number | 'others' | undefined {
	const positions = new Map(
		searches.flatMap(({ place }, position) => (place === undefined ? [] : [[place, position]])),
	);
	const isRight = ({ index, position }: Listed) =>
		index === undefined ||
		(index < count && (position === undefined || positions.get(index) === position));
	if (positions.size === 0 || !listed.every(isRight)) return () => undefined;
	return ({ index, result }) => {
		if (index === undefined) return undefined;
		const position = positions.get(index);
		const sought = searches[position ?? -1];
		if (position === undefined || sought === undefined) return 'others';
		// Of a part of a batch nobody knows the other searches.
		if (searches.length !== count && mayBeOfOther(lookup, sought.search, result)) return undefined;
		// Rule 4.
		return contradicts(lookup, sought.search, result) ? undefined : position;
	};
}

function readIndex({ index }: IDataObject): number | undefined {
	const number = typeof index === 'string' && /^\d{1,9}$/.test(index) ? Number(index) : index;
	return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : undefined;
}

/** Equal for those that say the same: its verdict, and what it has found. */
function answerOf(lookup: Lookup, result: IDataObject): string {
	const values = lookup.columns.found.map((name) => result[name]);
	return JSON.stringify([verdictOf(lookup, result), values]);
}
