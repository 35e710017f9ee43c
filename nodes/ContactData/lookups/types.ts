import type { IDataObject } from 'n8n-workflow';
import type { FieldKind } from './fields';

export type LookupName = 'emailFinder' | 'emailVerifier' | 'phoneFinder';
export type Size = 'single' | 'bulk';

/** One search or verification: the service's field names with checked, non-empty texts. */
export type Search = Readonly<Record<string, string>>;

/** One field of a search, as the user and the service know it. */
export interface SearchField {
	/** The service's name, e.g. `company_domain`. */
	name: string;
	/** The node parameter's name, e.g. `companyDomain`. */
	parameter: string;
	/** What the user reads, e.g. `Company Domain`. */
	label: string;
	kind: FieldKind;
	/** Shown only for this value of 'Identify By'. */
	identifyBy?: 'profileUrl' | 'nameAndCompany';
}

/** What is wrong with an input, and how to mend it, in the user's words. */
export interface Problem {
	message: string;
	description: string;
}

/** Ends the reading of an item by throwing its problem. */
export type Refuse = (problem: Problem) => never;

/** Everything that is peculiar to one lookup. All else is the same for all of them. */
export interface Lookup {
	name: LookupName;
	/** Followed by `/single` or `/bulk`. */
	path: string;
	/** The field of a bulk request that holds the list. */
	listField: 'searches' | 'verifications';
	/** Entries in one batch at most (`service-api.md` section 8). */
	batchLimit: number;
	/** Credits for one entry, where `service-api.md` section 8 gives them. */
	documentedPrice?: { credits: number; mayVary: boolean };
	noun: { one: string; many: string };
	/** How the summary calls a result with `found: true`. */
	foundWord: 'Found' | 'Deliverable';
	fields: readonly SearchField[];
	/** What a search lacks to be complete, in the user's words. */
	missing(search: Search): Problem | undefined;
	/** The fields by which the service looks; equal identities are one search. */
	identity(search: Search): Search;
	/** The form of `custom` of a single submission; a batch's is always an object. */
	singleCustom: 'object' | 'text';
	/** The `settings` that this lookup alone has, from the Options of an item. */
	readSettings?(options: IDataObject, refuse: Refuse): IDataObject;
	/** The entry of a bulk request's list. */
	toListEntry(search: Search, custom: unknown): unknown;
	/** An entry of a list that the user wrote: its fields, and its custom data. */
	fromListEntry(entry: unknown): { fields: IDataObject; custom?: unknown } | undefined;
	/** The search that a bulk result repeats, under the service's field names. */
	echo(result: IDataObject): IDataObject;
	/** The search under the name by which the service repeats it. */
	toEcho(search: Search): IDataObject;
	/** Whether the entries of a bulk request have a `custom` of their own. */
	itemCustom: boolean;
	/** The result that a search has when a finished batch does not list it. */
	leftOut?: IDataObject;
}
