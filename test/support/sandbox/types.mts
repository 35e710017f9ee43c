import type { LookupName } from '../../../nodes/ContactData/lookups/index.ts';

/** The lookups, one and many, under the names that the trigger node uses for their events. */
export type Kind = `${LookupName}${'Single' | 'Bulk'}`;

export type JsonObject = Record<string, unknown>;

/** A request as the service sees it, whatever carried it. Header names are in lower case. */
export interface ServiceRequest {
	readonly method: string;
	/** Relative to the base URL, e.g. `/email/find/single`. */
	readonly path: string;
	readonly query: Readonly<Record<string, string | undefined>>;
	readonly headers: Readonly<Record<string, string | undefined>>;
	/** The parsed JSON; undefined when there was no body. */
	readonly body?: unknown;
	/** There was a body, and it could not be parsed. */
	readonly rawBodyInvalid?: boolean;
}

/**
 * An answer of the service. Properties that are undefined are left out on the wire. A body that is
 * not JSON is a string with its own `content-type`.
 */
export interface ServiceResponse {
	readonly status: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body: unknown;
}

/** One person or address to look up. */
export interface Search {
	/** What is looked up, in one canonical string: equal searches have equal strings. */
	readonly canonical: string;
	/** The parameters as they were sent, but for what the service does not know; in a batch, with the search's own `custom`. */
	readonly params: JsonObject;
}

/** The field of a phone search from which the service reads the profile; it ignores the other. */
export type ProfileField = 'linkedin_url' | 'socialprofile_url';

/** What a POST asks for, once its payload is found good. */
export interface Submission {
	readonly kind: Kind;
	readonly searches: readonly Search[];
	readonly custom?: unknown;
	readonly settings: JsonObject;
}

/** A submission that was accepted and charged. Times are in ms, as `Date.now()` gives them. */
export interface Job extends Submission {
	readonly id: string;
	readonly account: string;
	readonly startedAt: number;
	/** Until then it may be moved: see `SandboxService.finish`. */
	completesAt: number;
	/** Credits for one search. */
	readonly price: number;
	/** How it ends, settled at the start. */
	readonly outcome: Outcome;
}

export type Outcome = 'completed' | 'failed';

/** What is peculiar to one kind of lookup: paths, the error table's rows, answers. */
export interface LookupDefinition {
	readonly kind: Kind;
	readonly path: string;
	readonly size: 'single' | 'bulk';
	/** Credits for one search. */
	readonly price: number;
	/** Finder and phone: searches without a result are refunded. */
	readonly refundsMisses: boolean;
	/** Whether a search has a result. */
	readonly succeeds: (search: Search) => boolean;
	/** Checks the payload by the error table. Throws `Refused`. */
	readonly read: (request: ServiceRequest, profileField?: ProfileField) => Submission;
	/** Status and message of the creation response, and whether it has `credits` (2.9). */
	readonly created: {
		readonly status: 200 | 201;
		readonly message: string;
		readonly credits: 'given' | 'absent';
	};
	/** The body of the GET while it runs. */
	readonly ongoing: (job: Job, finished: number) => JsonObject;
	/** The body of the finished GET of a single job; or, of a batch, what is beside its results. */
	readonly completed: (job: Job) => JsonObject;
	/** The results of a batch. */
	readonly entries?: (job: Job) => readonly JsonObject[];
	/** The `event` of its notification. */
	readonly event: string;
	/** Why a GET gives no result: status and message of the error table. */
	readonly failures: {
		readonly missingId: readonly [status: number, message: string];
		readonly unknownId: readonly [status: number, message: string];
		readonly unreadable: readonly [status: number, message: string];
	};
}
