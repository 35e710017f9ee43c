import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { CallLimit, TOO_MANY_CALLS } from '../common/bounds';
import { ensureError } from '../common/errors';
import { monotonicMs, unlessAborted } from '../common/time';
import { excerpt, tellIds } from '../common/values';
import { connectForCallback } from '../input/credential';
import { lookout } from '../pausing/lookout';
import { anotherIdProblem, otherSearchProblem } from '../results/problems';
import { tellShortList } from '../results/remarks';
import { NOT_ASKED } from '../service/refusals';
import { hasEnded } from '../service/state';
import type { Found, Look } from './ask';
import { endedOf, lookFor, PATIENCE_MS } from './ask';
import type { Notified } from './ids';
import { idsOf } from './ids';
import { toTriggerItems } from './triggerItems';

/** Anybody may know the URL of a trigger. */
const notifications = new CallLimit({ ofOne: 12, inProcess: 24 });

/** What a notification comes to. */
interface Outcome {
	status: 200 | 400 | 404 | 503;
	message: string;
	/** What starts the workflow. */
	items?: INodeExecutionData[];
	/** Whether n8n answers, once it has started the workflow or could not. */
	isLeftToN8n?: boolean;
	/** For the log, where the message does not tell it. */
	why?: string;
}

export const STARTED = { status: 200, message: 'The workflow was started' } as const;
const OTHER_EVENT = { status: 200, message: 'This trigger does not listen to this event' } as const;
const ALREADY_SEEN = { status: 200, message: 'This id has been seen before' } as const;
const NOTHING_LEFT = { status: 200, message: 'There is no result to start with' } as const;
const NO_ID = { status: 400, message: 'There is no id in this notification' } as const;
const UNKNOWN = { status: 404, message: 'There is no such search in this account' } as const;
const UNFINISHED = { status: 503, message: 'The search is not finished' } as const;
const STARTING = { status: 503, message: 'n8n is still starting the workflow' } as const;
const UNREACHABLE = { status: 503, message: NOT_ASKED } as const;
const TOO_MANY = { status: 503, message: TOO_MANY_CALLS } as const;

/** Answers the sender, always, and starts the workflow where there is something to start it with. */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const { status, message, items, isLeftToN8n } = await judgeSafely(context);
	const workflowData = items && [items];
	if (isLeftToN8n) return { workflowData };
	context.getResponseObject().status(status).json({ message });
	return { noWebhookResponse: true, workflowData };
}

/** A fault of ours or of the credential: a sender that redelivers will be heard later. */
async function judgeSafely(context: IWebhookFunctions): Promise<Outcome> {
	const trigger = JSON.stringify([context.getWorkflow().id, context.getNode().id]);
	const place = notifications.begin(trigger);
	if (place === undefined) return told(context, TOO_MANY);
	try {
		const notified = idsOf(context, trigger);
		return told(context, await judge(context, notified), notified.ids);
	} catch (error) {
		return told(context, { ...UNREACHABLE, why: ensureError(error).message });
	} finally {
		place.end();
	}
}

/** Tells in n8n's log why a notification starts nothing. */
function told(
	{ logger }: IWebhookFunctions,
	outcome: Outcome,
	ids: readonly string[] = [],
): Outcome {
	const { status, message, items, why = message } = outcome;
	if (items === undefined) {
		const of = ids.length > 0 ? ` of ${tellIds(ids.map((id) => excerpt(id, 100)))}` : '';
		const line = `A notification${of} has started nothing: ${excerpt(why, 300)}`;
		logger[status === 503 ? 'warn' : 'info'](line);
	}
	return outcome;
}

/** What the service answers for the ids, asked with the user's key, is what the workflow gets. */
async function judge(context: IWebhookFunctions, notified: Notified): Promise<Outcome> {
	const { ids, questions, marked, isWanted } = notified;
	if (ids.length === 0) return NO_ID;
	if (marked !== undefined && !isWanted(marked)) return OTHER_EVENT;
	if (questions.length === 0) return ALREADY_SEEN;
	const connection = await connectForCallback(context);
	const looks = await lookFor(connection, notified);
	if (looks === undefined) return TOO_MANY;
	const found = endedOf(looks, notified);
	if (found === undefined) return answerFor(notified, looks);
	const { id, event, shown } = found;
	lookout.noteEnded({ connection, ...event }, id, shown);
	return isWanted(event) ? await start(context, notified, found) : OTHER_EVENT;
}

/** The answer where no search of the ids has ended. */
function answerFor({ isWanted, isRepeat }: Notified, looks: readonly Look[]): Outcome {
	const running = looks.filter(({ shown }) => shown.kind === 'ongoing');
	if (running.some(({ event }) => isWanted(event))) return UNFINISHED;
	for (const { shown } of looks) {
		if (shown.kind === 'fault' && shown.fault !== 'refused')
			return { ...UNREACHABLE, why: shown.refusal.message };
	}
	if (running.length > 0) return OTHER_EVENT;
	if (isRepeat) return ALREADY_SEEN;
	const ofOther = looks.find(({ shown }) => hasEnded(shown));
	return ofOther === undefined ? UNKNOWN : { ...UNKNOWN, why: tellOfOther(ofOther) };
}

function tellOfOther({ id, event: { lookup, size } }: Look): string {
	return (size === 'bulk' ? anotherIdProblem(id) : otherSearchProblem(lookup, id)).message;
}

async function start(
	context: IWebhookFunctions,
	{ seen, begunAt }: Notified,
	{ id, event, shown }: Found,
): Promise<Outcome> {
	const items = toTriggerItems(context, id, event, shown);
	const question = { id, event };
	// A call at the same moment may be quicker, or one that spells the id in another way.
	const leftMs = Math.max(0, Math.ceil(begunAt + PATIENCE_MS - monotonicMs()));
	for (let other = seen?.startOf(question); other; other = seen?.startOf(question)) {
		if (!(await unlessAborted(other, AbortSignal.timeout(leftMs)))) return STARTING;
	}
	if (seen?.has(question)) return ALREADY_SEEN;
	if (items.length === 0) {
		seen?.add(question);
		return NOTHING_LEFT;
	}
	const remark = event.size === 'bulk' ? tellShortList(event.lookup, id, shown) : undefined;
	if (remark !== undefined) context.logger.warn(remark);
	const isLeftToN8n = seen?.addWhenStarted(question, context.getResponseObject()) ?? true;
	return { ...STARTED, items, isLeftToN8n };
}
