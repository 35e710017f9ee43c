import type { IDataObject } from 'n8n-workflow';
import type { Failure } from '../common/errors';
import { asRecord, groupBy } from '../common/values';
import type { Form } from '../input/settings';
import { failuresOf, type Output, type Row, type RowOutput, rowWithoutSearch } from '../input/rows';
import { isAccepted, type Order, rowsOf } from '../orders/order';
import { toJson } from './columns';

/** Lists in one item each, in the order of the input, and also those that are empty. */
export function foldLists(form: Form, outputs: readonly RowOutput[], items: number): RowOutput[] {
	const byItem = new Map(
		groupBy(outputs, ({ row }) => row.item).map((ofItem) => [ofItem[0].row.item, ofItem] as const),
	);
	return Array.from({ length: items }, (_, item): RowOutput => {
		const ofItem = byItem.get(item) ?? [];
		const results = ofItem.map((entry) => toJson(form, entry));
		const failures = failuresOf(ofItem);
		const [failure] = failures.length === ofItem.length ? failures : [];
		const isOngoing = results.some(({ status }) => status === 'ongoing');
		const [batchId, ...others] = new Set(results.map(({ batch_id }) => batch_id));
		const batch_id = others.length > 0 ? null : (batchId ?? null);
		return folded(
			rowWithoutSearch(item),
			{ batch_id, ...fateColumns(isOngoing, failure), results },
			failure,
		);
	});
}

/** Batches in one item each, with all that they have. */
export function foldBatches(
	form: Form,
	outputs: readonly RowOutput[],
	orders: readonly Order[],
): RowOutput[] {
	const orderOf = new Map(orders.flatMap((order) => rowsOf(order).map((row) => [row, order])));
	return groupBy(outputs, ({ row }) => row).map((ofRow): RowOutput => {
		const [{ row, ofItems }] = ofRow;
		const order = orderOf.get(row);
		const fate = order !== undefined && isAccepted(order) ? order.fate : undefined;
		const body = fate !== undefined && 'body' in fate ? asRecord(fate.body) : undefined;
		const listed = Array.isArray(body?.results) ? body.results.length : 0;
		const results = ofRow.filter(({ output }) => output.kind !== 'failure');
		const [failure] = failuresOf(ofRow);
		const json = {
			batch_id: fate?.id ?? null,
			...fateColumns(fate?.isOver === false, failure),
			stats: body?.stats ?? null,
			// What is given of a batch without results is the batch itself.
			results: fate && listed === 0 ? [] : results.map((entry) => toJson(form, entry)),
		};
		return { ...folded(row, json, failure), ofItems };
	});
}

function fateColumns(isOngoing: boolean, failure: Failure | undefined): IDataObject {
	return {
		status: isOngoing ? 'ongoing' : failure === undefined ? 'completed' : 'failed',
		error: failure?.problem.message ?? null,
	};
}

function folded(row: Row, json: IDataObject, failure: Failure | undefined): RowOutput {
	const output: Output =
		failure === undefined ? { kind: 'result', json } : { ...failure, kind: 'failure' };
	return { row, output: { ...output, final: json } };
}
