import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import type { Failure } from '../common/errors';
import type { Form } from '../input/settings';
import type { RowOutput } from '../input/rows';
import type { Lookup } from '../lookups/types';
import type { Order } from '../orders/order';
import { columnsOf, toJson } from './columns';
import { toError } from './explain';
import { foldBatches, foldLists } from './fold';

/** The columns that describe a search and are no answer: where one is not known, the input's stands in it. */
function columnsOfSearch({ columns: { about, found }, options }: Lookup): Set<string> {
	const isAnswer = (name: string) =>
		found.includes(name) || options.some(({ column }) => column === name);
	return new Set([...about.filter((name) => !isAnswer(name)), 'custom']);
}

/**
 * The items that the node gives out, paired with its input items. Where results are not split, a list or a batch
 * is one item.
 * @param input how many items it has, and the orders of batches that are read
 */
export function itemsOf(
	node: INode,
	form: Form,
	all: readonly RowOutput[],
	input: { items: number; orders?: readonly Order[] },
): INodeExecutionData[] {
	const outputs = fold(form, all, input);
	const jsons = outputs.map((one) => toJson(form, one));
	const withInput = includeInput(form, outputs, jsons);
	return outputs.map(({ row: { item }, output, ofItems }, index): INodeExecutionData => {
		const json = withInput[index] ?? {};
		if (output.kind === 'failure') return toErrorItem(node, { ...output, item }, json);
		return { json, pairedItem: ofItems?.map((number) => ({ item: number })) ?? item };
	});
}

function fold(
	form: Form,
	outputs: readonly RowOutput[],
	{ items, orders = [] }: { items: number; orders?: readonly Order[] },
): readonly RowOutput[] {
	const { isSplit, isList, task, size } = form;
	if (isSplit || outputs.length === 0 || task === 'start') return outputs;
	if (isList) return foldLists(form, outputs, items);
	return task === 'read' && size === 'bulk' ? foldBatches(form, outputs, orders) : outputs;
}

export function toErrorItem(node: INode, failure: Failure, json: IDataObject): INodeExecutionData {
	const { item = 0 } = failure;
	// n8n's error output copies the item, and with it `json`, only where the pairing is an object.
	const output: INodeExecutionData = { json, pairedItem: { item } };
	// n8n routes by `error`, but where it can be listed it replaces `json`, and the id with it.
	if (node.onError === 'continueErrorOutput') {
		const error = toError(node, failure);
		Object.defineProperty(output, 'error', { value: error, writable: true });
	}
	return output;
}

/** Whether an item says that something went wrong; a result may have an `error` of the service. */
export function isErrorJson({ error, status }: IDataObject): boolean {
	return error !== undefined && error !== null && status !== 'completed';
}

/**
 * Puts the fields of the input items behind the results: `{ id: 7, email: 'old' }` behind the raw result
 * `{ id: 's', email: 'new' }` is `{ id: 's', email: 'new', input_id: 7, input_email: 'old' }`. A field with the name
 * of a result's column comes out so also where that column is `null`: nothing old looks found.
 */
export function includeInput(
	form: Form,
	outputs: readonly RowOutput[],
	jsons: readonly IDataObject[],
): readonly IDataObject[] {
	if (!form.includesInput) return jsons;
	const ofSearch = columnsOfSearch(form.lookup);
	const inputNames = outputs.flatMap(({ row }) => Object.keys(row.inputFields ?? {}));
	// A raw answer may lack a column that others have: its name is taken all the same.
	const answers = form.isSimple
		? []
		: [...columnsOf(form), 'id', ...jsons.flatMap(Object.keys)].filter(
				(name) => !ofSearch.has(name),
			);
	const taken = new Set([...inputNames, ...answers, ...jsons.flatMap(Object.keys)]);
	const newNames = new Map<string, string>();
	for (const name of [...taken]) {
		const newName = freeName(`input_${name}`, taken);
		newNames.set(name, newName);
		taken.add(newName);
	}
	return jsons.map((json, index) => {
		const { row, ofItems = [] } = outputs[index] ?? {};
		const hidden = new Set([...Object.keys(json), ...('dry_run' in json ? [] : answers)]);
		// A receipt of several items is of none of them.
		const isOfSeveral = ofItems.length > 1;
		const fields: IDataObject = row?.inputFields ?? {};
		const item = { ...json };
		for (const name in fields) {
			if (name === '__proto__') continue;
			const value = isOfSeveral ? null : fields[name];
			if (ofSearch.has(name) && name in item) item[name] ??= value;
			item[hidden.has(name) ? (newNames.get(name) ?? name) : name] = value;
		}
		return item;
	});
}

function freeName(name: string, taken: ReadonlySet<string>): string {
	let free = name;
	for (let number = 2; taken.has(free); number++) free = `${name}_${number}`;
	return free;
}
