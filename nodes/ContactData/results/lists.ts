import type { IDataObject } from 'n8n-workflow';
import { asRecord } from '../common/values';
import type { Output, Row } from '../input/rows';
import { failureOf } from '../input/rows';
import type { Form } from '../input/settings';
import type { Lookup } from '../lookups/types';
import type { AcceptedOrder, Order } from '../orders/order';
import { isAccepted, rowsOf, searchesOf } from '../orders/order';
import { sharedIds, withCustom } from './collect';
import { batchItem, failedBatch, idsOf } from './items';
import { matchResults } from './match';
import { isOfAnotherId, isOfOthers } from './otherSearch';
import { anotherIdProblem, lookupProblem, otherSearchesProblem } from './problems';

/**
 * What a run gives in which each input item holds a list: a batch that failed or still runs gives one
 * output, not one for each of its entries, and so does a finished one unless it is split.
 * @param rows one for each entry, with what `collect` gave them
 */
export function condenseLists(
	{ lookup, isSplit }: Pick<Form, 'lookup' | 'isSplit'>,
	rows: readonly Row[],
	orders: readonly Order[],
): Row[] {
	const given = new Map<Row, Output[]>();
	const known = isSplit ? new Map<number, Known>() : findKnown(rows, orders);
	for (const one of known.values()) for (const row of one.rows) given.set(row, []);
	const shared = sharedIds(orders);
	const owners = new Set(orders.map((order) => rowsOf(order)[0]?.item));

	for (const order of orders) {
		if (isSplit && order.fate.kind === 'completed') continue;
		const [owner] = rowsOf(order);
		for (const item of new Set(rowsOf(order).map((row) => row.item))) {
			// What a failed batch had finished stands for itself.
			const ofItem = rowsOf(order).filter(
				(row) => row.item === item && !(isSplit && isFinished(row)),
			);
			for (const row of ofItem) given.set(row, []);
			const [first] = ofItem;
			// A search that an earlier list has too is in the batch of that list, and shown with it.
			const isElsewhere = !isSplit && isAccepted(order) && owner?.item !== item && owners.has(item);
			if (first === undefined || isElsewhere) continue;
			const isWhole = !isSplit && isAccepted(order);
			const output = isWhole
				? outputOfBatch(lookup, order, first, shared)
				: outputOfAll(first, 'result');
			given.set(first, [withKnown(output, known.get(item))]);
		}
	}
	for (const {
		rows: [first],
		results,
	} of known.values()) {
		const json = { status: 'completed', results };
		if (first !== undefined && results.length > 0) given.set(first, [{ kind: 'asItIs', json }]);
	}
	return rows.map((row) => {
		const outputs = given.get(row);
		// It is of all that the batch searches for.
		return outputs === undefined ? row : { ...row, search: {}, outputs };
	});
}

function isFinished({ outputs: [output] }: Row): boolean {
	return output?.kind === 'result' && output.json.status !== 'ongoing';
}

/** What is known of a list without asking. */
interface Known {
	rows: Row[];
	/** Those that no output has yet. */
	results: IDataObject[];
}

function findKnown(rows: readonly Row[], orders: readonly Order[]): Map<number, Known> {
	const sent = new Set(orders.flatMap(rowsOf));
	const known = new Map<number, Known>();
	for (const row of rows) {
		const [output] = row.outputs;
		if (sent.has(row) || output?.kind !== 'result') continue;
		const ofItem = known.get(row.item) ?? { rows: [], results: [] };
		known.set(row.item, ofItem);
		ofItem.rows.push(row);
		ofItem.results.push(output.json);
	}
	return known;
}

/** The results of a list that were known before stand beside those of its first batch. */
function withKnown(output: Output, known: Known | undefined): Output {
	const json = output.kind === 'failure' ? output.told : output.json;
	if (json === undefined || known === undefined || known.results.length === 0) return output;
	const listed = Array.isArray(json.results) ? json.results : [];
	const all = { ...json, results: [...listed, ...known.results.splice(0)] };
	return output.kind === 'failure' ? { ...output, told: all } : { ...output, json: all };
}

/** One output in the place of equal ones, which says nothing of a single search. */
function outputOfAll({ outputs: [output] }: Row, kind: 'result' | 'asItIs'): Output {
	if (output?.kind === 'failure') return { ...output, search: undefined };
	const { batch_id, status } = output?.json ?? {};
	return { kind, json: { batch_id, status } };
}

/** A batch in one item. */
function outputOfBatch(
	lookup: Lookup,
	order: AcceptedOrder,
	first: Row,
	shared: ReadonlySet<string>,
): Output {
	const { fate } = order;
	const { id } = fate;
	const ids = idsOf('bulk', id);
	if (fate.kind === 'failed') {
		return failureOf({
			problem: lookupProblem(fate),
			ids,
			told: failedBatch(fate.body),
		});
	}
	if (fate.kind !== 'completed') return outputOfAll(first, 'asItIs');
	if (isOfAnotherId(id, fate.body)) return failureOf({ problem: anotherIdProblem(id), ids });
	const body = onlyAskedFor(lookup, order, fate.body);
	const listed = Array.isArray(body.results) ? body.results : [];
	return isOfOthers(lookup, searchesOf(order), listed, shared.has(id))
		? failureOf({ problem: otherSearchesProblem(lookup, id), ids })
		: { kind: 'asItIs', json: batchItem(id, { ...body, results: listed }) };
}

/**
 * The body of a finished batch with nothing in it but what is asked for now: another call of a tool, or
 * an earlier try, may have sent it for more people, and with other custom data.
 */
function onlyAskedFor(
	lookup: Lookup,
	{ origin, entries, count }: Order,
	body: IDataObject,
): IDataObject {
	if (origin !== 'earlierTry' && origin !== 'recent') return body;
	const all = Array.isArray(body.results) ? body.results : [];
	const batch = {
		searches: entries.map(({ rows: [row] }) => row),
		places: entries.flatMap(({ place }) => place ?? []),
		size: count,
	};
	const { results, unmatched } = matchResults(lookup, batch, all);
	const ofBatch = entries[0]?.rows[0].envelope.custom;
	const own = results.flatMap((result, position) => {
		if (result === undefined) return [];
		const custom = entries[position]?.rows[0].custom;
		return [withCustom(result, custom ?? (result.custom === undefined ? undefined : ofBatch))];
	});
	const general = asRecord(body.general) ?? {};
	const given = {
		general: withCustom(general, general.custom === undefined ? undefined : ofBatch),
		results: own,
	};
	if (entries.length < count) return given;
	const others = unmatched.map((result) => withCustom(result, undefined));
	return { ...body, ...given, results: [...own, ...others] };
}
