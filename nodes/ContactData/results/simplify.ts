import type { IDataObject } from 'n8n-workflow';
import type { Row } from '../input/rows';
import type { Lookup } from '../lookups/types';

/**
 * The results as flat columns, the same ones in the same order for a single lookup, a batch and the
 * trigger. What is no result of one search keeps its form.
 */
export function simplify(lookup: Lookup, rows: readonly Row[]): Row[] {
	const columnsOf = (row: Row) =>
		row.outputs.map((output) =>
			output.kind === 'result' ? toColumns(lookup, output.json, row) : undefined,
		);
	const columns = rows.map(columnsOf);
	// A column is in all items of a run, or in none.
	const used = new Set<string>();
	for (const one of columns.flat()) {
		for (const name in one) if (one[name] !== undefined) used.add(name);
	}
	return rows.map((row, index) => {
		const outputs = row.outputs.map((output, position) => {
			const all = columns[index]?.[position];
			if (all === undefined) return output;
			const shown = Object.entries(all).filter(([name]) => used.has(name));
			const json = Object.fromEntries(shown.map(([name, value]) => [name, value ?? null]));
			return { kind: 'asItIs' as const, json };
		});
		return { ...row, outputs };
	});
}

/** A phone number may be told as a number. What is neither text nor number is handed on as it is. */
function toValue(value: IDataObject[string]): IDataObject[string] {
	if (value === null || value === '') return undefined;
	return typeof value === 'number' ? String(value) : value;
}

/** All columns of a result; `undefined` in one that may be left out. */
function toColumns(
	lookup: Lookup,
	json: IDataObject,
	{ search, envelope: { settings = {} } }: Row,
): IDataObject {
	const places = [json, lookup.about?.(json) ?? {}, lookup.echo(json), search];
	const columnsOf = (names: readonly string[]) =>
		Object.fromEntries(
			names.map((name) => [
				name,
				places.map((place) => toValue(place[name])).find((value) => value !== undefined) ?? null,
			]),
		);
	const { found, qualification, custom, id = null, batch_id = null, status, reason } = json;
	const row: IDataObject = {
		...columnsOf(lookup.columns.found),
		found,
		qualification,
		...columnsOf(lookup.columns.about),
		custom,
		id,
		batch_id,
		status,
		reason,
	};
	// Few people have several numbers.
	row.other_numbers ??= undefined;
	for (const { column, setting } of lookup.options) {
		const isAsked = settings[setting] === true;
		if (column !== undefined && row[column] === null && !isAsked) row[column] = undefined;
	}
	return row;
}
