import type { Failure, Problem } from '../common/errors';
import { tellWho } from '../lookups/people';
import type { Lookup } from '../lookups/types';
import type { Row } from './rows';
import { failuresOf } from './rows';

/** Those that the error of a run names. */
const MAX_SHOWN = 5;

/** How an expression gets the right name of a column. */
export const DRAG_AGAIN = 'Drag the column from the input into the field again.';

/** The failure that ends a run in which items cannot be searched; it says of how many items it is. */
export function findBadRows(lookup: Lookup, rows: readonly Row[]): Failure | undefined {
	const failures = failuresOf(rows);
	const [first, ...others] = failures;
	const total = countItems(rows);
	if (first === undefined || rows.length === 1 || first.problem.scope === 'run') return first;
	const { problem } = first;
	const isOfAll = failures.length === rows.length && problem.isOfNothing === true;
	// Of several lists their items are counted, and of one its entries.
	const isOfList = total === 1;
	const told = isOfList
		? tellBad(lookup, problem, { bad: failures.length, total: rows.length, what: 'entries' })
		: isOfAll
			? tellAll(problem, total)
			: tellBad(lookup, problem, {
					bad: countItems(failures),
					total,
					what: 'items',
					first: tellRow(first),
					others: others.slice(0, MAX_SHOWN - 1).map(tellRow),
				});
	return { ...first, problem: { ...problem, ...told, scope: 'run' } };
}

/** What a message says in one row may be the fault of that row; in all, it is the field's. */
function tellAll({ message, description }: Problem, total: number) {
	const isTold = description?.includes(DRAG_AGAIN) === true;
	const what = isTold ? description : `${description} No item has a value there. ${DRAG_AGAIN}`;
	return { message: `${message} in all ${total} items`, description: `${what} Nothing was sent.` };
}

interface Bad {
	bad: number;
	total: number;
	what: 'items' | 'entries';
	first?: string;
	others?: string[];
}

function tellBad(
	{ words: { done } }: Lookup,
	{ message, description }: Problem,
	{ bad, total, what, first, others = [] }: Bad,
) {
	const more = first === undefined ? 0 : bad - 1 - others.length;
	const also = [...others, ...(more > 0 ? [`${more} more`] : [])].join('; ');
	const goOn = `, or set 'On Error' in the settings of the node to Continue: then the others are ${done}`;
	return {
		message: `${bad} of ${total} ${what} cannot be ${done}. ${first === undefined ? '' : `The first is ${first}: `}${message}`,
		description: `${description} ${also === '' ? '' : `Also ${also}. `}Nothing was sent. Mend ${bad === 1 ? 'it' : 'them'}${bad === total ? '' : goOn}.`,
	};
}

/** As one counts rows, and whose it is. */
function tellRow({ item = 0, search = {} }: Failure): string {
	const who = tellWho(search);
	return `row ${item + 1}${who === '' ? '' : `, ${who}`}`;
}

/** A list is one item. */
function countItems(of: ReadonlyArray<{ item?: number }>): number {
	return new Set(of.map(({ item }) => item)).size;
}
