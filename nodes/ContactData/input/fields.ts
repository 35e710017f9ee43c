import type { Problem } from '../common/errors';
import { checkField } from '../lookups/checks';
import type { Flaw, Lookup, Refuse, Search, SearchField, Unfit } from '../lookups/types';

/** What the fields of one search come to. */
export interface FieldsRead {
	search: Search;
	/** The labels of fields with values that cannot be used, where the others make a search. */
	leftOut?: string[];
	flaw?: Flaw;
}

/** Those that the editor shows. */
export function shownFields(
	{ fields, identifyBy: choice }: Lookup,
	chosen: unknown,
): SearchField[] {
	return fields.filter(
		({ identifyBy }) =>
			identifyBy === undefined || chosen === identifyBy || chosen === choice?.either,
	);
}

/** Checks the fields of one search and cleans them. */
export function readFields(
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
