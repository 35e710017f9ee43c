import type { JsonObject, Job, Outcome, ProfileField, ServiceResponse } from '../types.mts';

/** What is POSTed to a webhook URL. */
export interface Notification {
	readonly body: string;
	/** Empty for none. */
	readonly contentType: string;
}

/** What a notification is about. */
export interface Notified {
	readonly job: Job;
	/** The body of its GET. */
	readonly result: JsonObject;
	readonly credits: JsonObject;
}

/** Why a request is refused, where its status does not tell. */
export interface Refusal {
	readonly reason?: 'unknownId';
	/** Until the next request is taken. */
	readonly waitMs?: number;
	/** How many requests a second are taken, where these were too many. */
	readonly limit?: number;
	/** Which one of a batch is bad, counted from 1, and how many it has. */
	readonly badEntry?: { readonly number: number; readonly of: number };
}

/**
 * One way in which the service may answer otherwise than it does by default: what it changes of that.
 * Several at once act in the order of the table.
 */
export interface Scenario {
	/** By default `linkedin_url`. */
	readonly profileField?: ProfileField;
	/** How batches end that are started from then on. */
	readonly batchEnds?: Outcome;
	/** The same of single jobs. */
	readonly singleEnds?: Outcome;
	/** How long a result cannot be read yet, though the notification is sent. */
	readonly unreadableForMs?: number;
	/** How long a job that is over still says that it is not. */
	readonly ongoingForMs?: number;
	/** Which seconds the limit counts in: by default any, or else those of the service's clock. */
	readonly rateWindow?: 'fixed';
	/** Whether the registered URLs are notified beside the one that a request names. */
	readonly notifiesBoth?: boolean;

	/** The answer to a POST. */
	readonly receipt?: (body: JsonObject, job: Job) => JsonObject;
	/** The answer to a GET of what still runs; `completed` gives what it may come to. */
	readonly ongoing?: (
		answer: ServiceResponse,
		job: Job,
		completed: () => JsonObject,
	) => ServiceResponse;
	/** `results` of a batch that is completed. */
	readonly entries?: (entries: readonly JsonObject[], job: Job) => readonly JsonObject[];
	/** The body of a GET of what is over. */
	readonly result?: (body: JsonObject, job: Job, completed: () => JsonObject) => JsonObject;
	/** The answer to `GET /account/info`. */
	readonly info?: (body: JsonObject) => ServiceResponse;
	/** Whatever the service refuses. */
	readonly refusal?: (answer: ServiceResponse, about: Refusal) => ServiceResponse;
	/** Every answer, at last. */
	readonly answer?: (answer: ServiceResponse) => ServiceResponse;
	readonly notification?: (notification: Notification, about: Notified) => Notification;
}

/** Some rows of the table. */
export type Scenarios = Readonly<Record<string, Scenario>>;
