import type { IDataObject } from 'n8n-workflow';
import type { Failure } from '../common/errors';
import { toFailure } from '../common/errors';
import type { Search } from '../lookups/types';
import type { Envelope } from './envelope';

/** One input item, or one entry of its list: from the reading of it to what it gives out. */
export interface Row {
	/** The number of the input item, from 0. */
	item: number;
	/** What it searches for, checked; empty where it names a lookup or batch, and searches for nothing. */
	search: Search;
	/** Equal keys are one search for the service; empty where there is no search. */
	key: string;
	/** The `custom` that comes back with its result; a batch has one of its own as well. */
	custom?: IDataObject | string;
	envelope: Envelope;
	/** The lookup or batch that the user names instead: it is read, and not submitted. */
	namedId?: string;
	/** The labels of fields with values that cannot be used, where the others make a search. */
	leftOut?: string[];
	/** The fields of its input item, where they are to stand under those of its result. */
	own?: IDataObject;
	/** What it gives out, as soon as that is known. One that names a batch may give several. */
	outputs: Output[];
}

/** What a row gives out. */
export type Output =
	/** A result, or what still runs or was only started. A receipt may be of several items. */
	| { kind: 'result'; json: IDataObject; ofItems?: number[] }
	/** What Simplify leaves in its form: a batch in one item. */
	| { kind: 'asItIs'; json: IDataObject }
	/** What went wrong; its columns where Simplify has made some. */
	| ({ kind: 'failure'; columns?: IDataObject } & Failure);

export function failureOf(failure: Failure): Output {
	return { ...failure, kind: 'failure' };
}

/** The failures of rows, each with the number of its item. */
export function failuresOf(rows: readonly Row[]): Failure[] {
	return rows.flatMap(({ item, outputs }) =>
		outputs.flatMap((output) => (output.kind === 'failure' ? { ...output, item } : [])),
	);
}

/** One that cannot be searched for. */
export function wrongRow(of: Pick<Row, 'item' | 'own'>, error: unknown): Row {
	return { ...of, search: {}, key: '', envelope: {}, outputs: [failureOf(toFailure(error))] };
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
