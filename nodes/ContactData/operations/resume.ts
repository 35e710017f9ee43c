import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { lookups } from '../lookups';
import type { Lookup, Size } from '../lookups/types';
import { getAccount } from '../service/account';
import { RecentMap } from '../service/recentMap';
import { asRecord, asText, isRecord } from '../service/wire';
import type { Asking } from './batchResults';
import { readWaitingSearch, resultsOfBatch, withCustomOf } from './batchResults';
import { batchItem, idsOf, singleResult } from './output';
import type { StateReading } from './wait';
import { readState } from './wait';

type Finished = Extract<StateReading, { kind: 'completed' | 'failed' }>;

/** A parked execution that has callbacks, in this process. */
interface Gathering {
	/** What was read already; a finished lookup stays finished. */
	finished: Map<string, Finished>;
	/** Whether a callback came while the lookups were being looked at. */
	again: boolean;
	working: boolean;
}

const gatherings = new RecentMap<string, Gathering>(500);

/**
 * Takes a callback of the service for a parked execution. Its body is not believed, nor even read:
 * the lookups themselves are asked for, and the execution is resumed when all of them are finished.
 * Callbacks come in bursts, so one of them looks, and the others only make it look once more.
 */
export async function resume(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const executionId = context.getExecutionId();
	const gathering = gatherings.get(executionId) ?? {
		finished: new Map<string, Finished>(),
		again: false,
		working: false,
	};
	gatherings.set(executionId, gathering);
	gathering.again = true;
	if (gathering.working) return STAY_PARKED;

	gathering.working = true;
	const items = await gather(context, gathering);
	gathering.working = false;
	if (items === undefined) return STAY_PARKED;
	gatherings.delete(executionId);
	return { workflowData: [items] };
}

const STAY_PARKED: IWebhookResponseData = {};

/** The output items, once everything is finished; until then, and on any fault, `undefined`. */
async function gather(
	context: IWebhookFunctions,
	gathering: Gathering,
): Promise<INodeExecutionData[] | undefined> {
	try {
		const parked = readParked(context);
		while (gathering.again) {
			gathering.again = false;
			if (await allFinished(context, parked, gathering.finished)) {
				return toItems(context, parked, gathering.finished);
			}
		}
	} catch (error) {
		// To throw here would end the parked execution, and with it the way to its results.
		const reason = error instanceof Error ? error.message : String(error);
		context.logger.warn(
			`A callback could not be followed up, the execution stays parked: ${reason}`,
		);
	}
	return undefined;
}

interface Parked {
	lookup: Lookup;
	size: Size;
	items: INodeExecutionData[];
	/** Ids of what was not finished when the execution was parked. */
	ids: string[];
}

/** The items that `park` left as the node's input. */
function readParked(context: IWebhookFunctions): Parked {
	const resource = context.getNodeParameter('resource');
	const lookup =
		Object.values(lookups).find(({ name }) => name === resource) ?? lookups.emailFinder;
	const size = context.getNodeParameter('operation') === 'submitBulkAndWait' ? 'bulk' : 'single';
	const input: unknown = context.evaluateExpression('{{ $input.all() }}', 0);
	const items = (Array.isArray(input) ? input : []).filter(isItem);
	const ids = new Set<string>();
	for (const { json } of items) {
		const id = unfinishedId(size, json);
		if (id !== undefined) ids.add(id);
	}
	return { lookup, size, items, ids: [...ids] };
}

function isItem(value: unknown): value is INodeExecutionData {
	return isRecord(value) && isRecord(value.json);
}

function unfinishedId(size: Size, json: IDataObject): string | undefined {
	if (json.status !== 'ongoing') return undefined;
	return asText(size === 'single' ? json.id : json.batch_id);
}

/** Looks at the last one first, likely the last to finish, and stops at the first unfinished one. */
async function allFinished(
	context: IWebhookFunctions,
	{ lookup, size, ids }: Parked,
	finished: Map<string, Finished>,
): Promise<boolean> {
	const account = await getAccount(context);
	for (const id of [...ids].reverse()) {
		if (finished.has(id)) continue;
		const reading = await readState({ caller: context, account, lookup, size }, id);
		if (reading.kind !== 'completed' && reading.kind !== 'failed') return false;
		finished.set(id, reading);
	}
	return true;
}

/** One item for each parked one, in its place: n8n pairs by position after a resume. */
function toItems(
	context: IWebhookFunctions,
	parked: Parked,
	finished: Map<string, Finished>,
): INodeExecutionData[] {
	const options = asRecord(context.getNodeParameter('options', {})) ?? {};
	const results = readResults(parked, finished);
	return parked.items.map(({ json }, item) => {
		const result = results[item];
		if (result === undefined) return { json, pairedItem: item };
		const input = options.includeInputFields === true ? withoutEcho(parked.lookup, json) : {};
		return { json: { ...input, ...result }, pairedItem: item };
	});
}

/** The result of each parked item that was unfinished. */
function readResults(
	{ lookup, size, items }: Parked,
	finished: Map<string, Finished>,
): Array<IDataObject | undefined> {
	const results: Array<IDataObject | undefined> = items.map(() => undefined);
	const askingById = new Map<string, Asking[]>();
	items.forEach(({ json }, item) => {
		const id = unfinishedId(size, json);
		if (id === undefined) return;
		const asking = askingById.get(id);
		if (asking === undefined) askingById.set(id, [{ item, json }]);
		else asking.push({ item, json });
	});
	for (const [id, asking] of askingById) {
		const end = finished.get(id);
		if (end === undefined) continue;
		for (const { item, json } of endsOf(lookup, size, id, end, asking)) results[item] = json;
	}
	return results;
}

function endsOf(lookup: Lookup, size: Size, id: string, end: Finished, asking: Asking[]): Asking[] {
	if (end.kind === 'failed') {
		const { message, description } = end.refusal;
		const json = { error: message, description, ...idsOf(size, id), status: 'failed' };
		return asking.map(({ item }) => ({ item, json }));
	}
	const { body } = end;
	if (size === 'single') {
		const result = singleResult(id, body);
		return asking.map(({ item, json }) => ({ item, json: withCustomOf(json, result) }));
	}
	// A parked list stands for its whole batch, and says nothing of single searches.
	const isList = asking.some(({ json }) => !isWaiting(lookup, id, json));
	return isList
		? asking.map(({ item }) => ({ item, json: batchItem(id, body) }))
		: resultsOfBatch(lookup, id, body, asking);
}

function isWaiting(lookup: Lookup, id: string, json: IDataObject): boolean {
	return readWaitingSearch(lookup, 'bulk', id, json) !== undefined;
}

/** The input's own fields, without what the waiting item said of its search. */
function withoutEcho(lookup: Lookup, json: IDataObject): IDataObject {
	const own = { ...json };
	for (const key of [...Object.keys(lookup.toEcho({})), 'index']) delete own[key];
	return own;
}
