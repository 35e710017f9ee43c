import type { IDataObject } from 'n8n-workflow';
import type { Output, Row } from '../input/rows';
import type { Lookup } from '../lookups/types';
import { toErrorJson } from './items';

/** How many columns stand before what went wrong, so that nobody has to scroll to it. */
const BEFORE_ERROR = 2;

/**
 * The items of a run as flat columns, the same ones in the same order for a single lookup, a batch and the
 * trigger, and also for what failed or still runs. A column is in all items of a run, or in none.
 * @param isStart whether the run only starts searches, and so has no columns for what they find
 */
export function simplify(lookup: Lookup, rows: readonly Row[], isStart = false): Row[] {
	const columns = rows.map((row) =>
		row.outputs.map((output) =>
			isBatch(output) ? undefined : toColumns(lookup, output, row, isStart ? undefined : null),
		),
	);
	const names = namesUsed(columns.flat().filter((one) => one !== undefined));
	return rows.map((row, index) => {
		const outputs = row.outputs.map((output, position): Output => {
			const all = columns[index]?.[position];
			if (all === undefined) return output;
			const json = Object.fromEntries(names.map((name) => [name, all[name] ?? null]));
			return output.kind === 'failure' ? { ...output, columns: json } : { ...output, json };
		});
		return { ...row, outputs };
	});
}

/** A batch in one item, which keeps its form. */
function isBatch(output: Output): boolean {
	return output.kind === 'failure' ? output.told?.results !== undefined : output.kind === 'asItIs';
}

/** The columns that any item has a value for, or is to show as empty. */
function namesUsed(items: readonly IDataObject[]): string[] {
	const used = new Set<string>();
	for (const item of items) {
		for (const name in item) if (item[name] !== undefined) used.add(name);
	}
	const names = Object.keys(items[0] ?? {}).filter((name) => used.has(name) && name !== 'error');
	if (used.has('error')) names.splice(BEFORE_ERROR, 0, 'error');
	return names;
}

/**
 * All columns of an item; `undefined` in one that may be left out.
 * @param unfound what a column holds that only a result fills
 */
function toColumns(
	lookup: Lookup,
	output: Output,
	row: Row,
	unfound: null | undefined,
): IDataObject {
	const { json, places } = readOutput(lookup, output, row);
	const isAsked = (name: string) => lookup.fields.some((field) => field.name === name);
	// Filled one by one: to spread objects into it leaves twelve kilobytes of garbage for each item.
	const columns: IDataObject = {};
	const add = (names: readonly string[]) => {
		for (const name of names) {
			const value = places.map((place) => toValue(place[name])).find((one) => one !== undefined);
			columns[name] = value ?? (isAsked(name) ? null : unfound);
		}
	};
	const { status } = json;
	// A result may have an `error` of the service.
	const { error, description } = status === 'completed' ? {} : json;
	const isStart = unfound === undefined;
	add(lookup.columns.found);
	Object.assign(columns, {
		found: json.found ?? unfound,
		qualification: json.qualification ?? unfound,
	});
	add(lookup.columns.about);
	Object.assign(columns, {
		custom: json.custom,
		id: json.id ?? null,
		batch_id: json.batch_id ?? unfound,
		status,
		reason: json.reason,
		error,
		description,
		// With it Get Bulk Results finds the result of what still runs.
		index: status === 'ongoing' ? json.index : undefined,
		size: isStart ? json.size : undefined,
		credits: isStart ? json.credits : undefined,
	});
	// Few people have several numbers.
	columns.other_numbers ??= undefined;
	const { settings = {} } = row.envelope;
	for (const { column, setting } of lookup.options) {
		const isWanted = settings[setting] === true;
		if (column !== undefined && columns[column] === null && !isWanted) columns[column] = undefined;
	}
	return columns;
}

/** What an item says, and where the values of its columns may stand, the best place first. */
function readOutput(
	lookup: Lookup,
	output: Output,
	row: Row,
): { json: IDataObject; places: IDataObject[] } {
	if (output.kind !== 'failure') {
		const { json } = output;
		return { json, places: [json, lookup.about?.(json) ?? {}, lookup.echo(json), row.search] };
	}
	const { problem, search = {} } = output;
	const { error, description, id, batch_id, status } = toErrorJson(output);
	const { custom } = row;
	// What else the service has told of it may look like a find.
	const json: IDataObject = { error, description, id, batch_id, custom };
	// What can be read later has not failed yet.
	json.status = status ?? (problem.next === 'read' ? 'ongoing' : 'failed');
	return { json, places: [search] };
}

/** A phone number may be told as a number. What is neither text nor number is handed on as it is. */
function toValue(value: IDataObject[string]): IDataObject[string] {
	if (value === null || value === '') return undefined;
	return typeof value === 'number' ? String(value) : value;
}
