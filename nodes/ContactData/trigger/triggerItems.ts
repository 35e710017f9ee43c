import type { IDataObject, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';
import { asRecord, isRecord } from '../common/values';
import type { LookupEvent } from '../lookups';
import type { Size } from '../lookups/types';
import { batchItem, bulkResult, idsOf, listedResults, singleResult } from '../results/items';
import type { EndedFate } from '../service/state';
import { isEndedEntry } from '../service/state';

/**
 * What Get Result or Get Bulk Results would give for a lookup that is over, and its event. The
 * trigger's filters may leave nothing.
 */
export function toTriggerItems(
	context: IWebhookFunctions,
	id: string,
	{ name, lookup, size }: LookupEvent,
	fate: EndedFate,
): INodeExecutionData[] {
	const onlyFound = context.getNodeParameter('onlyFound', false) === true;
	const toItem = (json: IDataObject) => ({ json: { ...json, event: name } });
	const isWanted = ({ found }: IDataObject) => !onlyFound || found === true;
	const { body } = fate;
	if (size === 'single') {
		const result = fate.kind === 'failed' ? failedItem(size, id, fate) : singleResult(id, body);
		return [result].filter(isWanted).map(toItem);
	}
	const isSplit = context.getNodeParameter('splitResults', true) !== false;
	if (fate.kind === 'failed') {
		const listed = Array.isArray(body.results) ? body.results.filter(isEndedEntry) : [];
		const finished = isSplit ? listed.map((result) => bulkResult(id, result)) : [];
		return [...finished, failedItem(size, id, fate)].filter(isWanted).map(toItem);
	}
	if (isSplit) return listedResults(lookup, id, body).filter(isWanted).map(toItem);
	const results = Array.isArray(body.results) ? body.results.filter(isRecord) : [];
	const wanted = results.filter((result) => isWanted(bulkResult(id, result)));
	if (onlyFound && wanted.length === 0) return [];
	return [toItem({ ...batchItem(id, body), results: wanted })];
}

function failedItem(
	size: Size,
	id: string,
	{ refusal, body }: Extract<EndedFate, { kind: 'failed' }>,
): IDataObject {
	const stats = asRecord(body.stats);
	return { ...idsOf(size, id), status: 'failed', error: refusal.message, ...(stats && { stats }) };
}
