import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { CallLimit, TOO_MANY_CALLS } from '../common/bounds';
import { ensureError } from '../common/errors';
import { sleepUnlessAborted } from '../common/time';
import { excerpt, isRecord, parseJson, tellIds } from '../common/values';
import { connectForCallback } from '../run/credential';
import { rowWithoutSearch } from '../input/rows';
import { type Form, optionalColumns } from '../input/settings';
import { EVENT_PARAMETER, type LookupEvent, lookupEvents } from '../lookups';
import { noteShown } from '../orders/order';
import { ordersOfIds } from '../orders/plan';
import { give } from '../results/give';
import { itemsOf } from '../results/items';
import { tellShortList } from '../results/remarks';
import { notificationIn } from '../service/notification';
import { NOT_ASKED } from '../service/refusals';
import type { Shown } from '../service/state';
import { type Found, lacksResults, lookUntilEnded, type Question } from './ask';
import { SeenIds } from './seen';

/** Nobody promises that one is sent again, so hundreds wait for their turn. But anybody may know the URL of a trigger. */
const notifications = new CallLimit({ ofOne: 100, inProcess: 200, bytes: 32_000_000 });

/** Of a body that is parsed here. */
const MAX_TEXT_LENGTH = 100_000;

/** The answer to a notification that starts nothing. */
interface Reply {
	status: 200 | 400 | 404 | 503;
	message: string;
	/** For the log, where the message does not tell it. */
	why?: string;
}

const OTHER_EVENT = { status: 200, message: 'This trigger does not listen to this event' } as const;
const ALREADY_SEEN = { status: 200, message: 'This id has been seen before' } as const;
const NOTHING_LEFT = { status: 200, message: 'There is no result to start with' } as const;
const NO_ID = { status: 400, message: 'There is no id in this notification' } as const;
const NO_SUCH_SEARCH = {
	status: 404,
	message: 'There is no such search of the chosen events in this account',
} as const;
const LOOKS_LIKE_TEST = `${NO_SUCH_SEARCH.message}: it looks like a test of this URL by its sender`;
const UNFINISHED = { status: 503, message: 'The search is not finished' } as const;
const UNREACHABLE = { status: 503, message: NOT_ASKED } as const;
const TOO_MANY = { status: 503, message: TOO_MANY_CALLS } as const;

/** Starts the workflow where there is something to start it with, and n8n answers; else answers the sender itself. */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const trigger = JSON.stringify([context.getWorkflow().id, context.getNode().id]);
	const permit = notifications.begin(trigger, rawBodyOf(context)?.length);
	let ids: readonly string[] = [];
	let reply: Reply | INodeExecutionData[] = TOO_MANY;
	try {
		const notification = readCall(context);
		ids = notification.ids;
		if (permit !== undefined) reply = await judge(context, trigger, notification);
	} catch (error) {
		// A fault of ours or of the credential: a sender that redelivers will be heard later.
		reply = { ...UNREACHABLE, why: ensureError(error).message };
	} finally {
		permit?.release();
	}
	if (Array.isArray(reply)) return { workflowData: [reply] };
	logReason(context, reply, ids);
	context.getResponseObject().status(reply.status).json({ message: reply.message });
	return { noWebhookResponse: true };
}

/** Tells in n8n's log why a notification starts nothing. */
function logReason(
	{ logger }: IWebhookFunctions,
	{ status, message, why = message }: Reply,
	ids: readonly string[],
): void {
	const which = ids.length > 0 ? ` of ${tellIds(ids.map((id) => excerpt(id, 100)))}` : '';
	const line = `A notification${which} has started nothing: ${excerpt(why, 300)}`;
	logger[status === 503 ? 'warn' : 'info'](line);
}

/** What a call says: nothing of it is believed but that it may name an id, and its kind. */
interface Call {
	ids: readonly string[];
	/** The event of the mark in our own URL, or the one that the service names. */
	event: LookupEvent | undefined;
}

function readCall(context: IWebhookFunctions): Call {
	const query: unknown = context.getQueryData();
	const body: unknown = context.getBodyData();
	const isParsed = isRecord(body) && Object.keys(body).length > 0;
	const { ids, event } = notificationIn(isParsed ? body : readText(context), query);
	const mark = isRecord(query) ? query[EVENT_PARAMETER] : undefined;
	return { ids, event: lookupEvents.find(({ name }) => name === mark) ?? event };
}

/** n8n leaves JSON unparsed whose content type it does not know. */
function readText(context: IWebhookFunctions): unknown {
	return parseJson(rawBodyOf(context)?.toString('utf8', 0, MAX_TEXT_LENGTH));
}

