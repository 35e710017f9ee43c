import type { IDataObject } from 'n8n-workflow';
import { asText, isRecord } from '../common/values';
import { searchKey } from '../lookups/same';
import type { Lookup } from '../lookups/types';
import { verdictOf } from '../service/verdict';
import type { Belongs, Sought } from './whose';
import { belongsTo, echoedSearch } from './whose';

/** The searches that wait for a finished batch. */
export interface Batch {
	/** All different. */
	searches: readonly Sought[];
	/** Which of the batch's entries each of them was, from 0; `undefined` where no place is to be trusted. */
	places?: readonly number[];
	/** How many searches were sent; `undefined` where nobody knows. */
	size?: number;
	/** Whether the answer is of another batch, as its id or its count says. */
	isOfAnother: boolean;
}

export interface Matching {
	/** The result of each search, by its position; `undefined` where the batch has none. */
	results: Array<IDataObject | undefined>;
	/** What belongs to none of the searches, or nobody can say to which. */
	unmatched: IDataObject[];
}

interface ListedEntry {
	result: IDataObject;
	/** Equal for those that say the same. */
	answer: string;
	index?: number;
	/** Of the search that it repeats. */
	position?: number;
}

/**
 * Finds the search that each result of a batch belongs to. Nothing is guessed:
 * - A result that repeats one of the searches is of that search.
 * - Else it is of the one at its `index` (`service-api.md` 2.3, 2.5, 2.7), unless the answer is of another
 *   batch, or what it repeats is of somebody else.
 * - A result that is listed twice is one; a place that is given to two others is nobody's.
 */
export function matchResults(lookup: Lookup, batch: Batch, listed: readonly unknown[]): Matching {
	const { searches } = batch;
	const positions = new Map(searches.map(({ key }, position) => [key, position]));
	const entries = listed.filter(isRecord).map((result): ListedEntry => {
		const position = positions.get(searchKey(lookup, echoedSearch(lookup, result)));
		return { result, position, index: readIndex(result), answer: answerOf(lookup, result) };
	});
	const belongs = ({ result }: ListedEntry, position: number, isDoubtful: boolean): Belongs => {
		const sought = searches[position];
		return sought === undefined ? 'no' : belongsTo(lookup, sought, result, isDoubtful);
	};
	const positionByIndex = positionsByIndex(batch, entries, belongs);
	const found: ListedEntry[][] = searches.map(() => []);
	const unmatched: IDataObject[] = [];
	for (const entry of entries) {
		const position = entry.position ?? positionByIndex(entry);
		const isPlaced = position !== undefined && belongs(entry, position, true) !== 'no';
		if (isPlaced) found[position]?.push(entry);
		else unmatched.push(entry.result);
	}
	const results = found.map((atPlace, position) => {
		const several = atPlace.map(({ result }) => result);
		const isOneAnswer = new Set(atPlace.map(({ answer }) => answer)).size <= 1;
		const areOfOne =
			lookup.unlistedResult !== undefined &&
			atPlace.every((entry) => belongs(entry, position, true) === 'yes');
		if (areOfOne || isOneAnswer) return withOtherNumbers(lookup, several);
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
	{ searches, places, size, isOfAnother }: Batch,
	entries: readonly ListedEntry[],
	belongs: (entry: ListedEntry, position: number, isDoubtful: boolean) => Belongs,
): (entry: ListedEntry) => number | undefined {
	if (isOfAnother) return () => undefined;
	if (size === 1 && searches.length === 1) return () => 0;
	if (places === undefined || isNumberedTwice(entries)) return () => undefined;
	const positions = new Map(places.map((place, position) => [place, position]));
	const fits = (first: number) =>
		entries.every((entry) => {
			if (entry.index === undefined) return true;
			const place = entry.index - first;
			const position = positions.get(place);
			if (entry.position !== undefined) return position === entry.position;
			if (place < 0 || (size !== undefined && place >= size)) return false;
			return position === undefined || belongs(entry, position, false) !== 'no';
		});
	const [first, ...others] = [0, 1].filter(fits);
	if (first === undefined || others.length > 0) return () => undefined;
	return ({ index }) => (index === undefined ? undefined : positions.get(index - first));
}

/** Whether two different answers have one index, and nothing else says whose they are. */
function isNumberedTwice(entries: readonly ListedEntry[]): boolean {
	const answers = new Map<number, string>();
	return entries.some(({ position, index, answer }) => {
		if (position !== undefined || index === undefined) return false;
		const other = answers.get(index) ?? answer;
		answers.set(index, answer);
		return other !== answer;
	});
}

function readIndex({ index }: IDataObject): number | undefined {
	const number = typeof index === 'string' && /^\d{1,9}$/.test(index) ? Number(index) : index;
	return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : undefined;
}

/** Its verdict, and what it has found. */
function answerOf(lookup: Lookup, result: IDataObject): string {
	const values = lookup.columns.found.map((name) => result[name]);
	return JSON.stringify([verdictOf(lookup, result), values]);
}

/** A person may have several numbers, each listed by itself. */
function withOtherNumbers(lookup: Lookup, results: IDataObject[]): IDataObject | undefined {
	const best = results.find((result) => verdictOf(lookup, result) === 'found') ?? results[0];
	const numbers = new Set(results.flatMap(({ number }) => toNumber(number) ?? []));
	numbers.delete(toNumber(best?.number) ?? '');
	return numbers.size > 0 ? { ...best, other_numbers: [...numbers].join(', ') } : best;
}

function toNumber(number: unknown): string | undefined {
	return typeof number === 'number' ? String(number) : asText(number);
}
