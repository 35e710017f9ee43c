import type { IDataObject } from 'n8n-workflow';
import { asNumber, asText, isRecord } from '../common/json';
import { canonical } from '../lookups/same';
import type { Lookup, Search } from '../lookups/types';
import { searchKey } from '../spending/plan';
import { isOfAnotherSearch } from './otherSearch';

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

export interface Matching {
	/** The result of each search, by its position; `undefined` where the batch lists none. */
	results: Array<IDataObject | undefined>;
	/** Results that belong to none of the searches. */
	unmatched: IDataObject[];
}

/**
 * Finds the search that each result of a batch belongs to; nothing is guessed. `index` may count
 * from 0 or from 1, or be opaque (`service-api.md` 2.3, 2.5, 2.7), so it is believed only where the
 * results agree on it and where the echoed parameters confirm it. Else the echo alone decides: the
 * searches of a batch are all different.
 */
export function matchResults(
	lookup: Lookup,
	searches: readonly Search[],
	listed: readonly unknown[],
): Matching {
	const results: Array<IDataObject | undefined> = searches.map(() => undefined);
	const byKey = new Map<string, number>();
	const byLooseKey = new Map<string, number[]>();
	searches.forEach((search, position) => {
		const key = searchKey(lookup, search);
		byKey.set(key, position);
		const positions = byLooseKey.get(loosened(key));
		if (positions === undefined) byLooseKey.set(loosened(key), [position]);
		else positions.push(position);
	});

	const entries = listed.filter(isRecord).map((result) => {
		const echoed = echoedSearch(lookup, result);
		const key = searchKey(lookup, echoed);
		return {
			result,
			echoed,
			index: readIndex(result),
			exact: byKey.get(key),
			loose: byLooseKey.get(loosened(key)) ?? [],
		};
	});
	type Entry = (typeof entries)[number];
	const firstIndex = agreedFirstIndex(entries);

	const byIndex = ({ index, exact, loose, echoed }: Entry) => {
		if (index === undefined || firstIndex === undefined) return undefined;
		const position = index - firstIndex;
		const search = searches[position];
		if (search === undefined) return undefined;
		if (exact === position) return position;
		// An echo that is a whole search says more than the fields that it shares with another.
		const fits = loose.length > 0 ? loose.includes(position) : resembles(lookup, echoed, search);
		return fits ? position : undefined;
	};
	const byExactEcho = ({ exact }: Entry) => exact;
	const byLooseEcho = ({ exact, loose }: Entry) => {
		if (exact !== undefined) return undefined;
		const free = loose.filter((position) => results[position] === undefined);
		return free.length === 1 ? free[0] : undefined;
	};
	// The surest way for all results comes before the next one for any.
	let remaining = entries;
	for (const findPosition of [byIndex, byExactEcho, byLooseEcho]) {
		remaining = remaining.filter((entry) => {
			const position = findPosition(entry);
			const search = position === undefined ? undefined : searches[position];
			if (position === undefined || search === undefined) return true;
			if (results[position] !== undefined) return true;
			if (isOfAnotherSearch(lookup, search, entry.result)) return true;
			results[position] = entry.result;
			return false;
		});
	}
	return { results, unmatched: remaining.map(({ result }) => result) };
}

/**
 * What `index` is for the first search, where more than half of the results say the same. Where
 * searches that differ in letter case allow for two answers, the exact echoes decide.
 */
function agreedFirstIndex(
	entries: Array<{ index: number | undefined; exact: number | undefined; loose: number[] }>,
): number | undefined {
	const votes = new Map<number, { loose: number; exact: number }>();
	let voters = 0;
	for (const { index, exact, loose } of entries) {
		if (index === undefined) continue;
		voters++;
		for (const position of loose) {
			const count = votes.get(index - position) ?? { loose: 0, exact: 0 };
			votes.set(index - position, {
				loose: count.loose + 1,
				exact: count.exact + (position === exact ? 1 : 0),
			});
		}
	}
	const [best, second] = [...votes].sort(([, a], [, b]) => b.loose - a.loose || b.exact - a.exact);
	if (best === undefined || best[1].loose <= voters / 2) return undefined;
	const tied = second?.[1].loose === best[1].loose && second[1].exact === best[1].exact;
	return tied ? undefined : best[0];
}

/** The service may tidy the parameters that it repeats, for instance their letter case. */
function loosened(key: string): string {
	return key.toLowerCase();
}

function readIndex({ index }: IDataObject): number | undefined {
	if (typeof index === 'string' && /^\d{1,9}$/.test(index)) return Number(index);
	return Number.isInteger(index) ? asNumber(index) : undefined;
}

/** Whether the fields that both have are the same, and there is at least one. */
function resembles(lookup: Lookup, echoed: Search, search: Search): boolean {
	const shared = lookup.fields.filter(({ name }) => name in echoed && name in search);
	return (
		shared.length > 0 &&
		shared.every(({ name, kind }) => {
			const same = (text = '') => canonical(kind, text).toLowerCase();
			return same(echoed[name]) === same(search[name]);
		})
	);
}
