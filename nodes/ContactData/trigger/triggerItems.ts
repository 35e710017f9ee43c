import type { IDataObject, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';
import { asRecord, isRecord } from '../common/values';
import type { LookupEvent } from '../lookups';
import type { ItemResult } from '../results/items';
import { batchItem, bulkResult, idsOf, listedResults, singleResult } from '../results/items';
import { simplify } from '../results/simplify';
import type { EndedFate } from '../service/state';

/**
 * What Get Result or Get Bulk Results would give for a lookup that is over, and its event. The
 * trigger's filters may leave nothing.
 */
export function toTriggerItems(
	context: IWebhookFunctions,
	id: string,
	event: LookupEvent,
	fate: EndedFate,
): INodeExecutionData[] {
	const onlyFound = context.getNodeParameter('onlyFound', false) === true;
	const isSplit = context.getNodeParameter('splitResults', true) !== false;
	const isWanted = ({ found }: IDataObject) => !onlyFound || found === true;
	const results =
		event.size === 'bulk' && !isSplit && fate.kind === 'completed'
			? wholeBatch(id, fate.body, isWanted)
			: resultsOf(event, id, fate).filter(({ json }) => isWanted(json));
	const isSimple = context.getNodeParameter('simplify', true) !== false;
	const given = isSimple ? simplify(event.lookup, results) : results;
	return given.map(({ json }) => ({ json: { ...json, event: event.name } }));
}

function resultsOf({ lookup, size }: LookupEvent, id: string, fate: EndedFate): ItemResult[] {
	const finished = size === 'bulk' ? listedResults(lookup, id, fate, 0) : [];
	if (fate.kind === 'completed') {
		return size === 'bulk' ? finished : [{ item: 0, json: singleResult(id, fate.body), asked: {} }];
	}
	const stats = asRecord(fate.body.stats);
	const { message: error } = fate.refusal;
	const json = { ...idsOf(size, id), status: 'failed', error, ...(stats && { stats }) };
	return [...finished, { item: 0, json }];
}

/** A batch in one item, with the wanted of its results; none where it has results, and none is wanted. */
function wholeBatch(
	id: string,
	body: IDataObject,
	isWanted: (json: IDataObject) => boolean,
): ItemResult[] {
	const results = Array.isArray(body.results) ? body.results.filter(isRecord) : [];
	const wanted = results.filter((result) => isWanted(bulkResult(id, result)));
	const isNothing = wanted.length === 0 && !isWanted({ found: false });
	return isNothing ? [] : [{ item: 0, json: { ...batchItem(id, body), results: wanted } }];
}
