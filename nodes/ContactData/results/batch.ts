import type { IDataObject } from 'n8n-workflow';
import { asRecord, isRecord } from '../common/values';
import type { Output } from '../input/rows';
import { failureOf } from '../input/rows';
import type { Lookup, Size } from '../lookups/types';
import type { AcceptedOrder } from '../orders/order';
import { sentWith } from '../orders/order';
import type { Ended } from '../service/state';
import {
	areOthersNotFound,
	countListed,
	isEndedEntry,
	readCounts,
	verdictOf,
} from '../service/verdict';
import { matchResults } from './match';
import { lookupProblem, otherSearchProblem, unlistedProblem, unsaidProblem } from './problems';
import { belongsTo, isOfAnotherId } from './whose';

/** The name under which the id of a lookup or a batch is given out. */
export function idsOf(size: Size, id: string): { id?: string; batch_id?: string } {
	return size === 'single' ? { id } : { batch_id: id };
}

/**
 * A result of a lookup or a batch that has ended: as the service tells it (`service-api.md` 2.3 to 2.8), with
 * its id and what has become of it. A batch may have ended without one of its results.
 */
export function toResult(lookup: Lookup, size: Size, id: string, body: IDataObject): IDataObject {
	const verdict = verdictOf(lookup, body);
	const isTold = verdict === 'found' || verdict === 'notFound';
	const isFailed = verdict === 'failed';
	return {
		...body,
		...idsOf(size, id),
		status: isTold ? 'completed' : isFailed ? 'failed' : 'ongoing',
		found: isTold ? verdict === 'found' : null,
	};
}

/**
 * What a batch that has ended lists; of one that failed, what it had finished. As not found it may list what
 * it has not come to, by its own count.
 */
export function listedIn(lookup: Lookup, { kind, body }: Ended): IDataObject[] {
	const all = Array.isArray(body.results) ? body.results.filter(isRecord) : [];
	const ended = all.filter((entry) => isEndedEntry(lookup, entry));
	const { finished = Infinity } = readCounts(body);
	if (ended.length > finished) return all.filter((entry) => verdictOf(lookup, entry) === 'found');
	return kind === 'failed' ? ended : all;
}

/** All that a batch has: an output for each of its results, and what went wrong with the batch. */
export function outputsOfBatch(lookup: Lookup, id: string, fate: Ended): Output[] {
	const { body } = fate;
	if (isOfAnotherId(id, body))
		return [failureOf({ problem: otherSearchProblem(lookup, 'bulk', id) })];
	const outputs = listedIn(lookup, fate).map((result): Output => {
		return { kind: 'result', json: toResult(lookup, 'bulk', id, result) };
	});
	if (fate.kind === 'failed') outputs.push(failureOf({ problem: lookupProblem(fate) }));
	// A batch without results gives one item, so that the workflow goes on.
	return outputs.length > 0 ? outputs : [{ kind: 'result', json: emptyBatch(lookup, id, body) }];
}

function emptyBatch(lookup: Lookup, id: string, body: IDataObject): IDataObject {
	const stats = asRecord(body.stats);
	const isNothing = areOthersNotFound(lookup, readCounts(body), 0);
	return {
		...(isNothing && lookup.unlistedResult),
		...(stats && { stats }),
		batch_id: id,
		status: 'completed',
		found: isNothing ? false : null,
	};
}

/** What a batch that has ended says of each search; one that failed gives what it had finished before. */
export function outputsOfSearches(lookup: Lookup, order: AcceptedOrder, fate: Ended): Output[] {
	const { entries, origin } = order;
	const { id } = order.fate;
	const isNamed = origin === 'named';
	const counts = readCounts(fate.body);
	const listed = listedIn(lookup, fate);
	// Where only what was found is listed, the list does not tell how many were sent.
	const listsAll = lookup.unlistedResult === undefined;
	const size = sentWith(order) ?? counts.requested ?? (listsAll ? countListed(listed) : undefined);
	const isOfAnother =
		isOfAnotherId(id, fate.body) || (size !== undefined && size !== (counts.requested ?? size));
	const searches = entries.map(({ rows: [{ search, key }] }) => ({ search, key }));
	const places = isOfAnother
		? undefined
		: entries.map(({ place }) => (isNamed ? undefined : place));
	const { results, unmatched } = matchResults(lookup, { searches, places, size }, listed);
	// The others of the batch have results, too. Whether one of another run had a search at all, nobody
	// knows unless it was asked for exactly so many.
	const others = Math.max(0, (size ?? listed.length) - entries.length);
	const hasAll = isNamed
		? unmatched.length === 0 && counts.requested === entries.length
		: unmatched.length <= others;
	const areNotFound =
		hasAll &&
		!isOfAnother &&
		fate.kind === 'completed' &&
		areOthersNotFound(lookup, counts, listed.length);
	return searches.map((sought, position) => {
		const result = results[position];
		const json = result && toResult(lookup, 'bulk', id, result);
		if (json?.status === 'completed') return { kind: 'result', json };
		if (fate.kind === 'failed') return failureOf({ problem: lookupProblem(fate) });
		if (result !== undefined) return failureOf({ problem: unsaidProblem(id, result) });
		const isOf = (other: IDataObject) => belongsTo(lookup, sought, other, true) === 'yes';
		if (areNotFound && !unmatched.some(isOf)) {
			const unlisted = { ...lookup.toEcho(sought.search), ...lookup.unlistedResult };
			return { kind: 'result', json: toResult(lookup, 'bulk', id, unlisted) };
		}
		const strangers = isNamed || hasAll ? 0 : unmatched.length;
		return failureOf({ problem: unlistedProblem(lookup, order, strangers) });
	});
}
