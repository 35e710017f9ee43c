import type { INodeExecutionData } from 'n8n-workflow';
import type { Failure, Problem } from '../common/errors';
import { asAmount, excerpt } from '../common/values';
import { tellWho } from '../lookups/searches';
import type { Lookup } from '../lookups/types';
import { DRAG_AGAIN } from '../input/fields';
import { certainOutputs, failuresOf, type Row } from '../input/rows';

/** Those that the error of a run names. */
const MAX_SHOWN = 5;

const DRAG = 'Drag the column into the field.';

type Words = Pick<Problem, 'message' | 'description'>;

/** The failure that ends a run in which items cannot be searched; it says of how many items it is. */
export function findBadRows(
	lookup: Lookup,
	rows: readonly Row[],
	input: readonly INodeExecutionData[],
): Failure | undefined {
	const failures = failuresOf(certainOutputs(rows));
	const [first, ...others] = failures;
	if (first === undefined || first.problem.affects === 'run') return first;
	const isOfAll =
		failures.length === rows.length &&
		others.every(({ problem }) => problem.message === first.problem.message);
	const words = isOfAll
		? tellAll(first.problem, countItems(rows))
		: tellSome(lookup, first, others, rows, input);
	return { ...first, problem: { ...first.problem, ...words, remedy: undefined, affects: 'run' } };
}

/** A reason that one item has may be the item's fault; one that all have is the field's. */
function tellAll(
	{ message, description, isOfNothing, namesColumn, unfit }: Problem,
	total: number,
): Words {
	const where = total === 1 ? '' : ` in all ${total} items`;
	if (unfit !== undefined && total > 1) {
		// A text that stands in all rows is no fault of a row.
		const message = `'${unfit.label}' is ${unfit.value}${where}`;
		return { message, description: `${unfit.advice ?? DRAG} Nothing was sent.` };
	}
	const none = total === 1 ? 'The item has no value there.' : 'No item has a value there.';
	const fix = isOfNothing === true && namesColumn !== true ? ` ${none} ${DRAG_AGAIN}` : '';
	return {
		message: isOfNothing === true ? `${message}${where}` : message,
		description: `${description}${fix} Nothing was sent.`,
	};
}

/** Of one list it is entries, which name themselves; else items, by their rows. */
function tellSome(
	{ words: { done } }: Lookup,
	first: Failure,
	others: readonly Failure[],
	rows: readonly Row[],
	input: readonly INodeExecutionData[],
): Words {
	const { message, description } = first.problem;
	const isOfList = countItems(rows) === 1;
	const [bad, total] = isOfList
		? [others.length + 1, rows.length]
		: [countItems([first, ...others]), countItems(rows)];
	const which = isOfList ? '' : `${bad === 1 ? 'It' : 'The first'} is ${tellRow(first, input)}: `;
	const also = isOfList ? '' : tellOthers(message, others, bad - 1, input);
	const wayOn = `, or set 'On Error' in the settings of the node to Continue: then the others are ${done}`;
	return {
		message: `${bad} of ${total} ${isOfList ? 'entries' : 'items'} cannot be ${done}. ${which}${message}`,
		description: `${description} ${also}Nothing was sent. Fix ${bad === 1 ? 'it' : 'them'}${bad === total ? '' : wayOn}.`,
	};
}

/** Those behind the first, each with its own reason where that is another one. */
function tellOthers(
	ofFirst: string,
	others: readonly Failure[],
	count: number,
	input: readonly INodeExecutionData[],
): string {
	const shown = others.slice(0, MAX_SHOWN - 1).map((other) => {
		const { message, unfit } = other.problem;
		const what = unfit === undefined ? excerpt(message, 60) : `'${unfit.label}' is ${unfit.value}`;
		const reason = message === ofFirst ? '' : `: ${what}`;
		return `${tellRow(other, input)}${reason}`;
	});
	const more = count - shown.length;
	if (more > 0) shown.push(`${more} more`);
	return shown.length === 0 ? '' : `Also ${shown.join('; ')}. `;
}

function tellRow({ item = 0, search = {} }: Failure, input: readonly INodeExecutionData[]): string {
	const who = tellWho(search);
	return `${tellItem(item, input)}${who === '' ? '' : `, ${who}`}`;
}

/** As its sheet numbers it or, where that is not known, as one counts items. */
export function tellItem(item: number, input: readonly INodeExecutionData[]): string {
	const number = asAmount(input[item]?.json.row_number);
	return number === undefined ? `item ${item + 1}` : `row ${number}`;
}

/** A list is one item. */
function countItems(rows: ReadonlyArray<{ item?: number }>): number {
	return new Set(rows.map(({ item }) => item)).size;
}
