import type { IDataObject } from 'n8n-workflow';
import { asRecord, isRecord } from '../common/values';
import type { Row } from '../input/rows';
import type { Lookup, Size } from '../lookups/types';
import type { AcceptedOrder } from '../orders/order';
import { readCounts } from '../service/verdict';
import type { Ended } from '../service/state';
import type { Verdict } from '../service/verdict';
import { isEndedEntry, verdictOf } from '../service/verdict';

/** A finished single lookup: the service's body, flat (`service-api.md` 2.4, 2.6, 2.8). */
export function singleResult(lookup: Lookup, id: string, body: IDataObject): IDataObject {
	return { ...body, id, ...statusOf(verdictOf(lookup, body)) };
}

/** One result of a batch that has ended (`service-api.md` 2.3, 2.5, 2.7). */
export function bulkResult(lookup: Lookup, batchId: string, result: IDataObject): IDataObject {
	return { ...result, batch_id: batchId, ...statusOf(verdictOf(lookup, result)) };
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

/** The name under which the id of a lookup or a batch is given out. */
export function idsOf(size: Size, id: string): { id?: string; batch_id?: string } {
	return size === 'single' ? { id } : { batch_id: id };
}

/** A lookup that still runs, for a row that waits for it: its id, and what was searched. */
export function ongoingItem(
	lookup: Lookup,
	{ size, fate }: AcceptedOrder,
	{ search, key, custom }: Row,
): IDataObject {
	const item = { ...idsOf(size, fate.id), status: 'ongoing' };
	if (key !== '')
		return { ...item, ...lookup.toEcho(search), ...(custom !== undefined && { custom }) };
	const stats = 'body' in fate ? asRecord(asRecord(fate.body)?.stats) : undefined;
	return { ...item, ...(stats && { stats }) };
}
