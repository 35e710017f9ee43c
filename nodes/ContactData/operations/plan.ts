import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { canonical } from '../lookups/fields';
import type { Lookup, Search, Size } from '../lookups/types';
import type { Ask } from './asks';

/** One POST: a single search, or a batch of them. */
export interface Submission {
	/** Names the submission in the receipts: the same searches have the same key at the next try. */
	key: string;
	body: IDataObject;
	searches: Search[];
	/** Who asked for each of the searches; the `custom` of the first one is sent. */
	asks: Ask[][];
}

interface Group {
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
		const name = `${searchKey(lookup, ask.search)}\n${JSON.stringify(ask.common.settings ?? {})}`;
		const askers = askersBySearch.get(name);
		if (askers !== undefined) {
			askers.push(ask);
			continue;
		}
		const first = [ask];
		askersBySearch.set(name, first);
		let group = groups.get(ask.group);
		if (group === undefined) {
			group = { common: ask.common, searches: [], asks: [] };
			groups.set(ask.group, group);
		}
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
				toSubmission(lookup, size, baseUrl, {
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

function toSubmission(
	lookup: Lookup,
	size: Size,
	baseUrl: string,
	{ common, searches, asks }: Group,
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
	// Where the service calls back and `custom` may change from try to try; what is paid for does not.
	const searchKeys = searches.map((search) => searchKey(lookup, search));
	const paidFor = { ...settings, webhook: undefined };
	const key = createHash('sha256')
		.update(JSON.stringify([baseUrl, lookup.path, size, searchKeys, paidFor]))
		.digest('base64url')
		.slice(0, 22);
	return { key, body: settings === undefined ? content : { ...content, settings }, searches, asks };
}
