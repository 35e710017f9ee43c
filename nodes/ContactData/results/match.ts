import type { IDataObject } from 'n8n-workflow';
import { asText, isRecord } from '../common/values';
import { searchKey } from '../lookups/same';
import type { Lookup } from '../lookups/types';
import { verdictOf } from '../service/verdict';
import type { Sought } from './whose';
import { belongsTo, echoedSearch } from './whose';

/** The searches that wait for a finished batch. */
export interface Batch {
	/** All different. */
	searches: readonly Sought[];
	/** Which of the batch's entries each of them was, from 0; none where no place is to be trusted. */
	places?: ReadonlyArray<number | undefined>;
	/** How many searches were sent; `undefined` where nobody knows. */
	size?: number;
}

export interface Matching {
	/** The result of each search, by its position; `undefined` where the batch has none. */
	results: Array<IDataObject | undefined>;
	/** What belongs to none of the searches, or nobody can say to which. */
	unmatched: IDataObject[];
}

interface ListedEntry {
	result: IDataObject;
	index?: number;
	/** Of the search that it repeats. */
	position?: number;
}

type MayBeOf = (entry: ListedEntry, position: number, isDoubtful: boolean) => boolean;

/**
 * Finds the search that each result of a batch belongs to. Nothing is guessed:
 * - A result that repeats one of the searches is of that search.
 * - Else it is of the one at its `index` (`service-api.md` 2.3, 2.5, 2.7), unless what it repeats is of
 *   somebody else.
 * - A result that is listed twice is one; a place that is given to two others is nobody's.
 */
export function matchResults(lookup: Lookup, batch: Batch, listed: readonly unknown[]): Matching {
	const { searches } = batch;
	const positions = new Map(searches.map(({ key }, position) => [key, position]));
	const entries = listed.filter(isRecord).map((result): ListedEntry => {
		const position = positions.get(searchKey(lookup, echoedSearch(lookup, result)));
		return { result, position, index: readIndex(result) };
	});
	const mayBeOf: MayBeOf = ({ result }, position, isDoubtful) => {
		const sought = searches[position];
		return sought !== undefined && belongsTo(lookup, sought, result, isDoubtful) !== 'no';
	};
	const positionByIndex = positionsByIndex(batch, entries, mayBeOf);
	const found: ListedEntry[][] = searches.map(() => []);
	const unmatched: IDataObject[] = [];
	for (const entry of entries) {
		const position = entry.position ?? positionByIndex(entry);
		const isPlaced = position !== undefined && mayBeOf(entry, position, true);
		if (isPlaced) found[position]?.push(entry);
		else unmatched.push(entry.result);
	}
	const results = found.map((atPlace, position) => {
		const several = atPlace.map(({ result }) => result);
		const isOneAnswer = new Set(several.map((result) => answerOf(lookup, result))).size <= 1;
		// A person may have several numbers, each listed by itself.
		const isOfOne =
			lookup.unlistedResult !== undefined && atPlace.every((entry) => entry.position === position);
		if (isOneAnswer || isOfOne) return withOtherNumbers(lookup, several);
		for (const result of several) unmatched.push(result);
		return undefined;
	});
	return { results, unmatched };
}

/**
 * The positions of results by their index, which counts from 0 or from 1: none where both fit, or neither.
 * The result of a batch of one needs no index.
 */
function positionsByIndex(
	{ searches, places, size }: Batch,
	entries: readonly ListedEntry[],
	mayBeOf: MayBeOf,
): (entry: ListedEntry) => number | undefined {
	if (places === undefined) return () => undefined;
	if (size === 1 && searches.length === 1) return () => 0;
	const positions = new Map(
		places.flatMap((place, position) => (place === undefined ? [] : [[place, position]])),
	);
	const fits = (first: number) =>
		entries.every((entry) => {
			if (entry.index === undefined) return true;
			const place = entry.index - first;
			const position = positions.get(place);
			if (entry.position !== undefined) return position === entry.position;
			if (place < 0 || (size !== undefined && place >= size)) return false;
			return position === undefined || mayBeOf(entry, position, false);
		});
	const [first, ...others] = [0, 1].filter(fits);
	if (first === undefined || others.length > 0) return () => undefined;
	return ({ index }) => (index === undefined ? undefined : positions.get(index - first));
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

function withOtherNumbers(lookup: Lookup, results: IDataObject[]): IDataObject | undefined {
	const best = results.find((result) => verdictOf(lookup, result) === 'found') ?? results[0];
	const numbers = new Set(results.flatMap(toNumber));
	for (const own of best === undefined ? [] : toNumber(best)) numbers.delete(own);
	return numbers.size > 0 ? { ...best, other_numbers: [...numbers].join(', ') } : best;
}

function toNumber({ number }: IDataObject): string[] {
	const text = typeof number === 'number' ? String(number) : asText(number);
	return text === undefined ? [] : [text];
}
