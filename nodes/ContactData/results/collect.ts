import type { IDataObject } from 'n8n-workflow';
import type { Problem } from '../common/errors';
import { asRecord } from '../common/values';
import type { Output, Row } from '../input/rows';
import { failureOf, invalidResult } from '../input/rows';
import type { Form } from '../input/settings';
import type { Lookup } from '../lookups/types';
import type { AcceptedOrder, Order } from '../orders/order';
import { isAccepted } from '../orders/order';
import type { Ended } from '../service/state';
import { hasEnded, isOpen } from '../service/state';
import type { Give } from './batch';
import { resultsOfBatch, wholeBatch } from './batch';
import { idsOf, ongoingItem, singleResult } from './items';
import { belongsTo, isOfAnotherId } from './otherSearch';
import {
	lookupProblem,
	ofNamed,
	ofRecent,
	otherSearchProblem,
	readProblem,
	timeoutProblem,
	unacceptedProblem,
} from './problems';

/** How results are waited for, and given. */
export interface Ending extends Pick<Form, 'lookup' | 'isSplit'> {
	/** Left out where what still runs comes out as ongoing, and is no error. */
	timeout?: { timeoutMs: number; isAtLimit: boolean };
}

/** Gives each row what became of its order: the same for a run, a pause, Get Result and the trigger. */
export function collect(ending: Ending, orders: readonly Order[]): void {
	const shared = sharedIds(orders);
	for (const order of orders) {
		const outputs = isAccepted(order)
			? outputsOf(ending, order, shared.has(order.fate.id))
			: outputsOfUnaccepted(ending, order);
		order.entries.forEach(({ rows }, position) => {
			const give = outputs[position];
			rows.forEach((row, index) => {
				row.outputs = give?.(row).map(labelled(order, row, index === 0)) ?? [];
			});
		});
	}
}

/** The ids that the service gave to several orders of this run: whose results they have, nobody knows. */
export function sharedIds(orders: readonly Order[]): Set<string> {
	const seen = new Set<string>();
	const ids = orders.flatMap(({ origin, fate }) =>
		'id' in fate && origin !== 'named' ? fate.id : [],
	);
	return new Set(ids.filter((id) => seen.size === seen.add(id).size));
}

function outputsOfUnaccepted({ lookup }: Ending, order: Order): Give[] {
	const { entries, fate } = order;
	return entries.map(() => (row) => {
		if (fate.kind === 'invalid') return [invalidResult(row, fate.reason)];
		return 'id' in fate ? [] : [failureOf({ problem: unacceptedProblem(lookup, fate, order) })];
	});
}

function outputsOf(ending: Ending, order: AcceptedOrder, isShared: boolean): Give[] {
	const { lookup, isSplit } = ending;
	const { entries, fate, size } = order;
	if (hasEnded(fate)) {
		if (size === 'single') return resultOfSingle(lookup, order, fate, isShared);
		// A row without a search asks for all that there is.
		const isWhole = entries.some(({ rows: [{ key }] }) => key === '');
		return isWhole
			? wholeBatch(ending, order, fate)
			: resultsOfBatch(lookup, order, fate, isShared);
	}
	const problem = problemOfUnended(ending, order);
	return entries.map((entry) => (row) => [
		problem === undefined
			? {
					kind: size === 'bulk' && row.key === '' && !isSplit ? 'asItIs' : 'result',
					json: ongoingItem(lookup, order, entry, row),
				}
			: failureOf({ problem }),
	]);
}

/** Why an order that has not ended has no result; `undefined` where it comes out as ongoing. */
function problemOfUnended(
	{ lookup, timeout }: Ending,
	{ origin, size, fate }: AcceptedOrder,
): Problem | undefined {
	if (fate.kind === 'fault' && fate.fault !== 'passing') {
		return origin === 'read' ? readProblem(fate, size, fate.id) : lookupProblem(fate);
	}
	if (timeout === undefined) return undefined;
	const said =
		fate.kind === 'fault' ? fate.refusal.message : 'said' in fate ? fate.said : undefined;
	return timeoutProblem(lookup, { id: fate.id, size, said, ...timeout }, origin === 'named');
}

function resultOfSingle(
	lookup: Lookup,
	{ entries, origin, fate: { id } }: AcceptedOrder,
	fate: Ended,
	isShared: boolean,
): Give[] {
	const searched = entries.filter(({ rows: [{ key }] }) => key !== '');
	const isOfOther = isOfAnotherId(id, fate.body);
	const isDoubtful = origin === 'named' || isShared || isOfOther || searched.length > 1;
	return entries.map(({ rows: [row] }) => {
		const belongs = row.key === '' ? 'perhaps' : belongsTo(lookup, row, fate.body, isDoubtful);
		let output: Output = { kind: 'result', json: singleResult(lookup, id, fate.body) };
		if (fate.kind === 'failed') {
			output = failureOf({ problem: lookupProblem(fate) });
		} else if (belongs === 'no' || (isOfOther && belongs === 'perhaps')) {
			output = failureOf({ problem: otherSearchProblem(lookup, id) });
		}
		return () => [output];
	});
}

/**
 * A result has the row's own custom data, and a failure says which search and which id it is of.
 * @param isFirst whether the row is the first of its search, whose custom data was sent
 */
function labelled(order: Order, row: Row, isFirst: boolean): (output: Output) => Output {
	const { origin, size, fate } = order;
	const hasEnded = 'id' in fate && !isOpen(fate);
	return (output) => {
		switch (output.kind) {
			case 'asItIs':
				return output;
			case 'result':
				return { ...output, json: withOwnCustom(order.origin, row, isFirst, output.json) };
			case 'failure':
				return {
					...output,
					...(hasEnded && origin === 'named' && { problem: ofNamed(output.problem, fate.id) }),
					...(hasEnded && origin === 'recent' && { problem: ofRecent(output.problem) }),
					...(row.key !== '' && { search: row.search }),
					...('id' in fate && { ids: idsOf(size, fate.id) }),
					...(fate.kind === 'failed' && { told: { ...output.told, status: 'failed' } }),
				};
		}
	};
}

/**
 * Equal searches share a result, but each row has custom data of its own; and the first one has its own
 * where the service leaves it out, as of those that were not found.
 */
function withOwnCustom(
	origin: Order['origin'],
	row: Row,
	isFirst: boolean,
	json: IDataObject,
): IDataObject {
	const { custom } = row;
	switch (origin) {
		case 'named':
		case 'read':
			// What an earlier run gave it is no more.
			return custom === undefined ? json : { ...json, custom };
		case 'recent':
			return withCustom(json, custom);
		case 'earlierTry': {
			// That of a whole batch is in its results only where the service puts it there.
			const ofBatch = isFirst && json.custom !== undefined ? row.envelope.custom : undefined;
			return withCustom(json, custom ?? ofBatch);
		}
		case 'new':
			return isFirst && (json.custom !== undefined || custom === undefined)
				? json
				: withCustom(json, custom);
	}
}

/** A result with other custom data than it has, or without any, also in the search that it repeats. */
export function withCustom(json: IDataObject, custom: Row['custom']): IDataObject {
	const own = { ...json };
	if (custom === undefined) delete own.custom;
	else own.custom = custom;
	for (const name of ['raw_params', 'params']) {
		const repeated = asRecord(own[name]);
		if (repeated?.custom !== undefined) own[name] = withCustom(repeated, custom);
	}
	return own;
}
