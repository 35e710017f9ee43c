import type { IDataObject, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';
import { isRecord } from '../service/wire';
import { getAccount } from '../service/account';
import { RecentMap } from '../service/recentMap';
import { batchItem, bulkResult, singleResult } from '../operations/output';
import type { StateReading } from '../operations/wait';
import { readState } from '../operations/wait';
import type { LookupEvent } from './events';
import { lookupEvents } from './events';
import { findIds, orderByLikelihood, readMark } from './notification';
import { SeenIds } from './seen';

/** Reads that one call may cause, whatever is in its body. */
const MAX_READS = 6;
const READ_TIMEOUT_MS = 8_000;

/** What a notification comes to: items that start the workflow, or an answer alone. */
export type Receipt =
	{ status: 200; items: INodeExecutionData[] } | { status: 200 | 400 | 404 | 503; message: string };

/** Calls for the same id that are being worked on in this process. */
const underWay = new RecentMap<string, Promise<Receipt>>(1000);

/**
 * Judges a notification. Nothing in it is believed but that it may name an id: what the service
 * answers for that id, asked with the user's key, is what the workflow gets.
 */
export async function receive(context: IWebhookFunctions): Promise<Receipt> {
	const body: unknown = context.getBodyData();
	const query: unknown = context.getQueryData();
	const ids = findIds(body, query);
	if (ids.length === 0) return { status: 400, message: 'There is no id in this notification' };

	const selected = context.getNodeParameter('events', []);
	const events = lookupEvents.filter(
		({ name }) => Array.isArray(selected) && selected.includes(name),
	);
	const marked = readMark(query, lookupEvents);
	const asked = marked === undefined ? orderByLikelihood(body, events) : [marked];
	if (marked !== undefined && !events.includes(marked)) {
		return { status: 200, message: 'This trigger does not listen to this event' };
	}

	const trigger = `${context.getWorkflow().id ?? ''} ${context.getNode().id}`;
	const isTest = context.getMode() === 'manual';
	const seen = SeenIds.of(trigger, context.getWorkflowStaticData('node'));
	if (!isTest && ids.some((id) => seen.has(id))) return ALREADY_SEEN;

	const name = `${trigger} ${isTest ? 'test' : ''} ${ids.join(' ')}`;
	const first = underWay.get(name);
	if (first !== undefined) {
		const receipt = await first;
		return 'items' in receipt ? ALREADY_SEEN : receipt;
	}
	const working = ask(context, ids, asked, isTest ? undefined : seen);
	underWay.set(name, working);
	try {
		return await working;
	} finally {
		underWay.delete(name);
	}
}

const ALREADY_SEEN: Receipt = { status: 200, message: 'This id has been seen before' };

/** Asks the service for the ids until it knows one; also the outer ids of a body come first. */
async function ask(
	context: IWebhookFunctions,
	ids: string[],
	events: LookupEvent[],
	seen: SeenIds | undefined,
): Promise<Receipt> {
	const account = await getAccount(context);
	const questions = ids.flatMap((id) => events.map((event) => ({ id, event }))).slice(0, MAX_READS);
	let unsure: string | undefined;
	for (const { id, event } of questions) {
		const { lookup, size } = event;
		const reading = await readState(
			{ caller: context, account, lookup, size },
			id,
			READ_TIMEOUT_MS,
		);
		if (reading.kind === 'ongoing') unsure = 'The lookup is not finished';
		else if (reading.kind === 'fault' && reading.fault !== 'refused') {
			unsure = 'The service could not be asked';
		}
		if (reading.kind !== 'completed' && reading.kind !== 'failed') continue;

		seen?.add(id);
		const items = toItems(context, id, event, reading);
		return items.length > 0
			? { status: 200, items }
			: { status: 200, message: 'Nothing in it passes the filters of this trigger' };
	}
	return unsure === undefined
		? { status: 404, message: 'There is no such lookup in this account' }
		: { status: 503, message: unsure };
}

/** What Get Result or Get Bulk Results would give, and the event. */
function toItems(
	context: IWebhookFunctions,
	id: string,
	{ name, size }: LookupEvent,
	reading: Extract<StateReading, { kind: 'completed' | 'failed' }>,
): INodeExecutionData[] {
	const onlyFound = context.getNodeParameter('onlyFound', false) === true;
	const wanted = (json: IDataObject) => !onlyFound || json.found === true;
	if (reading.kind === 'failed') {
		const { message: error } = reading.refusal;
		return onlyFound ? [] : [{ json: { batch_id: id, status: 'failed', error, event: name } }];
	}
	const { body } = reading;
	if (size === 'single') {
		return [singleResult(id, body)]
			.filter(wanted)
			.map((json) => ({ json: { ...json, event: name } }));
	}
	const listed = Array.isArray(body.results) ? body.results.filter(isRecord) : [];
	const results = listed.map((result) => bulkResult(id, result)).filter(wanted);
	if (context.getNodeParameter('splitResults', true) !== false) {
		return results.map((json) => ({ json: { ...json, event: name } }));
	}
	if (onlyFound && results.length === 0) return [];
	const shown = onlyFound ? listed.filter((result) => bulkResult(id, result).found) : listed;
	return [{ json: { ...batchItem(id, body), results: shown, event: name } }];
}
