import type { IDataObject, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';
import { asRecord, isRecord } from '../common/values';
import type { Output } from '../input/rows';
import type { LookupEvent } from '../lookups';
import type { Lookup } from '../lookups/types';
import { batchItem, bulkResult, idsOf, listedResults, singleResult } from '../results/items';
import { simplify } from '../results/simplify';
import type { Ended } from '../service/state';

/** What a trigger gives out, which is never a failure: that a lookup has failed is an item. */
type Given = Exclude<Output, { kind: 'failure' }>;

/**
 * What Get Result or Get Bulk Results would give for a lookup that is over, and its event. The
 * trigger's filters may leave nothing.
 */
export function toTriggerItems(
	context: IWebhookFunctions,
	id: string,
	event: LookupEvent,
	ended: Ended,
): INodeExecutionData[] {
	const { lookup, size, name } = event;
	const onlyFound = context.getNodeParameter('onlyFound', false) === true;
	const isSplit = context.getNodeParameter('splitResults', true) !== false;
	const isSimple = context.getNodeParameter('simplify', true) !== false;
	const isWanted = ({ found }: IDataObject) => !onlyFound || found === true;
	const outputs =
		size === 'bulk' && !isSplit && ended.kind === 'completed'
			? wholeBatch(lookup, id, ended.body, onlyFound)
			: outputsOf(event, id, ended).filter(({ json }) => isWanted(json));
	const row = { item: 0, search: {}, key: '', envelope: {}, outputs };
	const given = isSimple ? simplify(lookup, [row]) : [row];
	return given.flatMap((one) =>
		one.outputs.flatMap((output) =>
			output.kind === 'failure' ? [] : { json: { ...output.json, event: name } },
		),
	);
}

function outputsOf({ lookup, size }: LookupEvent, id: string, ended: Ended): Given[] {
	const { kind, body } = ended;
	const listed = size === 'bulk' ? listedResults(lookup, id, ended) : [];
	if (kind === 'completed') {
		return size === 'bulk' ? listed : [{ kind: 'result', json: singleResult(lookup, id, body) }];
	}
	const stats = asRecord(body.stats);
	const { message: error } = ended.refusal;
	const json = { ...idsOf(size, id), status: 'failed', error, ...(stats && { stats }) };
	return [...listed, { kind: 'result', json }];
}

/** A batch in one item, with the wanted of its results. */
function wholeBatch(lookup: Lookup, id: string, body: IDataObject, onlyFound: boolean): Given[] {
	const all = Array.isArray(body.results) ? body.results.filter(isRecord) : [];
	const results = all.filter((one) => !onlyFound || bulkResult(lookup, id, one).found === true);
	if (onlyFound && results.length === 0) return [];
	return [{ kind: 'asItIs', json: { ...batchItem(id, body), results } }];
}
