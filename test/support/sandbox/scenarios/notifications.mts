import type { JsonObject } from '../types.mts';
import type { Notification, Notified, Scenario, Scenarios } from './types.mts';

const JSON_TYPE = 'application/json';

const json = (value: unknown): Notification => ({
	body: JSON.stringify(value),
	contentType: JSON_TYPE,
});

/** Another body. `custom` is in each that has room for it (section 6). */
const body = (of: (about: Notified & { id: string; custom: unknown }) => unknown): Scenario => ({
	notification: (_, about) => json(of({ ...about, id: about.job.id, custom: about.job.custom })),
});

/** The id alone, under this name. */
const idAs = (name: string): Scenario => body(({ id, custom }) => ({ [name]: id, custom }));

/** The same body under another content type. */
const typed = (contentType: string): Scenario => ({
	notification: (notification) => ({ ...notification, contentType }),
});

const form = (fieldsOf: (about: Notified) => Record<string, string>): Scenario => ({
	notification: (_, about) => ({
		body: new URLSearchParams(fieldsOf(about)).toString(),
		contentType: 'application/x-www-form-urlencoded',
	}),
});

const whole = ({ job: { id, custom }, result }: Notified): JsonObject => ({
	id,
	...result,
	custom,
});

const brief = ({ job: { id, outcome, custom } }: Notified) => ({ id, status: outcome, custom });

/** The completion notification: its body is not shown, nor its headers. */
export const NOTIFICATIONS = {
	notifiedIdAndResult: body(whole),
	/** That of a single job has no id. */
	notifiedResult: body(({ result, custom }) => ({ ...result, custom })),
	/** As older pages have it, which have `notifiedIdAndResult`, too. */
	notifiedIdAndCredits: body(({ id, credits }) => ({ id, credits })),
	notifiedId: idAs('id'),
	notifiedBatchId: idAs('batch_id'),
	notifiedGeneral: body((about) => ({ general: brief(about) })),
	notifiedEventAndData: body((about) => ({
		event: `${about.job.kind}.completed`,
		data: whole(about),
	})),
	notifiedForm: form(({ job }) => ({ id: job.id, status: job.outcome })),
	notifiedAsText: typed('text/plain'),
	notifiedWithoutType: typed(''),
	notifiedAsBytes: typed('application/octet-stream'),
	/** By default a request's own URL goes before those of the account. */
	notifiesBoth: { notifiesBoth: true },
} satisfies Scenarios;
