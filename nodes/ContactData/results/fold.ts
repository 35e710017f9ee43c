import type { IDataObject } from 'n8n-workflow';
import { asRecord, groupBy } from '../common/values';
import type { Given, Output, Row } from '../input/rows';
import { failuresOf } from '../input/rows';
import type { Form } from '../input/form';
import type { Order } from '../orders/order';
import { isAccepted, rowsOf } from '../orders/order';
import { hasEnded } from '../service/state';
import { toJson } from './items';

/**
 * The outputs of lists in one item each, in the order of the input and also of lists that are empty; of any
 * other form as they are.
 * @param items of the input
 */
export function foldLists(form: Form, given: readonly Given[], items: number): readonly Given[] {
	const isFolded = form.isList && !form.isSplit && form.task !== 'start';
	if (!isFolded || given.length === 0) return given;
	const byItem = new Map(
		groupBy(given, ({ row }) => row.item).map((ofItem) => [ofItem[0].row.item, ofItem] as const),
	);
	return Array.from({ length: items }, (_, item): Given => {
		const ofItem = byItem.get(item) ?? [];
		const results = ofItem.map((entry) => toJson(form, entry));
		const failures = failuresOf(ofItem);
		const [failure] = failures.length === ofItem.length ? failures : [];
		const isOngoing = results.some(({ status }) => status === 'ongoing');
		const [batchId, ...others] = new Set(results.map(({ batch_id }) => batch_id));
		const json = {
			batch_id: others.length > 0 ? null : (batchId ?? null),
			status: isOngoing ? 'ongoing' : failure === undefined ? 'completed' : 'failed',
			error: failure?.problem.message ?? null,
			results,
		};
		return { row: rowOf(item), output: toFolded(json, failure && { ...failure, kind: 'failure' }) };
	});
}

/** Batches in one item each, with all that they have. */
export function foldBatches(
	form: Form,
	given: readonly Given[],
	orders: readonly Order[],
): Given[] {
	const orderOf = new Map(orders.flatMap((order) => rowsOf(order).map((row) => [row, order])));
	return groupBy(given, ({ row }) => row).map((ofRow): Given => {
		const [{ row, output: first }] = ofRow;
		const order = orderOf.get(row);
		const fate = order !== undefined && isAccepted(order) ? order.fate : undefined;
		const failure = ofRow.map(({ output }) => output).find(({ kind }) => kind === 'failure');
		const body = fate !== undefined && 'body' in fate ? asRecord(fate.body) : undefined;
		const isEmpty = !Array.isArray(body?.results) || body.results.length === 0;
		const results = ofRow.flatMap((one) =>
			one.output.kind === 'failure' || isEmpty ? [] : toJson(form, one),
		);
		const status =
			failure === undefined ? (fate && hasEnded(fate) ? 'completed' : 'ongoing') : 'failed';
		const error = failure?.kind === 'failure' ? failure.problem.message : null;
		const json = { batch_id: fate?.id ?? null, status, error, stats: body?.stats ?? null, results };
		return { row, output: toFolded(json, failure ?? first) };
	});
}

function toFolded(json: IDataObject, output: Output | undefined): Output {
	return output?.kind === 'failure' ? { ...output, folded: json } : { kind: 'final', json };
}

function rowOf(item: number): Row {
	return { item, search: {}, key: '', envelope: {} };
}
