import type { IDataObject, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';
import { isRecord } from '../common/values';
import type { LookupEvent } from '../lookups';
import { batchItem, bulkResult, idsOf, singleResult } from '../results/items';
import type { EndedFate } from '../service/state';

/**
 * What Get Result or Get Bulk Results would give for a lookup that is over, and its event. The
 * trigger's filters may leave nothing.
 */
export function toTriggerItems(
	context: IWebhookFunctions,
	id: string,
	{ name, size }: LookupEvent,
	fate: EndedFate,
): INodeExecutionData[] {
	const onlyFound = context.getNodeParameter('onlyFound', false) === true;
	const toItem = (json: IDataObject) => ({ json: { ...json, event: name } });
	if (fate.kind === 'failed') {
		const { message: error } = fate.refusal;
		return onlyFound ? [] : [toItem({ ...idsOf(size, id), status: 'failed', error })];
	}
	const { body } = fate;
	const isWanted = ({ found }: IDataObject) => !onlyFound || found === true;
	if (size === 'single') return [singleResult(id, body)].filter(isWanted).map(toItem);

	const results = Array.isArray(body.results) ? body.results.filter(isRecord) : [];
	if (context.getNodeParameter('splitResults', true) !== false) {
		return results
			.map((result) => bulkResult(id, result))
			.filter(isWanted)
			.map(toItem);
	}
	const wanted = results.filter((result) => isWanted(bulkResult(id, result)));
	if (onlyFound && wanted.length === 0) return [];
	return [toItem({ ...batchItem(id, body), results: wanted })];
}