function rawBodyOf(context: IWebhookFunctions): Buffer | undefined {
	const { rawBody }: { rawBody?: Buffer } = context.getRequestObject();
	return rawBody;
}

/** What the service answers for the ids, asked with the user's key, is what the workflow gets. */
async function judge(
	context: IWebhookFunctions,
	trigger: string,
	{ ids, event }: Call,
): Promise<Reply | INodeExecutionData[]> {
	if (ids.length === 0) return NO_ID;
	const selected = context.getNodeParameter('events', []);
	const wanted = lookupEvents.filter(
		({ name }) => Array.isArray(selected) && selected.includes(name),
	);
	const kinds = wanted.filter((kind) => event === undefined || kind === event);
	if (kinds.length === 0) return OTHER_EVENT;
	const all = ids.flatMap((id): Question[] => kinds.map((kind) => ({ id, event: kind })));
	const isTest = context.getMode() === 'manual';
	const seen = isTest ? undefined : new SeenIds(trigger, context.getWorkflowStaticData('node'));
	const questions = all.filter((question) => seen?.has(question) !== true);
	const isRepeat = questions.length < all.length;
	if (questions.length === 0) return ALREADY_SEEN;
	const connection = await connectForCallback(context);
	const isSure = event !== undefined && !isRepeat;
	const found = await lookUntilEnded(connection, questions, isSure);
	if (Array.isArray(found)) return answerFor(found, isRepeat, isSure);
	return startWorkflow(context, seen, found);
}

/** The answer where no search of the ids has ended. */
function answerFor(said: readonly Shown[], isRepeat: boolean, isSure: boolean): Reply {
	if (said.some(({ kind }) => kind === 'ongoing')) return UNFINISHED;
	const faults = said.filter((shown) => shown.kind === 'fault');
	// An account may lack one kind of lookup: then the answers for the others count.
	const isAnswered = said.length > faults.length || faults.some(({ fault }) => fault === 'refused');
	const unasked = faults.find(
		(shown) => shown.fault === 'passing' || lacksResults(shown) || !isAnswered,
	);
	if (unasked !== undefined) return { ...UNREACHABLE, why: unasked.refusal.message };
	if (isRepeat) return ALREADY_SEEN;
	return isSure ? { ...NO_SUCH_SEARCH, why: LOOKS_LIKE_TEST } : NO_SUCH_SEARCH;
}

function startWorkflow(
	context: IWebhookFunctions,
	seen: SeenIds | undefined,
	found: Found,
): Reply | INodeExecutionData[] {
	// Another notification at the same moment may have been quicker.
	if (seen?.has(found) === true) return ALREADY_SEEN;
	const items = toTriggerItems(context, found);
	seen?.add(found);
	if (items.length === 0) return NOTHING_LEFT;
	const { id, event, shown } = found;
	const remark = event.size === 'bulk' ? tellShortList(event.lookup, id, shown) : undefined;
	if (remark !== undefined) context.logger.warn(remark);
	// n8n 2.41 forgets that something has changed when it begins to start the workflow.
	void sleepUnlessAborted(0).then(() => seen?.add(found));
	const response = context.getResponseObject();
	// The event `finish` does not come where the sender has hung up.
	response.once('prefinish', () => {
		if (response.statusCode >= 500) seen?.remove(found);
	});
	return items;
}

/** The items that Get Result or Get Bulk Results would give, with the event; filters may leave none. */
function toTriggerItems(
	context: IWebhookFunctions,
	{ id, event, shown }: Found,
): INodeExecutionData[] {
	const { lookup, size, name } = event;
	const form: Form = {
		lookup,
		size,
		isList: false,
		isSplit: size === 'single' || context.getNodeParameter('splitResults', true) !== false,
		isSimple: context.getNodeParameter('simplify', true) !== false,
		task: 'read',
		askedColumns: optionalColumns(lookup),
		includesInput: false,
	};
	const rows = [{ ...rowWithoutSearch(0), namedId: id }];
	const orders = ordersOfIds(size, rows);
	for (const order of orders) noteShown(order, shown);
	const onlyFound = context.getNodeParameter('onlyFound', false) === true;
	const outputs = give(form, rows, orders).filter(
		({ output }) => !onlyFound || (output.kind === 'result' && output.json.found === true),
	);
	return itemsOf(context.getNode(), form, outputs, { items: 1, orders }).map(({ json }) => ({
		json: { ...json, event: name },
	}));
}
