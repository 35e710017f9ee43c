import type { IDataObject, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';
import { asRecord, isRecord } from '../common/values';
import type { Output } from '../input/rows';
import type { LookupEvent } from '../lookups';
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
	const onlyFound = context.getNodeParameter('onlyFound', false) === true;
	const isSplit = context.getNodeParameter('splitResults', true) !== false;
	const isWanted = ({ found }: IDataObject) => !onlyFound || found === true;
	const outputs =
		event.size === 'bulk' && !isSplit && ended.kind === 'completed'
			? wholeBatch(event, id, ended.body, isWanted)
			: outputsOf(event, id, ended).filter(({ json }) => isWanted(json));
	const row = { item: 0, search: {}, key: '', envelope: {}, outputs };
	const isSimple = context.getNodeParameter('simplify', true) !== false;
	const given = isSimple ? simplify(event.lookup, [row]) : [row];
	return given.flatMap((one) =>
		one.outputs.flatMap((output) =>
			output.kind === 'failure' ? [] : { json: { ...output.json, event: event.name } },
		),
	);
}

function outputsOf({ lookup, size }: LookupEvent, id: string, ended: Ended): Given[] {
	const listed = size === 'bulk' ? listedResults(lookup, id, ended) : [];
	if (ended.kind === 'completed') {
		return size === 'bulk'
			? listed
			: [{ kind: 'result', json: singleResult(lookup, id, ended.body) }];
	}
	const stats = asRecord(ended.body.stats);
	const { message: error } = ended.refusal;
	const json = { ...idsOf(size, id), status: 'failed', error, ...(stats && { stats }) };
	return [...listed, { kind: 'asItIs', json }];
}

/** A batch in one item, with the wanted of its results; none where it has results, and none is wanted. */
function wholeBatch(
	{ lookup }: LookupEvent,
	id: string,
	body: IDataObject,
	isWanted: (json: IDataObject) => boolean,
): Given[] {
	const results = Array.isArray(body.results) ? body.results.filter(isRecord) : [];
	const wanted = results.filter((result) => isWanted(bulkResult(lookup, id, result)));
	const isNothing = wanted.length === 0 && !isWanted({ found: false });
	return isNothing ? [] : [{ kind: 'asItIs', json: { ...batchItem(id, body), results: wanted } }];
}
