import type { IDataObject, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';
import { asRecord, asText, isRecord } from '../common/values';
import type { Row } from '../input/rows';
import type { Form } from '../input/settings';
import { findLookup } from '../lookups';
import { isAccepted } from '../orders/order';
import { ordersOfItems } from '../results/named';
import type { Pause } from './savedPause';

/** Where an item that waits keeps the fields of its input, which it may hide. */
const INPUT_FIELDS = 'input_fields';
/** What such an item says of its search, over those fields. */
const OF_SEARCH = ['id', 'batch_id', 'status', 'index', 'raw_params', 'params', 'custom'];

/**
 * A pause of version 0.3.0, which has saved only its items, in the place of the node's input.
 * @returns `undefined` where nothing is waited for
 */
export function readPauseOf030(context: IWebhookFunctions): Pause | undefined {
	const lookup = findLookup(context.getNodeParameter('resource'));
	const size = context.getNodeParameter('operation') === 'submitBulkAndWait' ? 'bulk' : 'single';
	const input: unknown = context.evaluateExpression('{{ $input.all() }}', 0);
	const items = (Array.isArray(input) ? input : []).filter(isItem);
	if (lookup === undefined) return undefined;
	const naming = items.flatMap(({ json }, item) => {
		const id = json.status === 'ongoing' ? asText(size === 'single' ? json.id : json.batch_id) : '';
		return id === undefined || id === '' ? [] : [{ item, id, json }];
	});
	const { rows, orders } = ordersOfItems(lookup, size, naming);
	const waiting = new Map(rows.map((row) => [row.item, row]));
	const form: Form = {
		lookup,
		size,
		isList: rows.some(({ key }) => key === '') && size === 'bulk',
		isSplit: false,
		isSimple: context.getNodeParameter('simplify', true) !== false,
	};
	return {
		form,
		rows: items.map(({ json }, item): Row => {
			const row = waiting.get(item);
			if (row !== undefined) return Object.assign(row, { own: inputFields(json) });
			return {
				item,
				search: {},
				key: '',
				envelope: {},
				outputs: [{ kind: 'asItIs', json: ended(json) }],
			};
		}),
		orders: orders.filter(isAccepted),
	};
}

function inputFields({ [INPUT_FIELDS]: own, ...json }: IDataObject): IDataObject {
	const fields = Object.entries(json).filter(([name]) => !OF_SEARCH.includes(name));
	return { ...Object.fromEntries(fields), ...asRecord(own) };
}

/** An item that failed gets back what it has hidden. */
function ended(json: IDataObject): IDataObject {
	if (json.status !== undefined) return json;
	const { [INPUT_FIELDS]: own, ...failure } = json;
	return { ...asRecord(own), ...failure };
}

function isItem(value: unknown): value is INodeExecutionData {
	return isRecord(value) && isRecord(value.json);
}
