import type { Failure } from '../common/errors';
import type { Lookup } from '../lookups/types';
import type { Row } from './rows';
import { failuresOf } from './rows';

/** The failure that ends a run in which items cannot be searched; it says of how many items it is. */
export function findBadRows(
	{ words: { done } }: Lookup,
	rows: readonly Row[],
): Failure | undefined {
	const failures = failuresOf(rows);
	const [first] = failures;
	// Of several lists their items are counted, and of one its entries.
	const isOfList = countItems(rows) === 1 && rows.length > 1;
	const total = isOfList ? rows.length : countItems(rows);
	if (first === undefined || total === 1) return first;
	const bad = isOfList ? failures.length : countItems(failures);
	const mend = `Mend ${bad === 1 ? 'it' : 'them'}`;
	const goOn = `, or set 'On Error' in the settings of the node to Continue: then the others are ${done}`;
	const { message, description } = first.problem;
	return {
		...first,
		problem: {
			...first.problem,
			scope: 'run',
			message: isOfList
				? `${bad} of ${total} entries cannot be ${done}. ${message}`
				: `${bad} of ${total} items cannot be ${done}. ${bad === 1 ? 'It' : 'The first'} is item ${first.item}: ${message}`,
			description:
				`${description} ${isOfList ? 'Nothing' : 'No item'} was sent. ${mend}${bad === total ? '' : goOn}.`.trim(),
		},
	};
}

/** A list is one item. */
function countItems(of: ReadonlyArray<{ item?: number }>): number {
	return new Set(of.map(({ item }) => item)).size;
}
