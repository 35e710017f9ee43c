import { refuse } from '../common/errors';
import { describeType } from '../common/values';
import { toOneValue } from '../lookups/same';
import { asId } from '../service/state';

/** Where it is empty, a new search is started. */
export const EARLIER_ID = 'ID of an Earlier Search';

/** One id that the user gave; `undefined` for none. */
export function readId(label: string, given: unknown): string | undefined {
	const single = toOneValue('id', given);
	const value = 'value' in single ? single.value : given;
	if (value === undefined || value === null) return undefined;
	const trimmed = typeof value === 'string' ? value.trim() : value;
	if (trimmed === '') return undefined;
	const id = asId(trimmed);
	if (id !== undefined) return id;
	const free =
		label === EARLIER_ID
			? ' Where it is empty, a search is started and paid for. Nothing was started for this item.'
			: '';
	return refuse({
		message: `'${label}' must be one ID, but is ${describe(value)}`,
		description: `Give the ID as an earlier run gave it, as text.${free}`,
	});
}

function describe(given: unknown): string {
	if (typeof given === 'number') return `the number ${given}, which may have lost digits`;
	return typeof given === 'string' ? 'a text that cannot be an ID' : describeType(given);
}
