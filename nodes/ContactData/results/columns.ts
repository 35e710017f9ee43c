import type { IDataObject } from 'n8n-workflow';
import type { Failure } from '../common/errors';
import type { Form } from '../input/settings';
import type { RowOutput } from '../input/rows';
import type { Lookup } from '../lookups/types';
import { explain } from './explain';

/**
 * The columns of simplified items, by the settings alone: a table made from one run takes the items of any other.
 * What one looks for comes first: who, what came out, whether it was found, what went wrong; of a receipt, its id.
 */
export function columnsOf({ lookup, size, task, choice, askedColumns }: Form): string[] {
	const { found, about } = lookup.columns;
	const who = lookup.columns.who(choice);
	const isOfOption = (name: string) => lookup.options.some(({ column }) => column === name);
	const isAsked = (name: string) => !isOfOption(name) || askedColumns.includes(name);
	const custom = askedColumns.includes('custom') ? ['custom'] : [];
	const others = about.filter((name) => !who.includes(name));
	const reason = lookup.judgesInput ? ['reason'] : [];
	if (task !== 'start') {
		const [first = '', ...more] = found;
		const answer = [first, 'found', 'error', ...reason, ...more, 'qualification'];
		const ids = ['search_id', 'batch_id', 'status'];
		return [...who, ...answer, ...others.filter(isAsked), ...custom, ...ids];
	}
	const isSearched = (name: string) => lookup.fields.some((field) => field.name === name);
	const searched = [...found, ...others].filter(isSearched);
	// Start Verification answers some addresses itself (no @).
	const verdict = lookup.judgesInput ? ['found', ...reason, 'qualification'] : [];
	const receipt = ['credits', 'status', 'error'];
	return size === 'bulk'
		? ['batch_id', 'size', ...receipt, ...who, ...searched, ...verdict, ...custom]
		: [...who, ...searched, 'search_id', ...receipt, ...verdict, ...custom];
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
		columns[name] = json.found === false && isFinding(form.lookup, name) ? null : (value ?? null);
	}
	return columns;
}

/** Whether a column is for what is found: who is not found may come with a guess. An address to verify is given. */
function isFinding({ columns: { found }, fields }: Lookup, name: string): boolean {
	return found.includes(name) && fields.every((field) => field.name !== name);
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
