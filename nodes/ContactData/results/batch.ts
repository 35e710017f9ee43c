import type { IDataObject } from 'n8n-workflow';
import { asRecord } from '../common/values';
import { EARLIER_ID } from '../input/ids';
import type { Output, Row } from '../input/rows';
import { failureOf } from '../input/rows';
import type { Form } from '../input/settings';
import type { Lookup, Search } from '../lookups/types';
import type { AcceptedOrder } from '../orders/order';
import { sentWith } from '../orders/order';
import { areOthersNotFound, countListed, readCounts } from '../service/counts';
import type { Ended } from '../service/state';
import { readingOf } from './explain';
import { batchItem, bulkResult, failedBatch, listedIn, listedResults, verdictsIn } from './items';
import type { Batch } from './match';
import { matchResults } from './match';
import { isOfAnotherId } from './otherSearch';
import {
	anotherIdProblem,
	lookupProblem,
	unlistedProblem,
	unmatchedProblem,
	unsaidProblem,
} from './problems';

/** What an entry of an order gives to each of its rows. */
export type Give = (row: Row) => Output[];

/** All that a batch has, for the first row that names it. */
export function wholeBatch(
	{ lookup, isSplit }: Pick<Form, 'lookup' | 'isSplit'>,
	{ entries, fate: { id } }: AcceptedOrder,
	fate: Ended,
): Give[] {
	const { body } = fate;
	const stats = asRecord(body.stats);
	const told = isSplit ? stats && { stats } : failedBatch(body);
	const outputs: Output[] = isSplit ? listedResults(lookup, id, fate) : [];
	if (fate.kind === 'failed') {
		outputs.push(failureOf({ problem: lookupProblem(fate), told }));
	} else if (!isSplit) {
		outputs.push({ kind: 'asItIs', json: batchItem(id, body) });
	}
	const given = isOfAnotherId(id, body) ? [failureOf({ problem: anotherIdProblem(id) })] : outputs;
	const [first] = entries.flatMap(({ rows }) => rows);
	return entries.map(() => (row) => (row === first ? given : []));
}

/**
 * What a batch that has ended says of each search; one that failed gives what it had finished before.
 * @param isShared whether the service has given its id to other orders as well
 */
export function resultsOfBatch(
	lookup: Lookup,
	order: AcceptedOrder,
	fate: Ended,
	isShared: boolean,
): Give[] {
	const { entries } = order;
	const { id } = order.fate;
	const counts = readCounts(fate.body);
	const listed = listedIn(lookup, fate);
	const batch = toBatch(lookup, order, fate, isShared);
	const { results, unmatched } = matchResults(lookup, batch, listed);
	// Results that fit nobody here may belong to the others of the batch, but not more of them. Nobody
	// knows whether a batch of another run had a search at all, unless it was asked for exactly so many.
	const namedBy = parameterOf(order);
	const others = Math.max(0, (batch.size ?? listed.length) - entries.length);
	const hasAll = namedBy
		? unmatched.length === 0 && counts.requested === entries.length
		: unmatched.length <= others;
	const areNotFound =
		hasAll &&
		!isShared &&
		!batch.isOthers &&
		areOthersNotFound(
			lookup,
			{ ...counts, requested: batch.size },
			{ listed: listed.length, searches: results.filter(Boolean).length + countListed(unmatched) },
		);
	const verdictOn = verdictsIn(lookup, fate);
	const outputOf = (search: Search, result: IDataObject | undefined): Output => {
		const json = result && bulkResult(lookup, id, result, verdictOn(result));
		if (json?.status === 'completed') return { kind: 'result', json };
		if (fate.kind === 'failed') return failureOf({ problem: lookupProblem(fate) });
		if (result !== undefined) return failureOf({ problem: unsaidProblem(id, result) });
		if (areNotFound) {
			const unlisted = { ...lookup.toEcho(search), ...lookup.unlistedResult };
			return { kind: 'result', json: bulkResult(lookup, id, unlisted) };
		}
		const problem =
			namedBy || hasAll
				? unlistedProblem(lookup, id, namedBy)
				: unmatchedProblem(id, unmatched.length);
		return failureOf({ problem });
	};
	return entries.map(({ rows: [{ search }] }, position) => {
		const output = outputOf(search, results[position]);
		return () => [output];
	});
}

/** The parameter that names the batch, where nobody knows whether it ever had these searches. */
function parameterOf({ origin, entries }: AcceptedOrder): string | undefined {
	if (origin === 'named') return EARLIER_ID;
	const isUnsure = origin === 'read' && entries.some(({ place }) => place === undefined);
	return isUnsure ? readingOf('bulk').label : undefined;
}

/** What is known of the batch that was sent, and what the answer says that speaks against being of it. */
function toBatch(lookup: Lookup, order: AcceptedOrder, fate: Ended, isShared: boolean): Batch {
	const { entries, origin } = order;
	const { requested } = readCounts(fate.body);
	// Where only what was found is listed, the list does not tell how many were sent.
	const listsAll = lookup.unlistedResult === undefined;
	const told = requested ?? (listsAll ? listedIn(lookup, fate).length : undefined);
	const size = (isShared ? undefined : sentWith(order)) ?? told;
	const places = entries.flatMap(({ place }) => place ?? []);
	const isOrdered = origin !== 'named' && !isShared && new Set(places).size === entries.length;
	return {
		searches: entries.map(({ rows: [row] }) => row),
		places: isOrdered ? places : undefined,
		size,
		isDoubtful: !isOrdered,
		isOthers: isOfAnotherId(order.fate.id, fate.body) || size !== (requested ?? size),
	};
}
