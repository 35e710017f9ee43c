import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { CallLimit, TOO_MANY_CALLS } from '../common/bounds';
import { monotonicMs } from '../common/time';
import { ensureError } from '../common/errors';
import { isRecord } from '../common/values';
import { connectForCallback } from '../input/credential';
import type { LookupEvent } from '../lookups';
import { EVENT_PARAMETER, lookupEvents } from '../lookups';
import { MAX_JSON_TEXT_LENGTH, readNotification } from '../service/notification';
import type { Fault } from '../service/reading';
import { NOT_ASKED } from '../service/refusals';
import type { Connection } from '../service/request';
import type { Shown } from '../service/state';
import { hasEnded, readOwnId } from '../service/state';
import { lookout } from '../pausing/lookout';
import { lookAt } from '../waiting/look';
import { toTriggerItems } from './triggerItems';
import { SeenIds } from './seen';

/** Looks of the first round, whatever is in a notification: one id as each kind of lookup. */
const MAX_LOOKS = lookupEvents.length;
const ROUND_MS = 5_000;

/** Where the kind is known: a result may be readable only some time after its notification. */
const LOOK_AGAIN_AFTER_MS = [2_000, 8_000, 20_000];
/** How long a sender waits for its answer. */
const PATIENCE_MS = 30_000;

/** Anybody may know the URL of a trigger. */
const notifications = new CallLimit({ ofOne: 12, inProcess: 24 });
/** Those that wait for the service: invented ids must not hold all places for so long. */
const waiting = new CallLimit({ ofOne: 4, inProcess: 8 });

/** What a notification comes to: the answer, and the items that start the workflow. */
interface NotificationAnswer {
	status: 200 | 400 | 404 | 503;
	message: string;
	items?: INodeExecutionData[];
}

const STARTED = { status: 200, message: 'The workflow was started' } as const;
const OTHER_EVENT = { status: 200, message: 'This trigger does not listen to this event' } as const;
const ALREADY_SEEN = { status: 200, message: 'This id has been seen before' } as const;
const NOTHING_LEFT = { status: 200, message: 'There is no result to start with' } as const;
const NO_ID = { status: 400, message: 'There is no id in this notification' } as const;
const UNKNOWN = { status: 404, message: 'There is no such search in this account' } as const;
const UNFINISHED = { status: 503, message: 'The search is not finished' } as const;
const UNREACHABLE = { status: 503, message: NOT_ASKED } as const;
const TOO_MANY = { status: 503, message: TOO_MANY_CALLS } as const;

/** Whether an id belongs to a lookup of this kind. */
interface Question {
	id: string;
	event: LookupEvent;
}

/** A question, and what the service said to it. */
interface Look extends Question {
	fate: Shown;
}

/**
 * Answers the sender, always, and starts the workflow where there is something to start it with.
 * n8n would answer by itself only after the start, and then it does not save the static data.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const { status, message, items } = await judgeSafely(context);
	context.getResponseObject().status(status).json({ message });
	return { noWebhookResponse: true, ...(items !== undefined && { workflowData: [items] }) };
}

/** A fault of ours or of the credential: a sender that redelivers will be heard later. */
async function judgeSafely(context: IWebhookFunctions): Promise<NotificationAnswer> {
	const trigger = JSON.stringify([context.getWorkflow().id, context.getNode().id]);
	const place = notifications.begin(trigger);
	if (place === undefined) return TOO_MANY;
	try {
		return await judge(context, trigger);
	} catch (error) {
		context.logger.error(`A notification could not be judged: ${ensureError(error).message}`);
		return UNREACHABLE;
	} finally {
		place.end();
	}
}

/**
 * Judges a notification. Nothing in it is believed but that it may name an id: what the service
 * answers for that id, asked with the user's key, is what the workflow gets.
 */
