import type { INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';
import { monotonicMs } from '../common/clock';
import { connectForCallback } from '../input/callbackCredential';
import type { LookupEvent } from '../lookups/events';
import { lookupEvents } from '../lookups/events';
import { findIds } from '../service/notifiedIds';
import type { StateReading } from '../waiting/readState';
import { readState } from '../waiting/readState';
import { toTriggerItems } from './items';
import { orderByLikelihood, readMark } from './notification';
import { SeenIds } from './seen';

/** Reads that one call may cause, whatever is in its body: one id as each kind of lookup. */
const MAX_READS = lookupEvents.length;
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
	const likely = marked === undefined ? orderByLikelihood(body, lookupEvents) : [marked];
	const events = [...likely.filter(isSelected), ...likely.filter((event) => !isSelected(event))];
	// All kinds for the likeliest id come first. Two kinds may have the same id.
	const possible = ids.flatMap((id) => events.map((event) => ({ id, event })));
	const isSeen = (name: string) => seen?.has(name) === true;
	// An earlier version remembered ids without their kinds.
	const fresh = possible.filter(({ id, event }) => !isSeen(seenId(id, event)) && !isSeen(id));
	if (fresh.length === 0) return ALREADY_SEEN;
	const known = await identifyLookup(context, fresh.slice(0, MAX_READS));
	if ('status' in known) {
		return known.status === 404 && fresh.length < possible.length ? ALREADY_SEEN : known;
	}
	const { id, event, reading } = known;
	if (!isSelected(event)) return OTHER_EVENT;
	if (reading.kind === 'ongoing') return UNFINISHED;
	const items = toTriggerItems(context, id, event, reading);
	// A call at the same moment may have been quicker.
	if (seen?.add(seenId(id, event)) === false) return ALREADY_SEEN;
	return items.length > 0 ? { ...STARTED, items } : NOTHING_LEFT;
}

function seenId(id: string, { name }: LookupEvent): string {
	return `${name} ${id}`;
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

/** Asks the service until it knows one of the ids as the kind that is asked for. */
async function identifyLookup(
	context: IWebhookFunctions,
	questions: Array<{ id: string; event: LookupEvent }>,
): Promise<KnownLookup | NotificationAnswer> {
	const connection = await connectForCallback(context);
	const deadline = monotonicMs() + READING_MS;
	let answer = UNKNOWN;
	for (const { id, event } of questions) {
		const leftMs = deadline - monotonicMs();
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
