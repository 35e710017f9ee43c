import type { IDataObject } from 'n8n-workflow';
import type { Failure } from '../common/errors';
import { ProblemError, toFailure } from '../common/errors';
import { searchKey } from '../lookups/same';
import type { Refuse, Search } from '../lookups/types';
import { readEarlierId } from './earlierId';
import type { Envelope, OptionOf } from './envelope';
import { readEnvelope, readItemCustom } from './envelope';
import type { FieldsRead } from './fields';
import { readFields, shownFields } from './fields';
import { readEntry, readList } from './lists';
import type { Run } from './run';
import type { Settings } from './settings';

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
	/** A result, which Simplify may turn into columns. */
	| { kind: 'result'; json: IDataObject }
	/** What keeps its form: what still runs, a receipt, a batch in one item. */
	| { kind: 'asItIs'; json: IDataObject; ofItems?: number[] }
	| ({ kind: 'failure' } & Failure);

export function failureOf(failure: Failure): Output {
	return { ...failure, kind: 'failure' };
}

/** The failures of rows, each with the number of its item. */
export function failuresOf(rows: readonly Row[]): Failure[] {
	return rows.flatMap(({ item, outputs }) =>
		outputs.flatMap((output) => (output.kind === 'failure' ? { ...output, item } : [])),
	);
}

/**
 * Reads and checks what all input items search for, in their order.
 * @param webhookOf where the service is to notify of an item's search, from the item's Options
 */
export function readRows(
	{ input, parameters }: Pick<Run, 'input' | 'parameters'>,
	settings: Settings,
	webhookOf: (optionOf: OptionOf, item: number) => string | undefined,
): Row[] {
	const { lookup, size, isList, includeInput } = settings;
	return input.flatMap(({ json }, item): Row[] => {
		const own = includeInput ? json : undefined;
		try {
			const optionOf: OptionOf = (name) => parameters.option(name, item);
			const refuse: Refuse = (problem) => {
				throw new ProblemError({ problem });
			};
			const envelope = readEnvelope(settings, optionOf, webhookOf(optionOf, item), refuse);
			if (isList) {
				const list = readList(lookup, parameters.get(lookup.listField, item), refuse);
				return list.map((entry, position) => {
					try {
						return toRow(settings, {
							item,
							own,
							envelope,
							...readEntry(lookup, entry, position, refuse),
						});
					} catch (error) {
						return wrongRow({ item, own }, error);
					}
				});
			}
			const fields = shownFields(lookup, parameters.get('identifyBy', item));
			const read = readFields(lookup, fields, refuse, ({ parameter }) =>
				parameters.get(parameter, item),
			);
			const namedId = readEarlierId(optionOf('earlierId'), refuse);
			const itemCustom = readItemCustom(lookup, optionOf, refuse);
			const custom = size === 'single' ? envelope.custom : itemCustom;
			return [toRow(settings, { item, own, envelope, custom, namedId, ...read })];
		} catch (error) {
			// An expression that cannot be resolved is the fault of its item alone.
			return [wrongRow({ item, own }, error)];
		}
	});
}

/** One that cannot be searched for. */
export function wrongRow(of: Pick<Row, 'item' | 'own'>, error: unknown): Row {
	return { ...of, search: {}, key: '', envelope: {}, outputs: [failureOf(toFailure(error))] };
}

function toRow(
	{ lookup, size }: Settings,
	{ flaw, ...read }: Omit<Row, 'key' | 'outputs'> & FieldsRead,
): Row {
	const row = { ...read, key: searchKey(lookup, read.search), outputs: [] };
	// A batch is not risked for an address of which only the service could say whether it is one.
	const isSent = flaw === undefined || row.namedId !== undefined;
	if (isSent || (size === 'single' && !flaw.isCertain)) return row;
	return { ...row, outputs: [invalidResult(row, flaw.reason)] };
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
