import { describeType } from '../common/values';
import type { Refuse } from '../lookups/types';
import { isId } from '../service/state';

/** The id that the user gave for an item; `undefined` for a search that is new. */
export function readEarlierId(given: unknown, refuse: Refuse): string | undefined {
	if (given === undefined || given === null) return undefined;
	const isWhole = typeof given === 'string' || Number.isSafeInteger(given);
	const text = isWhole ? String(given).trim() : undefined;
	if (text === '') return undefined;
	if (text !== undefined && isId(text)) return text;
	return refuse({
		message: `'ID of an Earlier Search' must be one ID, but is ${describe(given)}`,
		description:
			'Give the ID as an earlier run gave it, as text. Where it is empty, a search is started and paid for. Nothing was started for this item.',
	});
}

function describe(given: unknown): string {
	if (typeof given === 'number') return `the number ${given}, which may have lost digits`;
	return typeof given === 'string' ? 'a text that cannot be an ID' : describeType(given);
}