async function judge(context: IWebhookFunctions, trigger: string): Promise<NotificationAnswer> {
	const begunAt = monotonicMs();
	const query: unknown = context.getQueryData();
	const said = readNotification(context.getBodyData(), readRawBody(context), query);
	if (said.ids.length === 0) return NO_ID;

	const selected = context.getNodeParameter('events', []);
	const isSelected = ({ name }: LookupEvent) => Array.isArray(selected) && selected.includes(name);
	const marked = readMark(query);
	if (marked !== undefined && !isSelected(marked)) return OTHER_EVENT;
	const expected = [marked, said.event].filter((event) => event !== undefined).find(isSelected);

	const seen =
		context.getMode() === 'manual'
			? undefined
			: SeenIds.of(trigger, context.getWorkflowStaticData('node'));
	const events = marked === undefined ? lookupEvents : [marked];
	const possible = listQuestions(said.ids, expected, [
		...events.filter(isSelected),
		...events.filter((event) => !isSelected(event)),
	]);
	const fresh = possible.filter((question) => seen?.has(seenId(question)) !== true);
	if (fresh.length === 0) return ALREADY_SEEN;
	const hasSeen = fresh.length < possible.length;

	const connection = await connectForCallback(context);
	const looks = await lookAtEach(connection, fresh.slice(0, MAX_LOOKS));
	const findKnown = () => looks.find(({ fate }) => fate.kind !== 'fault');
	const unsure = findKnown() ?? looks[0];
	const isRepeat = hasSeen && unsure !== undefined && faultOf(unsure) === 'refused';
	if (unsure !== undefined && unsure.event === expected && !isRepeat) {
		unsure.fate = await lookAgain(connection, unsure, trigger, begunAt);
	}
	const known = findKnown();
	if (known === undefined) {
		if (!looks.every((look) => faultOf(look) === 'refused')) return UNREACHABLE;
		return hasSeen ? ALREADY_SEEN : UNKNOWN;
	}
	const { id, event, fate } = known;
	if (hasEnded(fate)) lookout.noteEnded({ connection, ...event }, id, fate);
	if (!isSelected(event)) return OTHER_EVENT;
	if (!hasEnded(fate)) return UNFINISHED;
	const items = toTriggerItems(context, id, event, fate);
	const ownId = fate.kind === 'completed' ? readOwnId(fate.body) : undefined;
	// A call at the same moment may have been quicker, or one that spelled the id in another way.
	if (seen?.add(seenId({ id: ownId ?? id, event })) === false) return ALREADY_SEEN;
	return items.length > 0 ? { ...STARTED, items } : NOTHING_LEFT;
}

/** n8n leaves JSON unparsed whose content type it does not know. */
function readRawBody(context: IWebhookFunctions): string | undefined {
	const { rawBody }: { rawBody?: Buffer } = context.getRequestObject();
	return rawBody?.toString('utf8', 0, MAX_JSON_TEXT_LENGTH);
}

/** The event that our own mark in the URL names; `undefined` where there is none that we know. */
function readMark(query: unknown): LookupEvent | undefined {
	const mark = isRecord(query) ? query[EVENT_PARAMETER] : undefined;
	return lookupEvents.find(({ name }) => name === mark);
}

/** Each id as each kind, id by id; but first of all as the expected kind. */
function listQuestions(
	ids: readonly string[],
	expected: LookupEvent | undefined,
	events: readonly LookupEvent[],
): Question[] {
	const all = ids.flatMap((id) => events.map((event) => ({ id, event })));
	const isExpected = ({ event }: Question) => event === expected;
	return [...all.filter(isExpected), ...all.filter((question) => !isExpected(question))];
}

/** Services may ignore the case of ids, and then anybody could start the workflow with each spelling. */
function seenId({ id, event }: Question): string {
	return `${event.name} ${id.toLowerCase()}`;
}

/** Asks one question after the other, until the service knows an id as the kind that is asked for. */
async function lookAtEach(connection: Connection, questions: Question[]): Promise<Look[]> {
	const endsAt = monotonicMs() + ROUND_MS;
	const looks: Look[] = [];
	for (const { id, event } of questions) {
		// Where no time is left, nothing is asked, and that is a fault.
		const fate = await lookAt({ connection, ...event }, id, endsAt - monotonicMs());
		looks.push({ id, event, fate });
		const fault = faultOf({ event, fate });
		if (fault === undefined || fault === 'lasting') break;
	}
	return looks;
}

/** What became of a lookup some time later; where all places are taken, nothing new. */
async function lookAgain(
	connection: Connection,
	{ id, event, ...look }: Look,
	trigger: string,
	begunAt: number,
): Promise<Shown> {
	const isOpen = (fate: Shown) => !hasEnded(fate) && faultOf({ event, fate }) !== 'lasting';
	const place = isOpen(look.fate) ? waiting.begin(trigger) : undefined;
	if (place === undefined) return look.fate;
	try {
		let { fate } = look;
		for (const ms of LOOK_AGAIN_AFTER_MS) {
			if (!isOpen(fate)) break;
			await sleep(begunAt + ms - monotonicMs());
			fate = await lookAt({ connection, ...event }, id, begunAt + PATIENCE_MS - monotonicMs());
		}
		return fate;
	} finally {
		place.end();
	}
}

/** Why nothing could be read. An account without this lookup may have the other ones. */
function faultOf({ event, fate }: Omit<Look, 'id'>): Fault['fault'] | undefined {
	if (fate.kind !== 'fault') return undefined;
	// It is known, and only its results are not there yet.
	if (fate.refusal.status === 200) return 'passing';
	return event.lookup.notInPlan?.test(fate.refusal.message) === true ? 'refused' : fate.fault;
}
