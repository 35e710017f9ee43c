import type { IDataObject } from 'n8n-workflow';
import { shortHash } from '../common/values';
import type { ItemSearch } from '../input/searches';
import { searchKey } from '../lookups/same';
import type { Lookup, Search, Size } from '../lookups/types';

/** For those who look for it where it was. */
export { searchKey };

/** 48 bits: enough for the few thousand searches of a run, and short in the receipts. */
export const NAME_LENGTH = 8;
const KEY_LENGTH = 22;
/** Raised whenever a search gets another name: no receipt of an earlier version is overlooked then. */
export const NAMING = 2;

/** What the results of one batch may come to. */
const MAX_ANSWER_BYTES = 24 * 1024 ** 2;
/** Of one result, but for what was sent: that comes back, custom data twice at most. */
const RESULT_BYTES = 500;

/** Where searches are submitted. */
export interface Endpoint {
	baseUrl: string;
	lookup: Lookup;
	size: Size;
}

/** One POST: a single search, or a batch of them. */
export interface Submission {
	/** Names the submission in the receipts. */
	key: string;
	/** The lookup or batch that the user named instead: nothing of it is submitted or charged. */
	earlierId?: string;
	/** An earlier try sent it, or another call of the tool: with custom data that may be another. */
	isSent?: boolean;
	/** Names each search in the receipts. */
	names: string[];
	body: IDataObject;
	searches: Search[];
	/** Which entry of its batch each of the searches was, from 0, where others are missing here. */
	places?: number[];
	/** The items of each of the searches; the `custom` and the `webhook` of the first one are sent. */
	items: ItemSearch[][];
	/** How many searches are charged with it: also those of an earlier try that no item has now. */
	size: number;
}

interface Group {
	names: string[];
	envelope: ItemSearch['envelope'];
	searches: Search[];
	items: ItemSearch[][];
}

/**
 * Turns what the items search for into as few submissions as the service allows. Equal searches are
 * submitted once for all their items.
 */
export function plan(endpoint: Endpoint, itemSearches: ItemSearch[]): Submission[] {
	const { lookup, size } = endpoint;
	const groups = new Map<string, Group>();
	const itemsBySearch = new Map<string, ItemSearch[]>();
	for (const itemSearch of itemSearches) {
		// Not by the short names: of millions of pairs, two could be alike.
		const equal = JSON.stringify([
			searchKey(lookup, itemSearch.search),
			resultSettings(itemSearch),
		]);
		const items = itemsBySearch.get(equal);
		if (items !== undefined) {
			items.push(itemSearch);
			continue;
		}
		const first = [itemSearch];
		itemsBySearch.set(equal, first);
		let group = groups.get(itemSearch.group);
		if (group === undefined) {
			group = { names: [], envelope: itemSearch.envelope, searches: [], items: [] };
			groups.set(itemSearch.group, group);
		}
		group.names.push(searchName(endpoint, itemSearch));
		group.searches.push(itemSearch.search);
		group.items.push(first);
	}

	return [...groups.values()].flatMap((group) => {
		const submissions: Submission[] = [];
		for (let start = 0; start < group.searches.length;) {
			const end = size === 'single' ? start + 1 : endOfBatch(lookup, group, start);
			submissions.push(toSubmission(endpoint, part(group, start, end)));
			start = end;
		}
		return submissions;
	});
}

/** Where a batch ends that begins at `start`: at the service's limit, or where its answer grows too large. */
function endOfBatch({ batchLimit }: Lookup, { searches, items }: Group, start: number): number {
	const limit = Math.min(searches.length, start + batchLimit);
	let bytes = 0;
	for (let end = start; end < limit; end++) {
		bytes += RESULT_BYTES + sizeOf(searches[end]) + 2 * sizeOf(items[end]?.[0]?.custom);
		if (bytes > MAX_ANSWER_BYTES && end > start) return end;
	}
	return limit;
}

function sizeOf(value: unknown): number {
	return Buffer.byteLength(JSON.stringify(value) ?? '');
}

/** Takes up to so many from the front of the queue; a batch that holds more searches is divided. */
export function takeFirst(
	endpoint: Endpoint,
	queue: Submission[],
	{ searches, submissions = Infinity }: { searches: number; submissions?: number },
): Submission[] {
	const taken: Submission[] = [];
	for (let left = searches; left > 0 && taken.length < submissions;) {
		const first = queue.shift();
		if (first === undefined) break;
		const [submission, rest] = first.size > left ? divide(endpoint, first, left) : [first];
		taken.push(submission);
		if (rest !== undefined) queue.unshift(rest);
		left -= submission.size;
	}
	return taken;
}

function divide(
	endpoint: Endpoint,
	{ names, searches, items }: Submission,
	at: number,
): [Submission, Submission] {
	const group: Group = { names, searches, items, envelope: items[0]?.[0]?.envelope ?? {} };
	return [
		toSubmission(endpoint, part(group, 0, at)),
		toSubmission(endpoint, part(group, at, searches.length)),
	];
}

/** How many searches they hold. */
export function countSearches(submissions: Submission[]): number {
	return submissions.reduce((sum, { searches }) => sum + searches.length, 0);
}

function part({ names, envelope, searches, items }: Group, from: number, to: number): Group {
	return {
		names: names.slice(from, to),
		envelope,
		searches: searches.slice(from, to),
		items: items.slice(from, to),
	};
}

/**
 * A short name for what is paid for: the search, where and how. Where the service calls back and
 * `custom` are no part of it: they may change from try to try.
 */
export function searchName({ baseUrl, lookup, size }: Endpoint, itemSearch: ItemSearch): string {
	const settings = resultSettings(itemSearch);
	return shortHash(
		[baseUrl, lookup.path, size, searchKey(lookup, itemSearch.search), settings],
		NAME_LENGTH,
	);
}

/** The settings on which the result depends. */
function resultSettings({ envelope }: ItemSearch): IDataObject {
	return { ...envelope.settings, webhook: undefined };
}

function toSubmission(
	{ lookup, size }: Endpoint,
	{ names, envelope, searches, items }: Group,
): Submission {
	const content: IDataObject =
		size === 'single'
			? { ...searches[0] }
			: {
					[lookup.listField]: searches.map((search, index) =>
						lookup.toListEntry(search, items[index]?.[0]?.custom),
					),
				};
	const { settings, custom } = envelope;
	if (custom !== undefined) content.custom = custom;
	const body = settings === undefined ? content : { ...content, settings };
	return { key: shortHash(names, KEY_LENGTH), names, body, searches, items, size: searches.length };
}
