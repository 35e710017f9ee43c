import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import type { Failure } from '../common/errors';
import { asRecord, isRecord } from '../common/values';
import type { Output, Row } from '../input/rows';
import { lookups } from '../lookups';
import type { Lookup, Size } from '../lookups/types';
import type { AcceptedOrder, Entry } from '../orders/order';
import { areOthersNotFound, readCounts } from '../service/counts';
import type { Ended } from '../service/state';
import type { Verdict } from '../service/verdict';
import { isEndedEntry, verdictOf } from '../service/verdict';
import { explain, situationOf, toError } from './explain';

/** A finished single lookup: the service's body, flat (`service-api.md` 2.4, 2.6, 2.8). */
export function singleResult(lookup: Lookup, id: string, body: IDataObject): IDataObject {
	return { ...body, id, ...statusOf(verdictOf(lookup, body)) };
}

/** One result of a batch that has ended (`service-api.md` 2.3, 2.5, 2.7). */
export function bulkResult(
	lookup: Lookup,
	batchId: string,
	result: IDataObject,
	verdict = verdictOf(lookup, result),
): IDataObject {
	return { ...result, batch_id: batchId, ...statusOf(verdict) };
}

/** A batch may have ended without one of its results. */
function statusOf(verdict: Verdict): { status: string; found: boolean | null } {
	switch (verdict) {
		case 'found':
		case 'notFound':
			return { status: 'completed', found: verdict === 'found' };
		case 'failed':
			return { status: 'failed', found: null };
		case 'running':
		case 'unsaid':
			return { status: 'ongoing', found: null };
	}
}

/** What a batch that has ended lists; of one that failed, what it had finished. */
export function listedIn(lookup: Lookup, { kind, body }: Ended): IDataObject[] {
	const all = Array.isArray(body.results) ? body.results.filter(isRecord) : [];
	return kind === 'failed' ? all.filter((entry) => isEndedEntry(lookup, entry)) : all;
}

/** What its results say: as not found it may list what it has not come to, by its own count. */
export function verdictsIn(lookup: Lookup, ended: Ended): (result: IDataObject) => Verdict {
	const { finished = Infinity } = readCounts(ended.body);
	const listed = listedIn(lookup, ended).filter((entry) => isEndedEntry(lookup, entry));
	const isDoubtful = listed.length > finished;
	return (result) => {
		const verdict = verdictOf(lookup, result);
		return isDoubtful && verdict === 'notFound' ? 'unsaid' : verdict;
	};
}

/** The name under which the id of a lookup or a batch is given out. */
export function idsOf(size: Size, id: string): { id?: string; batch_id?: string } {
	return size === 'single' ? { id } : { batch_id: id };
}

/** A finished batch in one item (`service-api.md` 4.4, 4.8, 4.12). */
export function batchItem(batchId: string, body: IDataObject): IDataObject {
	return { ...body, batch_id: batchId, status: 'completed' };
}

/** The same of one that failed, whatever its body says besides. */
export function failedBatch(body: IDataObject): IDataObject {
	return { ...body, status: 'failed', found: null };
}

/** A lookup that still runs, for a row that waits for it: its id, and what was searched, to go on with later. */
export function ongoingItem(
	lookup: Lookup,
	{ size, origin, fate }: AcceptedOrder,
	{ place }: Entry,
	{ search, key, custom }: Row,
): IDataObject {
	const ids = { ...idsOf(size, fate.id), status: 'ongoing' };
	if (key === '') {
		const stats = fate.kind === 'ongoing' ? asRecord(asRecord(fate.body)?.stats) : undefined;
		return { ...ids, ...(stats && { stats }) };
	}
	// `null` for one of which nobody knows which place it had, if any.
	const index = origin === 'named' ? null : size === 'bulk' ? (place ?? null) : undefined;
	return {
		...ids,
		...(index !== undefined && { index }),
		...lookup.toEcho(search),
		...(custom !== undefined && { custom }),
	};
}

/**
 * All results of a batch that has ended; of one that failed, what it had finished. A batch without results
 * gives one item, so that the workflow goes on.
 */
