import type { IDataObject, INodeParameters, NodeParameterValueType } from 'n8n-workflow';
import {
	lookups,
	type LookupEvent,
	type LookupName,
} from '../../nodes/ContactData/lookups/index.ts';
import type { Lookup, Search, Size } from '../../nodes/ContactData/lookups/types.ts';
import type { FieldKind } from '../../nodes/ContactData/values/types.ts';
import { FOR_TESTS } from './lookups.mts';
import { choicesOf } from './properties.mts';

/** The lookups' values of 'Resource'. */
export const LOOKUP_NAMES: readonly LookupName[] = Object.keys(lookups).filter(isLookupName);

function isLookupName(name: string): name is LookupName {
	return Object.hasOwn(lookups, name);
}

/** The operations of a size; the parameter and the column that have the id. */
export const OPERATIONS = {
	single: {
		find: 'submitAndWait',
		start: 'submit',
		read: 'getResult',
		parameter: 'lookupId',
		idName: 'search_id',
	},
	bulk: {
		find: 'submitBulkAndWait',
		start: 'submitBulk',
		read: 'getBulkResult',
		parameter: 'batchId',
		idName: 'batch_id',
	},
} as const;

/** The name of a lookup, for a list that has all of them. */
export function toLookupName(name: string): LookupName {
	if (!isLookupName(name)) throw new Error(`There is no lookup ${name}`);
	return name;
}

/** Of one of its fields, which only some lookups have. */
export function lookupOf(name: string): Lookup {
	return lookups[toLookupName(name)];
}

/** All items say by `who` whom they ask for. */
export const items = (...words: string[]): Array<{ who: string }> => words.map((who) => ({ who }));

/** The node's parameters to search for the item's `who`, or for what another JavaScript gives. */
export function parametersOf(lookup: string, word = '$json.who'): INodeParameters {
	return FOR_TESTS[toLookupName(lookup)].parameters(word);
}

/** The node's parameters for lists in one item. */
export function listParameters(lookup: string, list: NodeParameterValueType): INodeParameters {
	return { inputMode: 'array', [lookupOf(lookup).listField]: list };
}

/** The node's parameters for each way to tell whom one asks for, the default first; values are by kind of field. */
export function waysToAsk(
	lookup: string,
	values: Readonly<Record<FieldKind, string>>,
): INodeParameters[] {
	const { choice, fields, inputs } = lookupOf(lookup);
	const filledIn = Object.fromEntries(
		(inputs?.fields ?? fields).map(({ parameter, kind }) => [parameter, values[kind]]),
	);
	if (choice === undefined) return [filledIn];
	const { name, default: usual } = choice.property;
	const ways = new Set([usual, ...choicesOf(choice.property).map(({ value }) => value)]);
	return [...ways].map((way) => ({ ...filledIn, [name]: way }));
}

/** A complete search. */
export function searchOf(lookup: string, word: string): Search {
	return FOR_TESTS[toLookupName(lookup)].search(word);
}

/** The entry of a list for it. */
export function entryOf(lookup: string, word: string, custom?: unknown): unknown {
	return lookupOf(lookup).toListEntry(searchOf(lookup, word), custom);
}

/** What comes out for a word, but for the ids and `status`. */
export function resultOf(lookup: string, size: Size, word: string): IDataObject {
	const own = FOR_TESTS[toLookupName(lookup)];
	const isFound = word.startsWith('mustfind');
	return { ...(isFound ? own.found(word, size) : own.notFound(word)), found: isFound };
}

/** As the package sends it: a profile under both of its names. */
export function asSent<T extends object>(search: T): T & { linkedin_url?: unknown } {
	return 'socialprofile_url' in search
		? { ...search, linkedin_url: search.socialprofile_url }
		: search;
}

/** The body of a POST that asks for these words. */
export function bodyOf(
	{ lookup, size }: Pick<LookupEvent, 'lookup' | 'size'>,
	words: readonly string[],
): object {
	const searches = words.map((word) => asSent(searchOf(lookup.name, word)));
	if (size === 'single') return searches[0] ?? {};
	const entries = searches.map((search) => lookup.toListEntry(search, undefined));
	// As it goes over the wire, without what is undefined.
	return { [lookup.listField]: JSON.parse(JSON.stringify(entries)) as unknown };
}
