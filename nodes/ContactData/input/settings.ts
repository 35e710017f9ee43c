import { refuse } from '../common/errors';
import { asText, isBlank } from '../common/values';
import { findLookup } from '../lookups';
import { readSwitch } from '../values/checks';
import type { Lookup, Size } from '../lookups/types';
import type { Parameters } from './parameters';

/** The Timeout where the user sets none, in seconds. */
export const SINGLE_TIMEOUT_S = 300;
export const BULK_TIMEOUT_S = 7200;
/** A paused execution costs n8n nothing. */
export const PAUSE_TIMEOUT_S = 86_400;
/** What the editor and the node take at least. */
export const LEAST = { timeout: 1, maxCredits: 0 };

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
	/** The value of the lookup's choice, such as 'Identify By'; left out where it has none, or nobody chose. */
	choice?: string;
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
		choice: lookup.choice && asText(parameters.get(lookup.choice.property.name, 0)),
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

/** All that the user says of a whole run. */
export interface Settings extends Form {
	/** Whether the execution is to be paused until the results are ready. */
	pauses: boolean;
	timeoutMs: number;
	onTimeout: 'error' | 'output';
	waitForResult: boolean;
	/** Left out for no limit. */
	maxCredits?: number;
	dryRun: boolean;
	/** Whether also what was searched in the last day is searched, and paid for, again. */
	searchesAgain: boolean;
}

/**
 * Reads them once, from the first item: what holds for the whole run cannot differ from item to item.
 * @throws ProblemError where one cannot be used
 */
export function readSettings(parameters: Parameters, form: Form, isTool: boolean): Settings {
	const option = (name: string) => parameters.option(name, 0);
	const number = (label: string, name: keyof typeof LEAST, fallback: number) =>
		readNumber(label, { given: option(name), least: LEAST[name], fallback });
	const pauses = form.task === 'find' && parameters.get('waitMode', 0) === 'suspend';
	return {
		...form,
		pauses,
		timeoutMs: 1000 * number('Timeout', 'timeout', timeoutS(form.size, pauses)),
		onTimeout: pauses || isTool || option('onTimeout') === 'output' ? 'output' : 'error',
		waitForResult: readSwitch('Wait for Result', option('waitForResult')),
		// A limit that comes to nothing must not become none.
		maxCredits: isGiven(parameters, 'maxCredits', 'Max Credits', 'a number')
			? number('Max Credits', 'maxCredits', 0)
			: undefined,
		// What was meant to cost nothing must not become a purchase.
		dryRun:
			isGiven(parameters, 'dryRun', 'Dry Run', 'true or false') &&
			readSwitch('Dry Run', option('dryRun')),
		searchesAgain: readSwitch('Search Again', option('searchAgain')),
	};
}

/** Seconds, where the user gives none. */
function timeoutS(size: Size, pauses: boolean): number {
	if (pauses) return PAUSE_TIMEOUT_S;
	return size === 'single' ? SINGLE_TIMEOUT_S : BULK_TIMEOUT_S;
}

/** Whether the user added the option; one that was added and comes to nothing is refused. */
function isGiven(parameters: Parameters, name: string, label: string, give: string): boolean {
	if (!parameters.isAdded(name)) return false;
	if (!isBlank(parameters.option(name, 0))) return true;
	return refuse({
		message: `'${label}' is empty`,
		description: `The node reads it from the first item. Give ${give}, or remove '${label}' from Options.`,
		remedy: 'again',
	});
}

function readNumber(
	label: string,
	{ given, least, fallback }: { given: unknown; least: number; fallback: number },
): number {
	if (isBlank(given)) return fallback;
	const value = typeof given === 'string' || typeof given === 'number' ? Number(given) : NaN;
	if (Number.isFinite(value) && value >= least) return value;
	return refuse({
		message: `'${label}' must be a number of at least ${least}`,
		description: `Correct '${label}' in Options.`,
		remedy: 'again',
	});
}