export function listedResults(
	lookup: Lookup,
	batchId: string,
	ended: Ended,
): Array<Exclude<Output, { kind: 'failure' }>> {
	const listed = listedIn(lookup, ended);
	if (listed.length > 0 || ended.kind === 'failed') {
		const verdictOn = verdictsIn(lookup, ended);
		return listed.map((result) => {
			const json = bulkResult(lookup, batchId, result, verdictOn(result));
			return { kind: 'result', json };
		});
	}
	const stats = asRecord(ended.body.stats);
	const isNothing = areOthersNotFound(lookup, readCounts(ended.body), { listed: 0, searches: 0 });
	const json = {
		...(isNothing && lookup.unlistedResult),
		...(stats && { stats }),
		batch_id: batchId,
		status: 'completed',
		found: isNothing ? false : null,
	};
	return [{ kind: 'result', json }];
}

/** The items that the node gives out, paired with its input items. */
export function toNodeItems(node: INode, rows: readonly Row[]): INodeExecutionData[] {
	const given = rows.flatMap(({ item, own = {}, outputs }) =>
		outputs.map((output) => {
			const json =
				output.kind === 'failure'
					? (output.columns ?? toErrorJson({ ...output, item }))
					: output.json;
			return { item, own, output, json };
		}),
	);
	const hidden = new Set(given.flatMap(({ own, json }) => namesHidden(own, json)));
	const items = given.map(({ item, own, output, json: answer }): INodeExecutionData => {
		const json = over(own, answer, hidden);
		if (output.kind === 'failure') return errorItem(node, { ...output, item }, json);
		const ofItems = output.kind === 'result' ? output.ofItems : undefined;
		return { json, pairedItem: ofItems?.map((one) => ({ item: one })) ?? item };
	});
	const [first] = items;
	// By it an older n8n would run the node again, also as `null`.
	if (node.retryOnFail === true && first?.json.error === null) first.json.error = undefined;
	return items;
}

/** The columns that describe a search and are no answer: one that is not known hides no field of the input. */
const OF_SEARCH = new Set([
	...Object.values(lookups).flatMap(({ columns: { about }, options }) =>
		about.filter((name) => options.every(({ column }) => column !== name)),
	),
	'custom',
]);

/**
 * The fields of an input item in whose place an item has another answer. An `error` is always one of them:
 * users and n8n take whatever has one for failed.
 */
function namesHidden(own: IDataObject, json: IDataObject): string[] {
	return Object.keys(own).filter(
		(name) =>
			name === 'error' || (name in json && !OF_SEARCH.has(name) && json[name] !== own[name]),
	);
}

/**
 * What an item gives over the fields of its input: an answer hides them also as `null`, so that nothing old
 * looks found.
 * @param hidden names of fields that any item of the run hides: all items have them under another name
 */
function over(own: IDataObject, json: IDataObject, hidden: ReadonlySet<string>): IDataObject {
	const given = { ...own, ...json };
	for (const name in own) {
		if (OF_SEARCH.has(name)) given[name] = json[name] ?? own[name];
		else if (hidden.has(name)) {
			given[`input_${name}`] = own[name];
			if (!(name in json)) delete given[name];
		}
	}
	return given;
}

function errorItem(node: INode, failure: Failure, json: IDataObject): INodeExecutionData {
	const { item = 0 } = failure;
	// n8n's error output copies the item, and with it `json`, only where the pairing is an object.
	const output: INodeExecutionData = { json, pairedItem: { item } };
	// n8n routes by `error`, but where it can be listed it replaces `json`, and the id with it.
	if (node.onError === 'continueErrorOutput') {
		const error = toError(node, failure);
		Object.defineProperty(output, 'error', { value: error, writable: true });
	}
	return output;
}

/** Whether an item says that something went wrong; a result may have an `error` of the service. */
export function isErrorJson({ error, status }: IDataObject): boolean {
	return error !== undefined && error !== null && status !== 'completed';
}

/**
 * What an item of which something went wrong says: which one it is, and what was already paid for. What
 * the service has told stands between, and hides nothing of that.
 */
export function toErrorJson({ problem, item, search, ids, paid, told }: Failure): IDataObject {
	const description = explain(problem, situationOf({ problem, ids, paid }));
	const own = {
		error: problem.message,
		...(description !== '' && { description }),
		item,
		...(search !== undefined && { search }),
	};
	return { ...own, ...told, ...own, ...ids };
}
