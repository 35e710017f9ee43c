import type { INodeExecutionData } from 'n8n-workflow';
import type { Failure, Problem } from '../common/errors';
import { asAmount, excerpt } from '../common/values';
import { tellWho } from '../lookups/people';
import type { Lookup } from '../lookups/types';
import type { Row } from './rows';
import { failuresOf, knownOf } from './rows';

/** Those that the error of a run names. */
const MAX_SHOWN = 5;

/** How an expression gets the right name of a column. */
export const DRAG_AGAIN = 'Drag the column from the input into the field again.';

type Words = Pick<Problem, 'message' | 'description'>;

/** The failure that ends a run in which items cannot be searched; it says of how many items it is. */
export function findBadRows(
	lookup: Lookup,
	rows: readonly Row[],
	input: readonly INodeExecutionData[],
): Failure | undefined {
	const failures = failuresOf(knownOf(rows));
	const [first, ...others] = failures;
	if (first === undefined || rows.length === 1 || first.problem.scope === 'run') return first;
	const isOfAll =
		failures.length === rows.length &&
		others.every(({ problem }) => problem.message === first.problem.message);
	const total = countItems(rows);
	const words =
		total === 1
			? tellEntries(lookup, first.problem, failures.length, rows.length)
			: isOfAll
				? tellAll(first.problem, total)
				: tellItems(lookup, first, others, total, input);
	return { ...first, problem: { ...first.problem, ...words, scope: 'run' } };
}

/** A reason that one item has may be the item's fault; one that all have is the field's. */
function tellAll({ message, description, isOfNothing, unfit }: Problem, total: number): Words {
	if (unfit !== undefined) {
		return {
			message: `'${unfit.label}' is ${unfit.value} in all ${total} items`,
			description: `${unfit.advice ?? 'Drag the column into the field.'} Nothing was sent.`,
		};
	}
	if (isOfNothing !== true) return { message, description: `${description} Nothing was sent.` };
	const fix = description.includes(DRAG_AGAIN)
		? description
		: `${description} No item has a value there. ${DRAG_AGAIN}`;
	return { message: `${message} in all ${total} items`, description: `${fix} Nothing was sent.` };
}

/** The items by their rows, each with its own reason where that is another one than the first's. */
function tellItems(
	lookup: Lookup,
	first: Failure,
	others: readonly Failure[],
	total: number,
	input: readonly INodeExecutionData[],
): Words {
	const { message, description } = first.problem;
	const bad = countItems([first, ...others]);
	const shown = others.slice(0, MAX_SHOWN - 1).map((other) => {
		const { problem } = other;
		const reason = problem.unfit?.value ?? excerpt(problem.message, 60);
		return `${tellRow(other, input)}${problem.message === message ? '' : `: ${reason}`}`;
	});
	const more = bad - 1 - shown.length;
	const also = [...shown, ...(more > 0 ? [`${more} more`] : [])].join('; ');
	return {
		message: `${countBad(lookup, bad, total, 'items')} The first is ${tellRow(first, input)}: ${message}`,
		description: `${description} ${also === '' ? '' : `Also ${also}. `}${goOn(lookup, bad, total)}`,
	};
}

/** The entries of a list, which name themselves. */
function tellEntries(lookup: Lookup, problem: Problem, bad: number, total: number): Words {
	return {
		message: `${countBad(lookup, bad, total, 'entries')} ${problem.message}`,
		description: `${problem.description} ${goOn(lookup, bad, total)}`,
	};
}

function countBad({ words: { done } }: Lookup, bad: number, total: number, what: string): string {
	return `${bad} of ${total} ${what} cannot be ${done}.`;
}

function goOn({ words: { done } }: Lookup, bad: number, total: number): string {
	const others = `, or set 'On Error' in the settings of the node to Continue: then the others are ${done}`;
	return `Nothing was sent. Fix ${bad === 1 ? 'it' : 'them'}${bad === total ? '' : others}.`;
}

/** As its sheet numbers it or, where that is not known, as one counts items; and whose it is. */
function tellRow({ item = 0, search = {} }: Failure, input: readonly INodeExecutionData[]): string {
	const number = asAmount(input[item]?.json.row_number);
	const who = tellWho(search);
	return `${number === undefined ? `item ${item + 1}` : `row ${number}`}${who === '' ? '' : `, ${who}`}`;
}

/** A list is one item. */
function countItems(rows: ReadonlyArray<{ item?: number }>): number {
	return new Set(rows.map(({ item }) => item)).size;
}
