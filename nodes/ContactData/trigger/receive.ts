import type { INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';
import { CallLimit } from '../common/callLimit';
import { monotonicMs } from '../common/clock';
import { RecentMap } from '../common/recentMap';
import { connectForCallback } from '../input/callbackCredential';
import type { LookupEvent } from '../lookups/events';
import { lookupEvents } from '../lookups/events';
import { readNotified } from '../service/notifiedIds';
import { NOT_ASKED } from '../service/refusals';
import type { Connection } from '../service/request';
import type { Fate } from '../service/state';
import { readOwnId } from '../service/state';
import { lookout } from '../pausing/lookout';
import { lookAt } from '../waiting/look';
import { toTriggerItems } from './items';
import { orderByLikelihood, readMark } from './notification';
import { SeenIds } from './seen';

/** Reads that one call may cause, whatever is in its body: one id as each kind of lookup. */
const MAX_READS = lookupEvents.length;
/** Shorter than a sender's pause: a result may be readable only a moment after its notification. */
const REPEATS_MS = 500;

/** For a notification that comes again after it had too little time: who sends it need not wait. */
const LONG_READ_MS = 60_000;
/** They hold places of other notifications. */
const longReads = new CallLimit({ ofOne: 1, inProcess: 4 });

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
	message: 'There is no such search in this account',
};
const ASKED_ALREADY: NotificationAnswer = {
	status: 503,
	message: 'The service was asked a moment ago',
};
const UNFINISHED: NotificationAnswer = { status: 503, message: 'The search is not finished' };
export const UNREACHABLE: NotificationAnswer = { status: 503, message: NOT_ASKED };

/**
 * Judges a notification. Nothing in it is believed but that it may name an id: what the service
 * answers for that id, asked with the user's key, is what the workflow gets.
 * @param withinMs how long the service may be asked, as the sender is waiting
 */
export async function receive(
	context: IWebhookFunctions,
	withinMs: number,
): Promise<NotificationAnswer> {
	const query: unknown = context.getQueryData();
	const { ids, words } = readNotified(context.getBodyData(), query);
	if (ids.length === 0) return NO_ID;

	const selected = context.getNodeParameter('events', []);
	const isSelected = ({ name }: LookupEvent) => Array.isArray(selected) && selected.includes(name);
	const marked = readMark(query, lookupEvents);
	if (marked !== undefined && !isSelected(marked)) return OTHER_EVENT;

	const seen =
		context.getMode() === 'manual'
			? undefined
			: SeenIds.of(triggerName(context), context.getWorkflowStaticData('node'));
	const likely = marked === undefined ? orderByLikelihood(words, lookupEvents) : [marked];
	const events = [...likely.filter(isSelected), ...likely.filter((event) => !isSelected(event))];
	// All kinds for the likeliest id come first. Two kinds may have the same id.
	const possible = ids.flatMap((id) => events.map((event) => ({ id, event })));
	const isSeen = (name: string) => seen?.has(name) === true;
	// An earlier version remembered ids without their kinds.
	const fresh = possible.filter((one) => !isSeen(seenId(one)) && !isSeen(one.id));
	if (fresh.length === 0) return ALREADY_SEEN;
	const questions = fresh.slice(0, MAX_READS);
	const connection = await connectForCallback(context);
	const names = [triggerName(context), connection.account.fingerprint, ...questions.map(seenId)];
	const asked = JSON.stringify(names);
	// A sender may give each of its attempts another id, which comes after that of the lookup.
	const likeliest = JSON.stringify(names.slice(0, 3));
	const repeated = answersToRepeats.get(asked);
	if (repeated !== undefined && monotonicMs() < repeated.until) return repeated.answer;
	const longRead = tooSlow.has(likeliest) ? longReads.begin(triggerName(context)) : undefined;
	const timeMs = longRead === undefined ? withinMs : LONG_READ_MS;
	const known = await identifyLookup(connection, questions, isSelected, timeMs).finally(() =>
		longRead?.end(),
	);
	if ('status' in known) {
		if (known === UNREACHABLE) tooSlow.set(likeliest, known);
		if (known.status !== 404) return known;
		if (fresh.length < possible.length) return answerRepeats(asked, ALREADY_SEEN);
		answerRepeats(asked, ASKED_ALREADY);
		return known;
	}
	const { id, event, reading } = known;
	if (reading.kind !== 'ongoing') {
		lookout.noteEnded({ connection, ...event }, id, reading);
	}
	if (!isSelected(event)) return answerRepeats(asked, OTHER_EVENT);
	if (reading.kind === 'ongoing') return UNFINISHED;
	const items = toTriggerItems(context, id, event, reading);
	const ownId = reading.kind === 'completed' ? readOwnId(reading.body) : undefined;
	// A call at the same moment may have been quicker, or one that spelled the id in another way.
	if (seen?.add(seenId({ id: ownId ?? id, event })) === false) return ALREADY_SEEN;
	return items.length > 0 ? { ...STARTED, items } : NOTHING_LEFT;
}

/** Answers to notifications that brought nothing, by what the service was asked for them. */
const answersToRepeats = new RecentMap<string, { answer: NotificationAnswer; until: number }>(
	1_000,
);

/** Notifications for which there was too little time: the results of a big batch take a while. */
const tooSlow = new RecentMap<string, NotificationAnswer>(1_000);

function answerRepeats(asked: string, answer: NotificationAnswer): NotificationAnswer {
	answersToRepeats.set(asked, { answer, until: monotonicMs() + REPEATS_MS });
	return answer;
}

/** What a trigger goes by in the memory of this process. */
export function triggerName(context: IWebhookFunctions): string {
	return JSON.stringify([context.getWorkflow().id, context.getNode().id]);
}

/** Whether a lookup is known by this id as this kind. */
interface Question {
	id: string;
	event: LookupEvent;
}

/** Services may ignore the case of ids, and then anybody could start the workflow with each spelling. */
function seenId({ id, event }: Question): string {
	return `${event.name} ${id.toLowerCase()}`;
}

/** A lookup of this account that one of the ids belongs to. */
interface KnownLookup extends Question {
	reading: Exclude<Fate, { kind: 'fault' }>;
}

/**
 * Asks the service until it knows one of the ids as the kind that is asked for. What still runs as one
 * kind may be finished as another that is listened to.
 */
async function identifyLookup(
	connection: Connection,
	questions: Question[],
	isSelected: (event: LookupEvent) => boolean,
	withinMs: number,
): Promise<KnownLookup | NotificationAnswer> {
	const deadline = monotonicMs() + withinMs;
	let known: KnownLookup | NotificationAnswer = UNKNOWN;
	for (const { id, event } of questions) {
		if ('id' in known && id !== known.id) continue;
		// What it is as another kind does not matter while it may be one that is listened to.
		if (known !== UNKNOWN && !isSelected(event)) continue;
		const { lookup, size } = event;
		// Where no time is left, nothing is asked, and that is a fault.
		const reading = await lookAt({ connection, lookup, size }, id, deadline - monotonicMs());
		if (reading.kind !== 'fault') {
			known = { id, event, reading };
			if (reading.kind === 'ongoing') continue;
			break;
		}
		// An account without this lookup may have the other ones.
		const notInPlan = lookup.notInPlan?.test(reading.refusal.message) === true;
		if (reading.fault === 'refused' || notInPlan) continue;
		if (known === UNKNOWN) known = UNREACHABLE;
		if (reading.fault === 'lasting') break;
	}
	return known;
}
