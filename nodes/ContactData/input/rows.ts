import type { IDataObject } from 'n8n-workflow';
import { type Failure, toFailure } from '../common/errors';
import type { Search } from '../lookups/types';
import type { Envelope } from './envelope';

/** What one input item, or one entry of its list, asks for. It is read once, and not written to again. */
export interface Row {
	/** The number of the input item, from 0. */
	readonly item: number;
	/** What it searches for, checked; empty where it only names a lookup or batch. */
	readonly search: Search;
	/** Equal keys are one search for the service; empty where there is no search. */
	readonly key: string;
	/** The `custom` that comes back with its result; a batch has one as well. */
	readonly custom?: IDataObject | string;
	readonly envelope: Envelope;
	/** The lookup or batch that the user names instead: it is read, and not submitted. */
	readonly namedId?: string;
	/** The labels of fields with values that cannot be used, where the others make a search. */
	readonly leftOut?: readonly string[];
	/** The fields of its input item, where they are to stand under those of its result. */
	readonly inputFields?: IDataObject;
	/** What it gives whatever the service says: why it cannot be searched, that it is invalid, or what was saved. */
	readonly certain?: Output;
}

/** One item that a row gives out, before it has its columns. */
export type Output = {
	/** Its item, where that has its last form already and gets no columns. */
	final?: IDataObject;
} &
	/** A result, or a receipt, or what still runs. */
	({ kind: 'result'; json: IDataObject } | ({ kind: 'failure' } & Failure));

/** An output, and whose it is. */
export interface RowOutput {
	row: Row;
	output: Output;
	/** The input items that a receipt is of, where they are several. */
	ofItems?: readonly number[];
}

export function failureOf(failure: Failure): Output {
	return { ...failure, kind: 'failure' };
}

/** The failures among outputs, each with the number of its item. */
export function failuresOf(outputs: readonly RowOutput[]): Failure[] {
	return outputs.flatMap(({ row: { item }, output }) =>
		output.kind === 'failure' ? { ...output, item } : [],
	);
}

/** The outputs of rows that need no answer of the service. */
export function certainOutputs(rows: readonly Row[]): RowOutput[] {
	return rows.flatMap((row) => (row.certain === undefined ? [] : { row, output: row.certain }));
}

/** Whether a row searches for something: one that only names an ID does not. */
export function hasSearch({ key }: Row): boolean {
	return key !== '';
}

/** A row that searches for nothing itself. */
export function rowWithoutSearch(item: number): Row {
	return { item, search: {}, key: '', envelope: {} };
}

/** A row that cannot be searched for. */
export function wrongRow(
	basis: Pick<Row, 'item' | 'inputFields'>,
	error: unknown,
	search?: Search,
): Row {
	const certain = failureOf({ search, ...toFailure(error) });
	return { ...rowWithoutSearch(basis.item), ...basis, certain };
}

/** That an address cannot be deliverable, in the form of a result: nothing is sent or charged for it. */
export function invalidResult({ search, custom }: Row, reason: string): Output {
	return {
		kind: 'result',
		json: {
			...search,
			qualification: 'invalid',
			reason,
			...(custom !== undefined && { custom }),
			status: 'completed',
			found: false,
		},
	};
}
