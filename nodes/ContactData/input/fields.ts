import { type Problem, refuse } from '../common/errors';
import { describeType, excerpt, isBlank, quote } from '../common/values';
import { checkField } from '../values/checks';
import type { ItemFields } from '../values/names';
import { toOneValue } from '../values/same';
import type { Lookup, Search, SearchField } from '../lookups/types';
import type { Flaw, Unfit } from '../values/types';
import { asId } from '../service/state';

/** The fields of one search, checked. */
export interface FieldsRead {
	search: Search;
	/** Why they make no search; `search` then holds the values that could be read. */
	problem?: Problem;
	/** The labels of fields with values that cannot be used, where the others make a search. */
	leftOut?: string[];
	flaw?: Flaw;
}

type UnfitField = SearchField & Unfit & { value: unknown };

export function inputsOf({ fields, inputs }: Lookup): readonly SearchField[] {
	return inputs?.fields ?? fields;
}

/** The fields that the editor shows. */
export function shownFields(lookup: Lookup, chosen: unknown): SearchField[] {
	const { property, either } = lookup.choice ?? {};
	const value = chosen ?? property?.default;
	return inputsOf(lookup).filter(
		({ shownFor }) => shownFor === undefined || value === shownFor || value === either,
	);
}

/** Checks the fields of one search and cleans them. */
export function readFields(
	lookup: Lookup,
	fields: readonly SearchField[],
	valueOf: (field: SearchField) => unknown,
	item: ItemFields | undefined,
): FieldsRead {
	const given: Record<string, string> = {};
	const unfit: UnfitField[] = [];
	let flaw: Flaw | undefined;
	for (const field of fields) {
		const value = valueOf(field);
		const checked = checkField(field.kind, value, item);
		if ('problem' in checked) {
			unfit.push({ ...field, ...checked, value });
			continue;
		}
		flaw ??= checked.flaw;
		const { text = checked.flaw && (typeof value === 'string' ? value : '') } = checked;
		if (text !== undefined) given[field.name] = text;
	}
	const { identity, inputs } = lookup;
	const search = identity(inputs?.combine(given) ?? given);
	const missing = lookup.missing(given, (name) => fields.some((field) => field.name === name));
	// A person who is looked up by profile URL needs no name.
	const used = unfit.filter(({ name }) => name in identity({ ...given, [name]: '?' }));
	const wrong = used.find(({ mayBeLeftOut = false }) => missing !== undefined || !mayBeLeftOut);
	if (wrong !== undefined) return { search, problem: toProblem(wrong) };
	if (missing !== undefined)
		return { search, problem: { ...missing, isOfNothing: true, remedy: 'again' } };
	const leftOut = used.length === 0 ? undefined : used.map(({ label }) => label);
	return { search, leftOut, flaw };
}

function toProblem({ label, problem, advice, value }: UnfitField): Problem {
	const fix = advice ?? `Correct '${label}', or remove the row.`;
	return {
		message: `'${label}' ${problem}`,
		description: fix,
		remedy: 'again',
		unfit: {
			label,
			value: typeof value === 'string' ? quote(excerpt(value, 61)) : describeType(value),
			advice,
		},
	};
}

/** How an expression gets the right name of a column. */
export const DRAG_AGAIN = 'Drag the column from the input into the field again.';

/** Where it is empty, a new search is started. */
export const EARLIER_ID = 'ID of an Earlier Search';

/** One id that the user gave; `undefined` for none. */
export function readId(label: string, given: unknown): string | undefined {
	const single = toOneValue('id', given);
	const value = 'value' in single ? single.value : given;
	if (isBlank(value)) return undefined;
	const id = asId(typeof value === 'string' ? value.trim() : value);
	if (id !== undefined) return id;
	const free =
		label === EARLIER_ID
			? ' Where it is empty, a search is started and paid for. Nothing was started for this item.'
			: '';
	const text = typeof value === 'string' ? quote(excerpt(value, 61)) : describeType(value);
	const what = typeof value === 'number' ? `the number ${value}, which may have lost digits` : text;
	return refuse({
		message: `'${label}' must be one ID, but is ${what}`,
		description: `Give the ID as an earlier run gave it, as text.${free}`,
	});
}
