import type { IDataObject } from 'n8n-workflow';
import { asText, isRecord } from '../common/values';
import type { Lookup, Search } from '../lookups/types';
import { searchKey } from '../lookups/same';
import { isFound } from './items';
import { isOfAnotherAddress, isOfAnotherPerson } from './otherSearch';

/** A search that waits for its result. */
export interface Sought {
	search: Search;
	key: string;
}

/** The searches that wait for a finished batch. */
export interface Batch {
	/** All different. */
	searches: readonly Sought[];
	/** Which of the batch's entries each of them was, from 0; `undefined` where nobody knows the order. */
	places?: readonly number[];
	/** The number of entries that were sent; `undefined` where nobody knows it. */
	size?: number;
	/** Whether its id may be that of other searches: a user has named it, or several submissions have it. */
	isDoubtful?: boolean;
}

export interface Matching {
	/** The result of each search, by its position; `undefined` where the batch lists none. */
	results: Array<IDataObject | undefined>;
	/** Results that belong to none of the searches. */
	unmatched: IDataObject[];
}

/** The search that a result or a waiting item repeats, as far as it does. */
export function echoedSearch(lookup: Lookup, json: IDataObject): Search {
	const echo = lookup.echo(json);
	const search: Record<string, string> = {};
	for (const { name } of lookup.fields) {
		const text = asText(echo[name]);
		if (text !== undefined) search[name] = text;
	}
	return search;
}

/**
 * Finds the search that each result of a batch belongs to. A search that is repeated exactly places it;
 * else `index` does, where the order of the batch is known (`service-api.md` 2.3, 2.5, 2.7). Several
 * results of one search become one. Nothing is guessed.
 */
export function matchResults(lookup: Lookup, batch: Batch, listed: readonly unknown[]): Matching {
	const { searches, size, isDoubtful = false } = batch;
	const find = finderByEcho(lookup, searches);
	const entries = withoutClaimed(
		batch,
		listed.filter(isRecord).map((result) => ({
			result,
			position: find(echoedSearch(lookup, result)),
			index: readIndex(result),
		})),
	);
	const byIndex = positionsByIndex(batch, entries);
	const isAlone = size === 1 && searches.length === 1;

	const found: IDataObject[][] = searches.map(() => []);
	const unmatched: IDataObject[] = [];
	for (const { result, position: exact, index } of entries) {
		const likely = isAlone ? 0 : index === undefined ? undefined : byIndex.get(index);
		const position = exact ?? likely;
		const search = position === undefined ? undefined : searches[position];
		const isAnothers =
			exact === undefined &&
			search !== undefined &&
			isOfAnotherSearch(lookup, search, result, isDoubtful);
		const results = position === undefined || isAnothers ? unmatched : found[position];
		results?.push(result);
	}
	return { results: found.map(besideEachOther), unmatched };
}

/** A result on its way to its search. */
interface Entry {
	result: IDataObject;
	/** Of the search that it repeats. */
	position?: number;
	index?: number;
}

/** If one result matches a search by echo and index, other results with that echo are not matched by it. */
function withoutClaimed({ places }: Batch, entries: Entry[]): Entry[] {
	const isOwn = ({ position, index }: Entry) =>
		position !== undefined && index !== undefined && places?.[position] === index;
	const claimed = new Set(entries.filter(isOwn).map(({ position }) => position));
	return entries.map((entry) =>
		!isOwn(entry) && entry.index !== undefined && claimed.has(entry.position)
			? { ...entry, position: undefined }
			: entry,
	);
}

/** Whether a result that does not repeat its search exactly is plainly of another one. */
export function isOfAnotherSearch(
	lookup: Lookup,
	{ search, key }: Sought,
	result: IDataObject,
	isDoubtful: boolean,
): boolean {
	return (
		isOfAnotherAddress(lookup, search, result) ||
		(isDoubtful &&
			searchKey(lookup, echoedSearch(lookup, result)) !== key &&
			isOfAnotherPerson(lookup, search, result))
	);
}

/** Finds the position of a repeated search, in whatever case its letters are where that is clear. */
function finderByEcho(
	lookup: Lookup,
	searches: readonly Sought[],
): (echoed: Search) => number | undefined {
	const exact = new Map<string, number>();
	const loose = new Map<string, number | undefined>();
	searches.forEach(({ key }, position) => {
		exact.set(key, position);
		loose.set(key.toLowerCase(), loose.has(key.toLowerCase()) ? undefined : position);
	});
	return (echoed) => {
		const key = searchKey(lookup, echoed);
		return exact.get(key) ?? loose.get(key.toLowerCase());
	};
}

/**
 * The positions of the searches by the `index` of their results: none where one of these contradicts
 * what the results repeat, or is out of range. It counts from 0, or from 1 where only that is possible.
 */
function positionsByIndex(
	{ places, size, isDoubtful }: Batch,
	entries: readonly Entry[],
): ReadonlyMap<number, number> {
	if (places === undefined || isDoubtful === true) return new Map();
	const indexes = new Set(entries.map(({ index }) => index));
	const first = indexes.has(size) && !indexes.has(0) && size !== undefined ? 1 : 0;
	const positions = new Map(places.map((place, position) => [place + first, position]));
	const agree = entries.every(({ index, position }) => {
		if (index === undefined) return true;
		if (position !== undefined) return positions.get(index) === position;
		return size === undefined || index - first < size;
	});
	return agree ? positions : new Map();
}

function readIndex({ index }: IDataObject): number | undefined {
	const number = typeof index === 'string' && /^\d{1,9}$/.test(index) ? Number(index) : index;
	return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : undefined;
}

/** A person may have several numbers, each listed by itself. */
function besideEachOther(results: IDataObject[]): IDataObject | undefined {
	const best = results.find(({ qualification }) => isFound(qualification)) ?? results[0];
	const numbers = new Set(results.flatMap(({ number }) => asText(number) ?? []));
	return numbers.size > 1 ? { ...best, numbers: [...numbers] } : best;
}
