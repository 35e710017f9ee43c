import type { IDataObject } from 'n8n-workflow';
import { lookups, type LookupName } from '../../nodes/ContactData/lookups/index.ts';
import { asSent, searchOf } from '../support/searches.mts';
import { LOOKUPS } from '../support/sandbox/lookups/index.mts';
import type { JsonObject, LookupDefinition, Search } from '../support/sandbox/types.mts';
import type { Draw } from './draw.mts';

/** One search as a workflow's item would hold it. */
export interface Wanted {
	/** Under the service's field names. */
	readonly fields: IDataObject;
	/** What the service makes of it; `undefined` for one that the node must not send. */
	readonly search: Search | undefined;
	/** Whether the result is a find. */
	readonly found: boolean;
	/** That it is no address is its result: the node knows it, or the service says it without an id. */
	readonly invalid?: 'known' | 'refused';
}

export function definitionOf(resource: LookupName, size: 'single' | 'bulk'): LookupDefinition {
	const definition = LOOKUPS.get(`${lookups[resource].path}/${size}`);
	if (definition === undefined) throw new Error(`The sandbox has no ${resource} ${size}`);
	return definition;
}

/** The searches that a request asks for, as the ledger would write them. Throws for a bad request. */
export function searchesOf(definition: LookupDefinition, body: unknown): readonly Search[] {
	const request = { method: 'POST', path: definition.path, query: {}, headers: {}, body };
	return definition.read(request).searches;
}

/** How a phone search of this number identifies its person. */
export type IdentifyBy = 'profileUrl' | 'nameAndCompany';

function clean(resource: LookupName, number: number, identifyBy: IdentifyBy): IDataObject {
	const company = `company${number % 7}`;
	// By their names, which are also written in several ways; any other lookup by a word.
	switch (resource) {
		case 'emailFinder':
			return number % 3 === 0
				? { fullname: `Ada Lovelace ${number}`, company_name: `Company ${number % 7}` }
				: { fullname: `Ada Lovelace ${number}`, company_domain: `${company}.com` };
		case 'emailVerifier':
			return { email: `person${number}@${company}.com` };
		case 'phoneFinder':
			return identifyBy === 'nameAndCompany'
				? { firstname: `Ada${number}`, lastname: 'Lovelace', company_domain: `${company}.com` }
				: { socialprofile_url: `https://linkedin.com/in/person-${number}` };
		default:
			return searchOf(resource, `person-${number}`);
	}
}

/** What the service finds equal: white space, letter case of emails and domains, forms of a domain. */
function written(draw: Draw, fields: IDataObject): IDataObject {
	const entries = Object.entries(fields).map(([name, value]): [string, string] => {
		const text = typeof value === 'string' ? value : '';
		if (name === 'company_domain') {
			return [name, draw.pick([text, text.toUpperCase(), `https://www.${text}/about`, ` ${text}`])];
		}
		if (name === 'email') return [name, draw.pick([text, text.toUpperCase(), ` ${text}\n`])];
		if (name === 'socialprofile_url') return [name, draw.pick(spellings(text))];
		return [name, draw.pick([text, text.replace(' ', '  '), ` ${text}`])];
	});
	return Object.fromEntries(entries);
}

/** One profile: what the service makes of them is its business, to the node they are the same. */
function spellings(url: string): [string, ...string[]] {
	const address = url.replace('https://', '');
	return [url, `${url} `, `http://www.${address}/`, `https://uk.${address}?trk=people`];
}

/** Of any other an item without a field of it. */
const BAD: Readonly<Record<string, IDataObject>> = {
	emailFinder: { fullname: 'Nobody Anywhere' },
	emailVerifier: { email: 7 },
	phoneFinder: { socialprofile_url: 'no address' },
};

/** What can be no address: the node does not send it, and no item is wrong for it. */
export const NO_ADDRESS = 'no address';

function badOf(resource: LookupName, index: number, byName: boolean): Wanted {
	const none = { search: undefined, found: false };
	if (resource === 'emailVerifier' && index % 2 === 0) {
		return { ...none, fields: { email: NO_ADDRESS }, invalid: 'known' };
	}
	return { ...none, fields: byName ? { firstname: 'Ada' } : (BAD[resource] ?? {}) };
}

/** Good for the node, refused by the single endpoint with a 400. */
const REFUSED: Readonly<Record<string, IDataObject | undefined>> = {
	emailVerifier: { email: 'quo"ted@acme.com' },
	phoneFinder: { socialprofile_url: 'https://social.example/company/acme' },
};

export interface Crowd {
	readonly resource: LookupName;
	readonly count: number;
	/** What is known of the people of whom phone numbers are searched; default: now this, now that. */
	readonly identifyBy?: IdentifyBy;
	/** The probability that an entry repeats an earlier one, perhaps written in another way. */
	readonly repeats: number;
	readonly bad: number;
	readonly refused: number;
}

export function drawWanted(draw: Draw, crowd: Crowd): Wanted[] {
	const { resource, count, identifyBy, repeats, bad, refused } = crowd;
	const definition = definitionOf(resource, 'bulk');
	const numbers: number[] = [];
	return Array.from({ length: count }, (_, index): Wanted => {
		const byName = resource === 'phoneFinder' && identifyBy === 'nameAndCompany';
		if (draw.chance(bad)) return badOf(resource, index, byName);
		const special = draw.chance(refused) && !byName ? REFUSED[resource] : undefined;
		const earlier =
			draw.chance(repeats) && numbers.length > 0
				? numbers[draw.int(0, numbers.length - 1)]
				: undefined;
		const number = earlier ?? index;
		if (special === undefined) numbers.push(number);
		const known = identifyBy ?? (number % 3 === 0 ? 'nameAndCompany' : 'profileUrl');
		const plain = special ?? clean(resource, number, known);
		const [search] = searchesOf(definition, toBulkBody(resource, [asSent(plain)]));
		if (search === undefined) throw new Error('The sandbox read no search');
		return {
			fields: special ?? written(draw, plain),
			search,
			found: definition.succeeds(search),
			invalid: resource === 'emailVerifier' && special !== undefined ? 'refused' : undefined,
		};
	});
}

/** The body of a bulk request for these searches. */
export function toBulkBody(resource: LookupName, searches: readonly IDataObject[]): JsonObject {
	const lookup = lookups[resource];
	const entries = searches.map((search) =>
		lookup.toListEntry(search as Record<string, string>, undefined),
	);
	return { [lookup.listField]: entries };
}
