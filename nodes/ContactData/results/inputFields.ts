import type { IDataObject } from 'n8n-workflow';
import type { Given } from '../input/rows';
import { lookups } from '../lookups';
import type { Lookup } from '../lookups/types';

/** The columns that describe a search and are no answer: where one is not known, the input's stands in it. */
export const OF_SEARCH = new Set([
	...Object.values(lookups).flatMap(({ columns: { about }, options }: Lookup) =>
		about.filter((name) => options.every(({ column }) => column !== name)),
	),
	'custom',
]);

/**
 * Puts the fields of the input items under the answers. An answer hides a field of its name also as `null`, so
 * that nothing old looks found; in all items of the run, and whatever it says, the field comes out under
 * another name.
 * @param answers the names of all that the items of the run can answer
 */
export function includeInput(
	given: readonly Given[],
	jsons: readonly IDataObject[],
	answers: readonly string[],
): IDataObject[] {
	const inputNames = new Set(given.flatMap(({ row }) => Object.keys(row.inputFields ?? {})));
	if (inputNames.size === 0) return [...jsons];
	const newNames = new Map<string, string>();
	const taken = new Set([...inputNames, ...answers]);
	for (const name of answers.filter((answer) => inputNames.has(answer))) {
		const newName = freeName(`input_${name}`, taken);
		taken.add(newName);
		newNames.set(name, newName);
	}
	return jsons.map((json, index) => {
		const { inputFields = {} } = given[index]?.row ?? {};
		const item: IDataObject = {};
		for (const name in inputFields) item[newNames.get(name) ?? name] = inputFields[name];
		for (const name in json) {
			item[name] = OF_SEARCH.has(name) ? (json[name] ?? inputFields[name] ?? null) : json[name];
		}
		return item;
	});
}

function freeName(name: string, taken: ReadonlySet<string>): string {
	let free = name;
	for (let number = 2; taken.has(free); number++) free = `${name}_${number}`;
	return free;
}
