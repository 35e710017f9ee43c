import { refuse } from '../common/errors';
import { describeType, excerpt, isBlank, quote } from '../common/values';
import { toOneValue } from '../lookups/same';
import { asId } from '../service/state';

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
	return refuse({
		message: `'${label}' must be one ID, but is ${typeof value === 'string' ? quote(excerpt(value, 61)) : describeType(value)}`,
		description: `Give the ID as an earlier run gave it, as text.${free}`,
	});
}
