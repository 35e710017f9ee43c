import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Remedy, Problem } from '../common/errors';
import type { FieldKind } from '../values/types';

/** One lookup at a time, or a batch of them. */
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
	/** Shown only for this value of the lookup's choice. */
	shownFor?: string;
	/** The name that other services, and lists, have for it: it is sent and read under both. */
	otherName?: string;
	/** Whether a value that cannot be used is left out where the others make a search. */
	mayBeLeftOut?: boolean;
	/** What else the editor shows. */
	editor: Pick<INodeProperties, 'required' | 'placeholder' | 'description' | 'hint'>;
}

/** An entry of Options that one lookup alone has. */
export interface LookupOption {
	property: INodeProperties;
	/** The service's name for it, in `settings`. */
	setting: string;
	/** Whether a search is another one, and paid for again, where it differs. */
	changesResult: boolean;
	/** The column of a simplified result that is there where it was asked for. */
	column?: string;
	/**
	 * What is sent with a search; `undefined` for nothing.
	 * @throws ProblemError for a value that is none
	 */
	read(optionOf: OptionOf, search: Search): string | boolean | undefined;
}

/** What the user gave for an entry of Options. */
export type OptionOf = (name: string) => unknown;

/** What to do about a message of the service. */
export interface Advice {
	says: RegExp;
	advice: string;
	remedy?: Remedy;
}

/** All that differs from lookup to lookup: at the service, in the editor, and in the results. */
export interface Lookup {
	/** The value of 'Resource'. */
	name: string;
	/** What the user reads for it. */
	title: string;

	/** Followed by `/single` or `/bulk`. */
	path: string;
	/** The field of a bulk request that holds the list, which is also the name of its parameter. */
	listField: string;
	/** Entries in one batch at most (`service-api.md` section 8). */
	batchLimit: number;
	/**
	 * Credits for one entry: as `service-api.md` section 8 has them for every plan and size, or usually; and the
	 * least that any plan is known to pay.
	 */
	price: { credits: number; least: number; isDocumented: boolean };
	/** Whether a batch gives back the credits of whoever is not found (`service-api.md` section 3). */
	batchRefunds: boolean;
	/** What the editor shows before something is submitted, where that costs much. */
	costHint?: { message: string };
	/** What to do about messages that only this lookup has. */
	advice: readonly Advice[];
	/** The same where the message is about a value that was sent; `undefined` for other messages. */
	adviceOnValue?(message: string, search: Search): string | undefined;

	noun: { one: string; many: string };
	/** The words of its operations, in the editor and to AI models. */
	words: {
		/** Find, or Verify. */
		verb: string;
		/** Search, or Verification. */
		task: string;
		/** What is found or verified, in the action texts. */
		goal: string;
		goals: string;
		/** The same in a sentence. */
		each: string;
		many: string;
		/** What one input item holds. */
		subject: string;
		subjects: string;
		/** The choice of 'Input Mode' for one of them in each item, e.g. `One Search per Item`. */
		perItem: string;
		/** Searched, or verified. */
		done: string;
		/** How the summary calls a result with `found: true`. */
		found: string;
		/** And one with `found: false`. */
		notFound: string;
	};
	/**
	 * The service's fields. They tell results apart, so tests demand two things of them:
	 * - Some search needs each of them. A value that is always optional and changes the search (a country) is
	 *   an option with `changesResult` instead: a result that does not repeat it would count for both searches.
	 * - Each search has a person's name, an email address or a profile URL, or a field in `identifiedBy`: only
	 *   these show that a result is another search's.
	 */
	fields: readonly SearchField[];
	/** Other fields that tell a result from another search's: of a lookup of companies, their names. */
	identifiedBy?: readonly string[];
	/** The fields that the user fills in, where they differ, and how the service's fields are made of them. */
	inputs?: { fields: readonly SearchField[]; combine(given: Search): Search };
	/** The parameter by which one chooses which fields to fill in; for `either` those of all its values. */
	choice?: { property: INodeProperties; either?: string };
	options: readonly LookupOption[];
	/** The parameter of 'Input Mode' List in One Item, named as in `listField`. */
	list: Pick<INodeProperties, 'displayName' | 'default' | 'description' | 'hint'>;

	/**
	 * What the filled-in fields lack to be a search.
	 * @param isShown whether a field could be filled in
	 */
	missing(given: Search, isShown: (name: string) => boolean): Problem | undefined;
	/** The fields by which the service looks; equal identities under equal options are one search. */
	identity(search: Search): Search;
	/** Whether it judges what it is given: what cannot exist has its result without being asked for. */
	judgesInput: boolean;
	/** The service's refusal of what cannot exist, which is the result of its search. */
	saysInvalid?: RegExp;
	/** The form of `custom` of a single submission; a batch's is always an object. */
	singleCustom: 'object' | 'text';
	/** Whether the entries of a bulk request have a `custom` of their own. */
	itemCustom: boolean;
	/** The entry of a bulk request's list. */
	toListEntry(search: Search, custom: unknown): unknown;
	/** An entry of a list that the user wrote: its fields, and its custom data. */
	fromListEntry(
		entry: unknown,
	): { fields: Readonly<Record<string, unknown>>; custom?: unknown } | undefined;

	/** The columns of a simplified result: those of what is found, and those of whom it is about. A number becomes text. */
	columns: {
		/** Whom it is about in a glance, by the value of the lookup's choice; of `about`. */
		who(choice: string | undefined): readonly string[];
		found: readonly string[];
		about: readonly string[];
	};
	/** The search that a bulk result repeats, under the service's field names. */
	echo(result: IDataObject): IDataObject;
	/** The person and the company that a result names, under the columns' names, where it does not only repeat them. */
	about?(result: IDataObject): IDataObject;
	/** The search under the name by which the service repeats it. */
	toEcho(search: Search): IDataObject;
	/** Whether a batch may list several answers for one search, of which the first is given. */
	oneResultOfSeveral: boolean;
	/** The result that a search has when a finished batch does not list it. */
	unlistedResult?: IDataObject;
	/** The `event` of the service's notifications. */
	notifiedAs: Readonly<Record<Size, string>>;
}
