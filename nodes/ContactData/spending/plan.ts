import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { canonical } from '../lookups/fields';
import type { Lookup, Search, Size } from '../lookups/types';
import type { Ask } from '../input/itemSearches';

/** 48 bits: enough for the few thousand searches of a run, and short in the receipts. */
export const NAME_LENGTH = 8;
const KEY_LENGTH = 22;

/** One POST: a single search, or a batch of them. */
export interface Submission {
	/** Names the submission in the receipts. */
	key: string;
	/** Names each search in the receipts. */
	names: string[];
	body: IDataObject;
	searches: Search[];
	/** Who asked for each of the searches; the `custom` of the first one is sent. */
	asks: Ask[][];
}

interface Group {
	names: string[];
	common: Ask['common'];
	searches: Search[];
	asks: Ask[][];
}

/**
 * Turns what the items ask for into as few submissions as the service allows. Equal searches are
 * submitted once for all that asked.
 * @param firstBatchSize a smaller first batch, to learn the price from before the others are sent
 */
export function plan(
	lookup: Lookup,
	size: Size,
	baseUrl: string,
	asks: Ask[],
	firstBatchSize = lookup.batchLimit,
): Submission[] {
	const groups = new Map<string, Group>();
	const askersBySearch = new Map<string, Ask[]>();
	for (const ask of asks) {
		const equal = `${searchKey(lookup, ask.search)}\n${JSON.stringify(ask.common.settings)}`;
		const askers = askersBySearch.get(equal);
		if (askers !== undefined) {
			askers.push(ask);
			continue;
		}
		const first = [ask];
		askersBySearch.set(equal, first);
		let group = groups.get(ask.group);
		if (group === undefined) {
			group = { names: [], common: ask.common, searches: [], asks: [] };
			groups.set(ask.group, group);
		}
		group.names.push(nameOf(lookup, size, baseUrl, ask));
		group.searches.push(ask.search);
		group.asks.push(first);
	}

	const submissions: Submission[] = [];
	for (const group of groups.values()) {
		let start = 0;
		while (start < group.searches.length) {
			const limit =
				size === 'single' ? 1 : submissions.length === 0 ? firstBatchSize : lookup.batchLimit;
			const end = start + limit;
			submissions.push(
				toSubmission(lookup, size, {
					names: group.names.slice(start, end),
					common: group.common,
					searches: group.searches.slice(start, end),
					asks: group.asks.slice(start, end),
				}),
			);
			start = end;
		}
	}
	return submissions;
}

/** Equal keys are one search for the service: spaces, case of emails and domains, forms of a domain. */
export function searchKey(lookup: Lookup, search: Search): string {
	const identity = lookup.identity(search);
	return lookup.fields.map(({ name, kind }) => canonical(kind, identity[name] ?? '')).join('\n');
}

/**
 * A short name for what is paid for: the search, where and how. Where the service calls back and
 * `custom` are no part of it: they may change from try to try.
 */
export function nameOf(lookup: Lookup, size: Size, baseUrl: string, ask: Ask): string {
	const settings = { ...ask.common.settings, webhook: undefined };
	return hash([baseUrl, lookup.path, size, searchKey(lookup, ask.search), settings], NAME_LENGTH);
}

function hash(value: unknown, length: number): string {
	return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, length);
}

function toSubmission(
	lookup: Lookup,
	size: Size,
	{ names, common, searches, asks }: Group,
): Submission {
	const content: IDataObject =
		size === 'single'
			? { ...searches[0] }
			: {
					[lookup.listField]: searches.map((search, index) =>
						lookup.toListEntry(search, asks[index]?.[0]?.custom),
					),
				};
	const { settings, custom } = common;
	if (custom !== undefined) content.custom = custom;
	const body = settings === undefined ? content : { ...content, settings };
	return { key: hash(names, KEY_LENGTH), names, body, searches, asks };
}
