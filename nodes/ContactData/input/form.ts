import { findLookup } from '../lookups';
import { readSwitch } from '../lookups/checks';
import type { Lookup, Size } from '../lookups/types';
import type { Parameters } from './parameters';

/** Groups of the values of 'Operation', by which fields and options are shown. */
export const SINGLE_SUBMIT_OPERATIONS = ['submitAndWait', 'submit'];
export const BULK_SUBMIT_OPERATIONS = ['submitBulkAndWait', 'submitBulk'];
export const SUBMIT_OPERATIONS = [...SINGLE_SUBMIT_OPERATIONS, ...BULK_SUBMIT_OPERATIONS];
export const START_OPERATIONS = ['submit', 'submitBulk'];
export const WAIT_OPERATIONS = ['submitAndWait', 'submitBulkAndWait'];
export const READ_OPERATIONS = ['getResult', 'getBulkResult'];

/** What an operation does: searches and waits, only starts searches, or only reads what was started. */
export type Task = 'find' | 'start' | 'read';

const OPERATIONS: ReadonlyMap<unknown, { task: Task; size: Size }> = new Map([
	['submitAndWait', { task: 'find', size: 'single' }],
	['submit', { task: 'start', size: 'single' }],
	['getResult', { task: 'read', size: 'single' }],
	['submitBulkAndWait', { task: 'find', size: 'bulk' }],
	['submitBulk', { task: 'start', size: 'bulk' }],
	['getBulkResult', { task: 'read', size: 'bulk' }],
]);

/** The form in which results are given. */
export interface Form {
	lookup: Lookup;
	size: Size;
	task: Task;
	/** Whether each input item holds a whole list. */
	isList: boolean;
	/** Whether a batch gives one item for each of its results. */
	isSplit: boolean;
	/** Whether results come as flat columns. */
	isSimple: boolean;
	/** The columns that are there only where they are asked for. */
	askedColumns: readonly string[];
	/** Whether an item has the fields of its input item. */
	includesInput: boolean;
}

/**
 * @returns `undefined` where there is no such operation
 * @throws ProblemError where a switch is none, and what n8n throws of an expression
 */
export function readForm(parameters: Parameters): Form | undefined {
	const is = (name: string, value: unknown) => parameters.get(name, 0) === value;
	const lookup = findLookup(parameters.get('resource', 0));
	const operation = OPERATIONS.get(parameters.get('operation', 0));
	if (lookup === undefined || operation === undefined) return undefined;
	const { task, size } = operation;
	// n8n keeps what is hidden where the operation is an expression, such as a model's choice.
	const isList = task !== 'read' && size === 'bulk' && is('inputMode', 'array');
	return {
		lookup,
		size,
		task,
		isList,
		// n8n pairs by position after a pause.
		isSplit: !(task === 'find' && is('waitMode', 'suspend')) && !is('splitResults', false),
		isSimple: !is('simplify', false),
		askedColumns: askedColumns(parameters, { lookup, size, task, isList }),
		includesInput: readSwitch('Include Input Fields', parameters.option('includeInputFields', 0)),
	};
}

/** Columns whose option is there; what was started before has no options, and may have any of them. */
function askedColumns(
	parameters: Parameters,
	{ lookup, size, task, isList }: Pick<Form, 'lookup' | 'size' | 'task' | 'isList'>,
): string[] {
	if (task === 'read') return optionalColumns(lookup);
	const customOption = size === 'single' ? 'custom' : 'itemCustom';
	const hasCustom = isList || parameters.isAdded(customOption);
	const ofOptions = lookup.options.flatMap(({ property, column }) =>
		column !== undefined && parameters.isAdded(property.name) ? column : [],
	);
	return hasCustom ? [...ofOptions, 'custom'] : ofOptions;
}

/** All columns of a lookup that are there only where they are asked for. */
export function optionalColumns({ options }: Lookup): string[] {
	return [...options.flatMap(({ column }) => column ?? []), 'custom'];
}
