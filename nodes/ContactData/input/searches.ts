import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { ItemFailure, Problem } from '../common/errors';
import { ProblemError, toFailure } from '../common/errors';
import type { Flaw, Lookup, Refuse, Search, SearchField, Size, Unfit } from '../lookups/types';
import type { Envelope, OptionOf } from './envelope';
import { readEnvelope, readItemCustom } from './envelope';
import { Parameters } from './parameters';
import { checkField } from '../lookups/checks';
import { asText, describeType, isRecord, parseJson } from '../common/values';
import { isId } from '../service/state';

/** The search of one input item, or of one entry of its list, checked and ready to be sent. */
export interface ItemSearch {
	item: number;
	search: Search;
	/** The labels of fields with values that cannot be used, where the others make a search. */
	leftOut?: string[];
	/** The `custom` that comes back with this search's result; a batch has one of its own as well. */
	custom?: IDataObject | string;
	/** The lookup or batch that it was started in before: it is read, and not submitted. */
	earlierId?: string;
	/** The same for a whole batch. */
	envelope: Envelope;
	/** Searches of different groups never share a batch. */
	group: string;
}

/** A search whose result is certain without asking: nothing is sent for it, and nothing charged. */
export interface KnownResult {
	item: number;
	json: IDataObject;
	asked: { search: Search };
}

/** What is read of an item, or of one entry of its list. */
export type ReadItem = ItemSearch | KnownResult | ItemFailure;

export function isSearch(read: ReadItem): read is ItemSearch {
	return 'envelope' in read;
}

/** That an address cannot be deliverable, in the form of a result. */
export function invalidResult(
	search: Search,
	reason: string,
	custom: ItemSearch['custom'],
): IDataObject {
	return {
		...search,
		qualification: 'invalid',
		reason,
		...(custom !== undefined && { custom }),
		status: 'completed',
		found: false,
	};
}

/**
 * Reads and checks the searches of all input items, in their order.
 * @param webhookOf where the service is to notify of an item's search, from the item's Options
 */
export function readItemSearches(
	context: IExecuteFunctions,
	lookup: Lookup,
	size: Size,
	webhookOf: (optionOf: OptionOf, item: number) => string | undefined,
): ReadItem[] {
	const parameters = new Parameters(context);
	const isList = size === 'bulk' && parameters.get('inputMode', 0) === 'array';
	return context.getInputData().flatMap((_, item): ReadItem[] => {
		try {
			const optionOf: OptionOf = (name) => parameters.option(name, item);
			const refuse: Refuse = (problem) => {
				throw new ProblemError({ problem, item });
			};
			const envelope = readEnvelope({ lookup, size }, optionOf, webhookOf(optionOf, item), refuse);
			if (isList) {
				const list = readList(lookup, parameters.get(lookup.listField, item), refuse);
				return list.map((entry, position) => {
					try {
						const read = readEntry(lookup, entry, position, refuse);
						return toReadItem(size, { item, ...read, envelope, group: `${item}` });
					} catch (error) {
						return { ...toFailure(error), item };
					}
				});
			}
			const group = JSON.stringify(envelope);
			const read = readSearch(lookup, shownFields(lookup, parameters, item), refuse, (field) =>
				parameters.get(field.parameter, item),
			);
			const earlierId = readEarlierId(optionOf('earlierId'), refuse);
			const itemCustom = readItemCustom(lookup, optionOf, refuse);
			const custom = size === 'single' ? envelope.custom : itemCustom;
			return [toReadItem(size, { item, ...read, custom, earlierId, envelope, group })];
		} catch (error) {
			// An expression that cannot be resolved is the fault of its item alone.
			return [{ ...toFailure(error), item }];
		}
	});
}

function shownFields(lookup: Lookup, parameters: Parameters, item: number): SearchField[] {
	return lookup.fields.filter(
		({ identifyBy }) =>
			identifyBy === undefined ||
			[identifyBy, lookup.identifyBy?.either].includes(asText(parameters.get('identifyBy', item))),
	);
}

/** A batch is not risked for an address of which only the service could say whether it is one. */
function toReadItem(
	size: Size,
	{ flaw, ...read }: ItemSearch & Pick<FieldsRead, 'flaw'>,
): ItemSearch | KnownResult {
	const isSent = flaw === undefined || read.earlierId !== undefined;
	if (isSent || (size === 'single' && !flaw.isCertain)) return read;
	const { item, search, custom } = read;
	return { item, json: invalidResult(search, flaw.reason, custom), asked: { search } };
}

/** What the fields of one search come to. */
interface FieldsRead extends Pick<ItemSearch, 'search' | 'leftOut'> {
	flaw?: Flaw;
}

