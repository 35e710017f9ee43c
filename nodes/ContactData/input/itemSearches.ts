import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { checkField, describeType, quote } from '../lookups/fields';
import type { Lookup, Problem, Refuse, Search, SearchField, Size } from '../lookups/types';
import { isRecord } from '../common/json';
import type { ItemError } from '../common/itemErrors';
import { ensureError } from '../common/itemErrors';
import { isWritable, Parameters, parseJson } from './parameters';
import type { Common } from './envelope';
import { readCommon, readText } from './envelope';

/** One search that one input item asks for, checked and ready to be sent. */
export interface Ask {
	item: number;
	search: Search;
	/** The `custom` that comes back with this search's result; a batch has one of its own as well. */
	custom?: IDataObject | string;
	/** What is sent beside the search and is the same for a whole batch. */
	common: Common;
	/** Asks of different groups never share a batch. */
	group: string;
}

export interface ItemFailure {
	item: number;
	error: ItemError;
}

export function isAsk(read: Ask | ItemFailure): read is Ask {
	return !('error' in read);
}

/** Reads and checks the searches of all input items. Nothing is sent while one of them is wrong. */
export function readAsks(
	context: IExecuteFunctions,
	lookup: Lookup,
	size: Size,
	webhook: (options: IDataObject, item: number) => string | undefined,
): Array<Ask | ItemFailure> {
	const parameters = new Parameters(context);
	const asksOfList = size === 'bulk' && parameters.get('inputMode', 0) === 'array';
	return context.getInputData().flatMap((_, item): Array<Ask | ItemFailure> => {
		try {
			const options = parameters.options(item);
			const refuse: Refuse = (problem: Problem) => {
				throw new NodeOperationError(context.getNode(), problem.message, {
					description: problem.description,
					itemIndex: item,
				});
			};
			const common = readCommon(lookup, size, options, webhook(options, item), refuse);
			const group = JSON.stringify(common);
			if (asksOfList) {
				const list = readList(lookup, parameters.get(lookup.listField, item), refuse);
				return list.map((entry) => ({ item, ...entry, common, group: `${item} ${group}` }));
			}
			const search = readSearch(lookup, shownFields(lookup, parameters, item), refuse, (field) =>
				parameters.get(field.parameter, item),
			);
			const itemCustom = lookup.itemCustom
				? readText('Custom per Item', options.itemCustom, refuse)
				: undefined;
			const custom = size === 'single' ? common.custom : itemCustom;
			return [{ item, search, custom, common, group }];
		} catch (error) {
			return [{ item, error: toItemError(context, error, item) }];
		}
	});
}

/** An expression that cannot be resolved is the fault of its item alone. */
function toItemError(context: IExecuteFunctions, error: unknown, item: number): ItemError {
	if (error instanceof NodeOperationError) return error;
	return new NodeOperationError(context.getNode(), ensureError(error), { itemIndex: item });
}

function shownFields(lookup: Lookup, parameters: Parameters, item: number): SearchField[] {
	return lookup.fields.filter(
		({ identifyBy }) =>
			identifyBy === undefined || identifyBy === parameters.get('identifyBy', item),
	);
}

function readSearch(
	lookup: Lookup,
	fields: readonly SearchField[],
	refuse: Refuse,
	valueOf: (field: SearchField) => unknown,
): Search {
	const search: Record<string, string> = {};
	for (const field of fields) {
		const checked = checkField(field.kind, valueOf(field));
		if ('problem' in checked) {
			return refuse({
				message: `'${field.label}' ${checked.problem}`,
				description: `Correct the value of '${field.label}' for this item, or remove the item. It was not sent.`,
			});
		}
		if (checked.text !== undefined) search[field.name] = checked.text;
	}
	const missing = lookup.missing(search);
	return missing === undefined ? search : refuse(missing);
}

/** The list of 'Array' mode: as the service takes it, checked like any other input. */
function readList(
	lookup: Lookup,
	value: unknown,
	refuse: Refuse,
): Array<{ search: Search; custom?: Ask['custom'] }> {
	const label = lookup.listField === 'searches' ? 'Searches' : 'Verifications';
	const list = typeof value === 'string' ? parseJson(value) : value;
	if (!Array.isArray(list)) {
		return refuse({
			message: `'${label}' must be a list, but is ${typeof list === 'string' ? 'not valid JSON' : describeType(list)}`,
			description: `Give a JSON array of ${lookup.noun.many}, as in the example of the field.`,
		});
	}
	if (list.length === 0) {
		return refuse({
			message: `'${label}' is an empty list`,
			description: 'Give the batch at least one entry.',
		});
	}
	if (list.length > lookup.batchLimit) {
		return refuse({
			message: `'${label}' has ${list.length} entries; one batch takes at most ${lookup.batchLimit}`,
			description:
				"Split the list, or set 'Input Mode' to One Search per Item: then batches are made for you.",
		});
	}
	return list.map((entry: unknown, position) => {
		const refuseEntry = ({ message, description }: Problem) =>
			refuse({ message: `${message} in entry ${position + 1} of '${label}'`, description });
		return readEntry(lookup, entry, refuseEntry);
	});
}

function readEntry(
	lookup: Lookup,
	entry: unknown,
	refuse: Refuse,
): { search: Search; custom?: Ask['custom'] } {
	const parts = lookup.fromListEntry(entry);
	const names = lookup.fields.map(({ name }) => name);
	if (parts === undefined) {
		return refuse({
			message: `There is ${entry === null ? 'nothing' : describeType(entry)}`,
			description: `Each entry must be ${lookup.listField === 'verifications' ? 'one email address as text' : `an object with ${names.join(', ')}`}.`,
		});
	}
	const unknown = Object.keys(parts.fields).find((key) => !names.includes(key));
	if (unknown !== undefined) {
		return refuse({
			message: `The service does not know the key ${quote(unknown)}`,
			description: `The keys of an entry are ${[...names, 'custom'].join(', ')}.`,
		});
	}
	const { custom } = parts;
	if (custom !== undefined && typeof custom !== 'string' && !isRecord(custom)) {
		return refuse({
			message: `'custom' must be text or an object, but is ${describeType(custom)}`,
			description: 'Correct the entry. Nothing of the list was sent.',
		});
	}
	if (!isWritable(custom)) {
		return refuse({
			message: "'custom' cannot be sent as JSON: it is nested too deeply",
			description: 'Correct the entry. Nothing of the list was sent.',
		});
	}
	const search = readSearch(lookup, lookup.fields, refuse, ({ name }) => parts.fields[name]);
	return { search: lookup.identity(search), custom };
}
