import type { JsonObject, Lookup } from './types.mts';
import type { WebhookShape } from './variants.mts';

/** What is POSTed to a webhook URL. */
export interface Notification {
	readonly body: string;
	readonly contentType: string;
}

const json = (value: unknown): Notification => ({
	body: JSON.stringify(value),
	contentType: 'application/json',
});

const form = (fields: Record<string, string>): Notification => ({
	body: new URLSearchParams(fields).toString(),
	contentType: 'application/x-www-form-urlencoded',
});

/**
 * The notification for a finished lookup in one of the plausible shapes. `result` is the body of
 * its GET; `earlier` are ids of lookups that finished before. `custom` is in each shape that has
 * room for it (section 6).
 */
export function notification(
	shape: WebhookShape,
	lookup: Lookup,
	result: JsonObject,
	earlier: readonly string[],
): Notification {
	const { id, custom } = lookup;
	const whole = { id, ...result, custom };
	const brief = { id, status: lookup.outcome, custom };
	switch (shape) {
		case 'idAndResult':
			return json(whole);
		case 'result':
			// The result of a single lookup has no id of its own.
			return json('general' in result ? { ...result, custom } : whole);
		case 'id':
			return json({ id, custom });
		case 'searchId':
			return json({ search_id: id, custom });
		case 'batchId':
			return json({ batch_id: id, custom });
		case 'verificationId':
			return json({ verification_id: id, custom });
		case 'general':
			return json({ general: brief });
		case 'data':
			return json({ data: whole });
		case 'eventAndData':
			return json({ event: `${lookup.kind}.completed`, data: whole });
		case 'eventAndPayload':
			return json({ event: 'completed', payload: { result: { id, custom } } });
		case 'array':
			return json([whole]);
		case 'arrayOfSeveral':
			return json([brief, ...earlier.map((other) => ({ id: other }))]);
		case 'form':
			return form({ id, status: lookup.outcome });
		case 'formWithJson':
			return form({ payload: JSON.stringify(whole) });
		case 'text':
			return { body: JSON.stringify(whole), contentType: 'text/plain' };
		case 'bodyString':
			return json({ body: JSON.stringify(whole) });
	}
}