/** Checks the fields of one search and cleans them. */
function readSearch(
	lookup: Lookup,
	fields: readonly SearchField[],
	refuse: Refuse,
	valueOf: (field: SearchField) => unknown,
): FieldsRead {
	const given: Record<string, string> = {};
	const unfit: Array<SearchField & Unfit> = [];
	let flaw: Flaw | undefined;
	for (const field of fields) {
		const checked = checkField(field.kind, valueOf(field));
		if ('problem' in checked) {
			unfit.push({ ...field, ...checked });
			continue;
		}
		flaw ??= checked.flaw;
		if (checked.text !== undefined) given[field.name] = checked.text;
	}
	const search = lookup.identity(given);
	const missing = lookup.missing(search);
	// Where a profile is found by its address, it does not matter what its name would be.
	const used = unfit.filter(({ name }) => name in lookup.identity({ ...given, [name]: '?' }));
	const wrong = used.find(
		({ mayBeLeftOut = false, isOfFile = false }) =>
			missing !== undefined || !mayBeLeftOut || isOfFile,
	);
	if (wrong !== undefined) return refuse(toProblem(wrong));
	if (missing !== undefined) return refuse(missing);
	const leftOut = used.length === 0 ? undefined : used.map(({ label }) => label);
	return { search, leftOut, flaw };
}

function toProblem({ label, problem, advice = '' }: SearchField & Unfit): Problem {
	const correct = `Correct the value of '${label}', or take it out of the input. Nothing was started for it.`;
	return { message: `'${label}' ${problem}`, description: `${advice} ${correct}`.trim() };
}

const CORRECT_ENTRY = 'Correct the entry. It was not started.';

/** The list of 'Input Mode' List in One Item. */
function readList(lookup: Lookup, value: unknown, refuse: Refuse): unknown[] {
	const { displayName: label } = lookup.list;
	const list = parseJson(value);
	if (!Array.isArray(list)) {
		return refuse({
			message: `'${label}' must be a list, but is ${typeof list === 'string' ? 'not valid JSON' : describeType(list)}`,
			description: 'Give a JSON list, as in the example of the field.',
		});
	}
	if (list.length === 0) {
		return refuse({
			message: `'${label}' is an empty list`,
			description: 'Add at least one entry.',
		});
	}
	return list;
}

/** One entry of a list: as the service takes it, checked like any other input. Other columns are left. */
function readEntry(
	lookup: Lookup,
	entry: unknown,
	position: number,
	refuse: Refuse,
): FieldsRead & Pick<ItemSearch, 'custom'> {
	const parts = lookup.fromListEntry(entry);
	const names = lookup.fields.map(({ name }) => name);
	if (parts === undefined) {
		return refuse({
			message: `${entryName(lookup, position)} is ${describeType(entry)}`,
			description: `Each entry must be an object with ${names.join(', ')}.`,
		});
	}
	// A table's empty cell.
	const custom = parts.custom ?? undefined;
	if (custom !== undefined && typeof custom !== 'string' && !isRecord(custom)) {
		return refuse({
			message: `${entryName(lookup, position)}: 'custom' must be text or an object, but is ${describeType(custom)}`,
			description: CORRECT_ENTRY,
		});
	}
	const refuseEntry: Refuse = ({ message, description }) =>
		refuse({ message: `${entryName(lookup, position)}: ${message}`, description });
	const read = readSearch(lookup, lookup.fields, refuseEntry, ({ name }) => parts.fields[name]);
	return { ...read, custom };
}

function entryName({ list }: Lookup, position: number): string {
	return `Entry ${position + 1} of '${list.displayName}'`;
}

const property: INodeProperties = {
	displayName: 'ID of an Earlier Search',
	name: 'earlierId',
	type: 'string',
	default: '',
};

function describeField(name: string, isRead: string): string {
	return `The '${name}' that an earlier run gave for this item. With it, ${isRead} free of charge; without it, the item is searched and paid for.`;
}

/** How the editor shows the option. */
export const earlierIdProperties: INodeProperties[] = [
	{
		...property,
		placeholder: 'e.g. {{ $json.id }}',
		description: describeField('id', 'that result is read'),
		displayOptions: { show: { '/operation': ['submitAndWait'] } },
	},
	{
		...property,
		placeholder: 'e.g. {{ $json.batch_id }}',
		description: describeField('batch_id', "the item's result is read from that batch"),
		displayOptions: { show: { '/operation': ['submitBulkAndWait'], '/inputMode': ['each'] } },
	},
];

/** The id that the user gave for an item; `undefined` for a search that is new. */
export function readEarlierId(given: unknown, refuse: Refuse): string | undefined {
	if (given === undefined || given === null) return undefined;
	const isWhole = typeof given === 'string' || Number.isSafeInteger(given);
	const text = isWhole ? String(given).trim() : undefined;
	if (text === '') return undefined;
	if (text !== undefined && isId(text) && !/\s/.test(text)) return text;
	return refuse({
		message: `'${property.displayName}' must be one ID, but is ${describe(given)}`,
		description:
			'Give the ID as an earlier run gave it, as text. Where it is empty, a search is started and paid for. Nothing was started for this item.',
	});
}

function describe(given: unknown): string {
	if (typeof given === 'number') return `the number ${given}, which may have lost digits`;
	if (typeof given !== 'string') return describeType(given);
	return /\s/.test(given.trim())
		? 'a text with a space or a line break in it'
		: 'a text that cannot be an ID';
}
