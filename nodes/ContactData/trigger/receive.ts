import type { INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';
import { connectForCallback } from '../input/callbackCredential';
import type { StateReading } from '../waiting/readState';
import { readState } from '../waiting/readState';
import type { LookupEvent } from '../lookups/events';
import { lookupEvents } from '../lookups/events';
import { toTriggerItems } from './items';
import { findIds, orderByLikelihood, readMark } from './notification';
import { SeenIds } from './seen';

/** Reads that one call may cause, whatever is in its body. */
const MAX_READS = 6;
/** No read begins later than this; the sender is waiting. */
const READING_MS = 5_000;

/** What a notification comes to: the answer, and the items that start the workflow. */
export interface NotificationAnswer {
	status: 200 | 400 | 404 | 503;
	message: string;
	items?: INodeExecutionData[];
}

const STARTED: NotificationAnswer = { status: 200, message: 'The workflow was started' };
const NO_ID: NotificationAnswer = { status: 400, message: 'There is no id in this notification' };
const OTHER_EVENT: NotificationAnswer = {
	status: 200,
	message: 'This trigger does not listen to this event',
};
const ALREADY_SEEN: NotificationAnswer = { status: 200, message: 'This id has been seen before' };
const NOTHING_LEFT: NotificationAnswer = {
	status: 200,
	message: 'There is no result to start with',
};
const UNKNOWN: NotificationAnswer = {
	status: 404,
	message: 'There is no such lookup in this account',
};
const UNFINISHED: NotificationAnswer = { status: 503, message: 'The lookup is not finished' };
export const UNREACHABLE: NotificationAnswer = {
	status: 503,
	message: 'The service could not be asked',
};

/**
 * Judges a notification. Nothing in it is believed but that it may name an id: what the service
 * answers for that id, asked with the user's key, is what the workflow gets.
 */
export async function receive(context: IWebhookFunctions): Promise<NotificationAnswer> {
	const body: unknown = context.getBodyData();
	const query: unknown = context.getQueryData();
	const ids = findIds(body, query);
	if (ids.length === 0) return NO_ID;

	const selected = context.getNodeParameter('events', []);
	const isSelected = ({ name }: LookupEvent) => Array.isArray(selected) && selected.includes(name);
	const marked = readMark(query, lookupEvents);
	if (marked !== undefined && !isSelected(marked)) return OTHER_EVENT;

	const seen = context.getMode() === 'manual' ? undefined : seenBy(context);
	const fresh = ids.filter((id) => seen?.has(id) !== true);
	if (fresh.length === 0) return ALREADY_SEEN;

	const likely = marked === undefined ? orderByLikelihood(body, lookupEvents) : [marked];
	const events = [...likely.filter(isSelected), ...likely.filter((event) => !isSelected(event))];
	const known = await identifyLookup(context, fresh, events);
	if ('status' in known) {
		return known.status === 404 && fresh.length < ids.length ? ALREADY_SEEN : known;
	}
	const { id, event, reading } = known;
	if (!isSelected(event)) return OTHER_EVENT;
	if (reading.kind === 'ongoing') return UNFINISHED;
	const items = toTriggerItems(context, id, event, reading);
	// A call at the same moment may have been quicker.
	if (seen?.add(id) === false) return ALREADY_SEEN;
	return items.length > 0 ? { ...STARTED, items } : NOTHING_LEFT;
}

function seenBy(context: IWebhookFunctions): SeenIds {
	const trigger = `${context.getWorkflow().id ?? ''} ${context.getNode().id}`;
	return SeenIds.of(trigger, context.getWorkflowStaticData('node'));
}

/** A lookup of this account that one of the ids belongs to. */
interface KnownLookup {
	id: string;
	event: LookupEvent;
	reading: Exclude<StateReading, { kind: 'fault' }>;
}

/** Asks the service until it knows one of the ids; all kinds for the likeliest id come first. */
async function identifyLookup(
	context: IWebhookFunctions,
	ids: string[],
	events: LookupEvent[],
): Promise<KnownLookup | NotificationAnswer> {
	const connection = await connectForCallback(context);
	const deadline = Date.now() + READING_MS;
	const questions = ids.flatMap((id) => events.map((event) => ({ id, event }))).slice(0, MAX_READS);
	let answer = UNKNOWN;
	for (const { id, event } of questions) {
		const leftMs = deadline - Date.now();
		if (leftMs <= 0) return UNREACHABLE;
		const { lookup, size } = event;
		const reading = await readState({ connection, lookup, size }, id, leftMs);
		if (reading.kind !== 'fault') return { id, event, reading };
		// An account without this lookup may have the other ones.
		const notInPlan = lookup.notInPlan?.test(reading.refusal.message) === true;
		if (reading.fault === 'refused' || notInPlan) continue;
		answer = UNREACHABLE;
		if (reading.fault === 'lasting') break;
	}
	return answer;
}
