import type { IDataObject } from 'n8n-workflow';
import type { ItemFailure } from '../common/errors';
import { isFailure } from '../common/errors';
import { asText } from '../common/values';
import type { Lookup } from '../lookups/types';
import type { AskedFor, ItemOutput, ItemResult } from './items';

/**
 * The results as flat columns, the same ones in the same order for a single lookup, a batch and the
 * trigger. What is no result of one search keeps its form.
 */
export function simplify<Output extends ItemResult | ItemFailure>(
	lookup: Lookup,
	outputs: Output[],
): Array<Output | ItemResult> {
	const rows = outputs.map((output: ItemOutput) =>
		isFailure(output) || output.asked === undefined
			? undefined
			: toColumns(lookup, output.json, output.asked),
	);
	// A column is in all items of a run, or in none.
	const used = new Set(
		rows.flatMap((row = {}) => Object.keys(row).filter((name) => row[name] !== undefined)),
	);
	return outputs.map((output, index) => {
		const row = rows[index];
		if (row === undefined) return output;
		const columns = Object.entries(row).filter(([name]) => used.has(name));
		const json = Object.fromEntries(columns.map(([name, value]) => [name, value ?? null]));
		return { item: output.item, json };
	});
}

/** A phone number may be told as a number. */
function toText(value: unknown): string | undefined {
	return typeof value === 'number' ? String(value) : asText(value);
}

/** All columns of a result; `undefined` in one that may be left out. */
function toColumns(
	lookup: Lookup,
	json: IDataObject,
	{ search = {}, settings = {} }: AskedFor,
): IDataObject {
	const places = [json, lookup.about?.(json) ?? {}, lookup.echo(json), search];
	const columnsOf = (names: readonly string[]) =>
		Object.fromEntries(
			names.map((name) => [name, places.flatMap((place) => toText(place[name]) ?? [])[0] ?? null]),
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
	for (const { column, setting } of lookup.options) {
		const isAsked = settings[setting] === true;
		if (column !== undefined && row[column] === null && !isAsked) row[column] = undefined;
	}
	return row;
}
