import type { IDataObject } from 'n8n-workflow';
import { asRecord, isRecord } from '../common/values';
import { failureOf, type Output } from '../input/rows';
import type { Lookup, Size } from '../lookups/types';
import type { AcceptedOrder } from '../orders/order';
import type { Ended } from '../service/state';
import { areOthersNotFound, isEndedEntry, countsIn, verdictOf } from '../service/verdict';
import { matchResults } from './match';
import { lookupProblem, otherSearchProblem, unlistedProblem, uselessProblem } from './problems';
import { isOfAnotherId } from './whose';

/** The id of a lookup or a batch, under the name that it has in an item. */
export function idsOf(size: Size, id: string): { id?: string; batch_id?: string } {
	return size === 'single' ? { id } : { batch_id: id };
}

/** A result (`service-api.md` 2.3 to 2.8) with its id and what became of it, or an error where it is of no use. */
export function outputOf(lookup: Lookup, size: Size, id: string, body: IDataObject): Output {
	const verdict = verdictOf(lookup, body);
	if (verdict === 'empty' || verdict === 'unsaid') {
		return failureOf({ problem: uselessProblem(lookup, size, id, body, verdict === 'empty') });
	}
	const isFound = verdict === 'found';
	return {
		kind: 'result',
		json: { ...body, ...idsOf(size, id), status: 'completed', found: isFound },
	};
}

/** What a batch that has ended lists; of one that failed, what it had finished. */
export function listedIn(lookup: Lookup, { kind, body }: Ended): IDataObject[] {
	const all = Array.isArray(body.results) ? body.results.filter(isRecord) : [];
	return kind === 'failed' ? all.filter((entry) => isEndedEntry(lookup, entry)) : all;
}

/** All that a batch has: an output for each of its results, and what went wrong with the batch. */
export function outputsOfBatch(lookup: Lookup, id: string, fate: Ended): Output[] {
	const { body } = fate;
	if (isOfAnotherId(id, body))
		return [failureOf({ problem: otherSearchProblem(lookup, 'bulk', id) })];
	const outputs = listedIn(lookup, fate).map((result) => outputOf(lookup, 'bulk', id, result));
	if (fate.kind === 'failed') outputs.push(failureOf({ problem: lookupProblem(fate) }));
	// A batch without results gives one item, so that the workflow goes on.
	return outputs.length > 0 ? outputs : [{ kind: 'result', json: emptyBatch(lookup, id, body) }];
}

function emptyBatch(lookup: Lookup, id: string, body: IDataObject): IDataObject {
	const stats = asRecord(body.stats);
	const isNothing = areOthersNotFound(lookup, countsIn(body), []);
	return {
		...(isNothing && lookup.unlistedResult),
		...(stats && { stats }),
		batch_id: id,
		status: 'completed',
		found: isNothing ? false : null,
	};
}

/**
 * What a batch that has ended says of each search, by the eight rules of whose a result is:
 * 1. A single result is of its id (`ofSingle` in `give`).
 * 2. An entry that repeats a search, or has the whole name of exactly one, is of that search (`matchResults`).
 * 3. Else it is of the one at its index, which counts from 0, unless an index is false.
 * 4. Not where it repeats another name, profile or address than was asked for (`contradicts`); nor, in a part of a
 *    batch, where nothing but the name is the search's (`mayBeOfOther`).
 * 5. Not by index where the answer has another id of its own, or the user gave the id.
 * 6. An entry that is given twice is one; a place that is given to two others is nobody's.
 * 7. What a phone batch leaves out is not found, once all that it lists has its place.
 * 8. What has no place is an error with the id, and never somebody's.
 */
export function outputsOfSearches(lookup: Lookup, order: AcceptedOrder, fate: Ended): Output[] {
	const { id } = order.fate;
	const counts = countsIn(fate.body);
	const listed = listedIn(lookup, fate);
	const isNamed = order.origin === 'named';
	const count = isNamed ? counts.requested : order.count;
	// Rule 5. Of a batch that counts more or fewer than were sent no index is to be trusted.
	const { requested = order.count } = counts;
	const isIndexed = !isNamed && !isOfAnotherId(id, fate.body) && requested === order.count;
	const searches = order.entries.map(({ place, rows: [{ search, key }] }) => {
		return { search, key, place: isIndexed ? place : undefined };
	});
	const { results, unplaced } = matchResults(lookup, { searches, count }, listed);
	// Rule 7.
	const areNotFound =
		(isNamed ? count === searches.length : isIndexed) &&
		unplaced.length === 0 &&
		areOthersNotFound(lookup, counts, listed);
	return searches.map(({ search }, position) => {
		const result = results[position];
		if (result !== undefined) return outputOf(lookup, 'bulk', id, result);
		if (fate.kind === 'failed') return failureOf({ problem: lookupProblem(fate) });
		if (areNotFound) {
			const unlisted = { ...lookup.toEcho(search), ...lookup.unlistedResult };
			return outputOf(lookup, 'bulk', id, unlisted);
		}
		// Rule 8.
		return failureOf({ problem: unlistedProblem(lookup, order, isNamed ? 0 : unplaced.length) });
	});
}
