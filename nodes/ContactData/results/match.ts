import type { IDataObject } from 'n8n-workflow';
import { asText, isRecord } from '../common/values';
import { searchKey } from '../lookups/same';
import type { Lookup } from '../lookups/types';
import { verdictOf } from '../service/verdict';
import type { Belongs, Sought } from './otherSearch';
import { belongsTo, echoedSearch } from './otherSearch';

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
	/** Whether the answer says that it is of another batch: nothing but a repeated search places a result. */
	isOthers?: boolean;
}

export interface Matching {
	/** The result of each search, by its position; `undefined` where the batch lists none. */
	results: Array<IDataObject | undefined>;
	/** Results that belong to none of the searches, or of which nobody can say which is right. */
	unmatched: IDataObject[];
}

/** A result on its way to its search. */
interface Entry {
	result: IDataObject;
	/** Of the search that it repeats. */
	position?: number;
	index?: number;
}

/** What a result says of a search. */
type SpeaksFor = (entry: Entry, position: number, isDoubtful: boolean) => Belongs;

/**
 * Finds the search that each result of a batch belongs to. A search that is repeated places it; else
 * `index` does (`service-api.md` 2.3, 2.5, 2.7), where nothing speaks against it. Nothing is guessed.
 */
export function matchResults(lookup: Lookup, batch: Batch, listed: readonly unknown[]): Matching {
	const { searches } = batch;
	const positions = new Map(searches.map(({ key }, position) => [key, position]));
	const entries = listed.filter(isRecord).map((result): Entry => {
		const position = positions.get(searchKey(lookup, echoedSearch(lookup, result)));
		return { result, position, index: readIndex(result) };
	});
	const speaksFor: SpeaksFor = ({ result }, position, isDoubtful) => {
		const sought = searches[position];
		return sought === undefined ? 'no' : belongsTo(lookup, sought, result, isDoubtful);
	};
	const placeOf = positionsByIndex(lookup, batch, entries, speaksFor);
	const found: IDataObject[][] = searches.map(() => []);
	const unmatched: IDataObject[] = [];
	for (const entry of entries) {
		const position = entry.position ?? placeOf(entry);
		const isPlaced = position !== undefined && speaksFor(entry, position, true) !== 'no';
		const results = isPlaced ? found[position] : unmatched;
		results?.push(entry.result);
	}
	const results = found.map((same) => {
		if (isOneAnswer(lookup, same)) return besideEachOther(lookup, same);
		for (const result of same) unmatched.push(result);
		return undefined;
	});
	return { results, unmatched };
}

/**
 * The positions of results by their index, which counts from 0 or from 1: none where both fit, or neither.
 * The result of a batch of one needs no index.
 */
function positionsByIndex(
	lookup: Lookup,
	batch: Batch,
	entries: readonly Entry[],
	speaksFor: SpeaksFor,
): (entry: Entry) => number | undefined {
	const { searches, places, size, isDoubtful = false, isOthers = false } = batch;
	if (isOthers) return () => undefined;
	if (size === 1 && searches.length === 1) return () => 0;
	if (places === undefined || isDoubtful || isNumberedTwice(lookup, entries)) {
		return () => undefined;
	}
	const positions = new Map(places.map((place, position) => [place, position]));
	const fits = (first: number) =>
		entries.every((entry) => {
			if (entry.index === undefined) return true;
			const place = entry.index - first;
			const position = positions.get(place);
			if (entry.position !== undefined) return position === entry.position;
			if (place < 0 || (size !== undefined && place >= size)) return false;
			return position === undefined || speaksFor(entry, position, false) !== 'no';
		});
	const [first, ...others] = [0, 1].filter(fits);
	if (first === undefined || others.length > 0) return () => undefined;
	return ({ index }) => (index === undefined ? undefined : positions.get(index - first));
}

/** Of one person a phone batch may list several numbers. */
function isNumberedTwice({ unlistedResult }: Lookup, entries: readonly Entry[]): boolean {
	const indexes = entries.flatMap(({ index }) => index ?? []);
	return unlistedResult === undefined && new Set(indexes).size < indexes.length;
}

function readIndex({ index }: IDataObject): number | undefined {
	const number = typeof index === 'string' && /^\d{1,9}$/.test(index) ? Number(index) : index;
	return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : undefined;
}

/** Whether all that is listed for one search says the same, but for the numbers of a person. */
function isOneAnswer(lookup: Lookup, results: readonly IDataObject[]): boolean {
	if (lookup.unlistedResult !== undefined) return true;
	const answers = results.map((result) => {
		const values = lookup.columns.found.map((name) => result[name]);
		return JSON.stringify([verdictOf(lookup, result), values]);
	});
	return new Set(answers).size <= 1;
}

/** A person may have several numbers, each listed by itself. */
function besideEachOther(lookup: Lookup, results: IDataObject[]): IDataObject | undefined {
	const best = results.find((result) => verdictOf(lookup, result) === 'found') ?? results[0];
	const numbers = new Set(results.flatMap(({ number }) => toNumber(number) ?? []));
	numbers.delete(toNumber(best?.number) ?? '');
	return numbers.size > 0 ? { ...best, other_numbers: [...numbers] } : best;
}

function toNumber(number: unknown): string | undefined {
	return typeof number === 'number' ? String(number) : asText(number);
}
