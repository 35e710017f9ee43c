import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import type { Given } from '../input/rows';
import type { Form } from '../input/form';
import { columnsOf, toColumns } from './columns';
import { toErrorItem, toErrorJson } from './errorItem';
import { includeInput, OF_SEARCH } from './inputFields';

/** The items that the node gives out, paired with its input items. */
export function toNodeItems(
	node: INode,
	form: Form,
	given: readonly Given[],
): INodeExecutionData[] {
	const jsons = given.map((one) => toJson(form, one));
	// An answer as it came may leave out what it does not tell.
	const columns = columnsOf(form).filter((name) => form.isSimple || !OF_SEARCH.has(name));
	const answers = form.isSimple ? columns : [...columns, 'id', ...jsons.flatMap(Object.keys)];
	const withInput = includeInput(given, jsons, [...new Set(answers)]);
	return given.map(({ row: { item }, output, ofItems }, index): INodeExecutionData => {
		const json = withInput[index] ?? {};
		if (output.kind === 'failure') return toErrorItem(node, { ...output, item }, json);
		return { json, pairedItem: ofItems?.map((number) => ({ item: number })) ?? item };
	});
}

/** An output in the form that the user has chosen. */
export function toJson(form: Form, given: Given): IDataObject {
	const { output, row } = given;
	if (output.kind === 'final') return output.json;
	if (output.kind === 'failure' && output.folded !== undefined) return output.folded;
	if (form.isSimple) return toColumns(form, given);
	return output.kind === 'failure' ? toErrorJson({ ...output, item: row.item }) : output.json;
}
