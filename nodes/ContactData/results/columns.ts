import type { IDataObject } from 'n8n-workflow';
import type { Failure } from '../common/errors';
import type { Form } from '../input/settings';
import type { RowOutput } from '../input/rows';
import { explain } from './explain';

/** How many columns stand before what went wrong, so that nobody has to scroll to it. */
const BEFORE_ERROR = 2;

/** The columns of simplified items, by the settings alone: a table made from one run takes the items of any other. */
export function columnsOf({ lookup, size, task, askedColumns }: Form): string[] {
	const isStart = task === 'start';
	const { found, about } = lookup.columns;
	const isOfOption = (name: string) => lookup.options.some(({ column }) => column === name);
	const isSearched = (name: string) => lookup.fields.some((field) => field.name === name);
	const isThere = (name: string) => {
		if (name === 'custom') return askedColumns.includes(name);
		return isStart ? isSearched(name) : !isOfOption(name) || askedColumns.includes(name);
	};
	// Also a Start gives the result of an address for which nothing is sent.
	const result = isStart && lookup.saysInvalid === undefined ? [] : ['found', 'qualification'];
	const ids = isStart ? [size === 'single' ? 'search_id' : 'batch_id'] : ['search_id', 'batch_id'];
	const names = [
		...found.filter(isThere),
		...result,
		...[...about, 'custom'].filter(isThere),
		...ids,
		'status',
		...(isStart && size === 'bulk' ? ['size'] : []),
		...(isStart ? ['credits'] : []),
		...(lookup.saysInvalid === undefined ? [] : ['reason']),
	];
	names.splice(BEFORE_ERROR, 0, 'error');
	return names;
}

/** An output in the form that the user has chosen. */
export function toJson(form: Form, one: RowOutput): IDataObject {
	const { output, row } = one;
	if (output.final !== undefined) return output.final;
	if (form.isSimple) return toColumns(form, one);
	return output.kind === 'failure' ? toErrorJson({ ...output, item: row.item }) : output.json;
}

/** The item of a failure, with Simplify off. */
export function toErrorJson(failure: Failure): IDataObject {
	const { problem, item, search, ids, status } = failure;
	const description = explain(failure);
	return {
		error: problem.message,
		...(description !== '' && { description }),
		item,
		...(search !== undefined && { search }),
		...(status !== undefined && { status }),
		...ids,
	};
}

/** An item as flat columns, the same ones for what was found, failed, or still runs. */
function toColumns(form: Form, one: RowOutput): IDataObject {
	const { json, sources } = readOutput(form, one);
	// Filled one by one: to spread objects into it leaves twelve kilobytes of garbage for each item.
	const columns: IDataObject = {};
	for (const name of columnsOf(form)) {
		const value =
			name in json
				? json[name]
				: sources.map((source) => toValue(source[name])).find((told) => told !== undefined);
		columns[name] = value ?? null;
	}
	return columns;
}

/** What an item says of itself, and where its other values may stand, the best source first. */
function readOutput(
	{ lookup }: Form,
	{ row, output, ofItems }: RowOutput,
): { json: IDataObject; sources: IDataObject[] } {
	if (output.kind === 'failure') {
		const { problem, search = {}, ids } = output;
		const description = explain(output);
		const { message } = problem;
		const told = description === '' ? message : `${message.replace(/\.$/, '')}. ${description}`;
		return {
			json: {
				error: told,
				search_id: ids?.id,
				batch_id: ids?.batch_id,
				// What can be read later has not failed yet.
				status: output.status ?? (problem.remedy === 'read' ? 'ongoing' : 'failed'),
				custom: row.custom,
			},
			sources: [search],
		};
	}
	const { json } = output;
	const { found, qualification, custom, id, batch_id, status, reason, size, credits } = json;
	// A receipt of several items tells no search of one of them.
	const asked = ofItems === undefined || size === 1 ? row : undefined;
	return {
		json: {
			// A result may have an `error` of the service.
			error: null,
			found,
			qualification,
			custom: custom ?? asked?.custom,
			search_id: id,
			batch_id,
			status,
			reason,
			size,
			credits,
		},
		sources: [json, lookup.about?.(json) ?? {}, lookup.echo(json), asked?.search ?? {}],
	};
}

/** A phone number may be told as a number. What is neither text nor number is handed on as it is. */
function toValue(value: IDataObject[string]): IDataObject[string] {
	if (value === null || value === '') return undefined;
	return typeof value === 'number' ? String(value) : value;
}
