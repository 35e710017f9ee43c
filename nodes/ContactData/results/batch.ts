import type { IDataObject } from 'n8n-workflow';
import { asRecord } from '../common/values';
import { EARLIER_ID } from '../input/ids';
import type { Output } from '../input/rows';
import { failureOf } from '../input/rows';
import type { Lookup } from '../lookups/types';
import type { AcceptedOrder } from '../orders/order';
import { sentWith } from '../orders/order';
import { areOthersNotFound, countListed, readCounts } from '../service/verdict';
import type { Ended } from '../service/state';
import { matchResults } from './match';
import {
	anotherIdProblem,
	lookupProblem,
	unlistedProblem,
	unmatchedProblem,
	unsaidProblem,
} from './problems';
import { bulkResult, listedIn } from './result';
import { belongsTo, isOfAnotherId } from './whose';

/** All that a batch has: an output for each of its results, and what went wrong with the batch. */
export function outputsOfBatch(lookup: Lookup, id: string, fate: Ended): Output[] {
	const { body } = fate;
	if (isOfAnotherId(id, body)) return [failureOf({ problem: anotherIdProblem(id) })];
	const outputs = listedIn(lookup, fate).map((result): Output => {
		return { kind: 'result', json: bulkResult(lookup, id, result) };
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
	const places = entries.flatMap(({ place }) => place ?? []);
	const searches = entries.map(({ rows: [{ search, key }] }) => ({ search, key }));
	const { results, unmatched } = matchResults(
		lookup,
		{ searches, places: isNamed ? undefined : places, size, isOfAnother },
		listed,
	);
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
		const { search } = sought;
		const result = results[position];
		const json = result && bulkResult(lookup, id, result);
		if (json?.status === 'completed') return { kind: 'result', json };
		if (fate.kind === 'failed') return failureOf({ problem: lookupProblem(fate) });
		if (result !== undefined) return failureOf({ problem: unsaidProblem(id, result) });
		const isListed = unmatched.some((other) => belongsTo(lookup, sought, other, true) === 'yes');
		if (areNotFound && !isListed) {
			const unlisted = { ...lookup.toEcho(search), ...lookup.unlistedResult };
			return { kind: 'result', json: bulkResult(lookup, id, unlisted) };
		}
		const problem =
			isNamed || hasAll
				? unlistedProblem(lookup, id, isNamed ? EARLIER_ID : undefined)
				: unmatchedProblem(id, unmatched.length);
		return failureOf({ problem });
	});
}
