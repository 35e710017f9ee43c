import type { Problem } from '../common/errors';
import { ProblemError } from '../common/errors';
import { isBlank } from '../common/values';
import { readSwitch } from '../lookups/checks';
import { findLookup, lookups } from '../lookups';
import type { Lookup, Refuse, Size } from '../lookups/types';
import type { Parameters } from './parameters';

/** Groups of the values of 'Operation', by which fields and options are shown. */
export const SINGLE_SUBMIT_OPERATIONS = ['submitAndWait', 'submit'];
export const BULK_SUBMIT_OPERATIONS = ['submitBulkAndWait', 'submitBulk'];
export const SUBMIT_OPERATIONS = [...SINGLE_SUBMIT_OPERATIONS, ...BULK_SUBMIT_OPERATIONS];
export const START_OPERATIONS = ['submit', 'submitBulk'];
export const WAIT_OPERATIONS = ['submitAndWait', 'submitBulkAndWait'];
export const READ_OPERATIONS = ['getResult', 'getBulkResult'];

/** Seconds, by default. */
export const SINGLE_TIMEOUT_S = 300;
export const BULK_TIMEOUT_S = 7200;
/** A paused execution costs n8n nothing. */
export const PAUSE_TIMEOUT_S = 86_400;
/** What the editor and the node take at least. */
export const LEAST = { timeout: 1, maxCredits: 0 };

/** The form in which results are given. */
export interface Form {
	lookup: Lookup;
	size: Size;
	/** Whether each input item holds a whole list. */
	isList: boolean;
	/** Whether a batch gives one item for each of its results. */
	isSplit: boolean;
	/** Whether results come as flat columns. */
	isSimple: boolean;
	/** Whether searches are only started, so that receipts are given. */
	isStart: boolean;
	/** The columns that are there only where they are asked for. */
	askedColumns: readonly string[];
}

/** All that the user says of a whole run. */
export interface Settings extends Form {
	/** Whether the results of what is started are waited for. */
	waits: boolean;
	/** Whether the execution is to be paused until the results are ready. */
	pauses: boolean;
	/** Whether an AI tool calls the node. */
	isTool: boolean;
	timeoutMs: number;
	onTimeout: 'error' | 'output';
	waitForResult: boolean;
	/** Left out for no limit. */
	maxCredits?: number;
	dryRun: boolean;
	/** Whether also what was searched in the last day is searched, and paid for, again. */
	searchesAgain: boolean;
	includeInput: boolean;
}

/** What the node is to do. */
export interface Operation {
	/** The value of 'Operation'. */
	operation: string;
	lookup: Lookup;
	size: Size;
	isTool: boolean;
}

const refuse: Refuse = (problem) => {
	throw new ProblemError({ problem });
};

/**
 * Reads them once, from the first item: what holds for the whole run cannot differ from item to item.
 * @throws ProblemError where one cannot be used
 */
export function readSettings(
	parameters: Parameters,
	{ lookup, size, operation, isTool }: Operation,
): Settings {
	const is = (name: string, value: unknown) => parameters.get(name, 0) === value;
	const option = (name: string) => parameters.option(name, 0);
	const number = (label: string, name: keyof typeof LEAST, fallback: number) =>
		readNumber(label, { given: option(name), least: LEAST[name], fallback });
	// n8n keeps what is hidden where the operation is an expression, such as a model's choice.
	const waits = WAIT_OPERATIONS.includes(operation);
	const pauses = waits && is('waitMode', 'suspend');
	const isList = BULK_SUBMIT_OPERATIONS.includes(operation) && is('inputMode', 'array');
	return {
		lookup,
		size,
		isList,
		// n8n pairs by position after a pause.
		isSplit: !pauses && !is('splitResults', false),
		isSimple: !is('simplify', false),
		isStart: START_OPERATIONS.includes(operation),
		askedColumns: askedColumns(parameters, { lookup, isList }),
		waits,
		pauses,
		isTool,
		timeoutMs: 1000 * number('Timeout', 'timeout', timeoutS(size, pauses)),
		onTimeout: pauses || isTool || option('onTimeout') === 'output' ? 'output' : 'error',
		waitForResult: readSwitch('Wait for Result', option('waitForResult'), refuse),
		// A limit that comes to nothing must not become none.
		maxCredits: isGiven(parameters, 'maxCredits', 'Max Credits', 'a number')
			? number('Max Credits', 'maxCredits', 0)
			: undefined,
		// What was meant to cost nothing must not become a purchase.
		dryRun:
			isGiven(parameters, 'dryRun', 'Dry Run', 'true or false') &&
			readSwitch('Dry Run', option('dryRun'), refuse),
		searchesAgain: readSwitch('Search Again', option('searchAgain'), refuse),
		includeInput: readIncludeInput(parameters),
	};
}

/** Columns whose option is there; what was started before has no options, and may have any of them. */
function askedColumns(parameters: Parameters, form: Pick<Form, 'lookup' | 'isList'>): string[] {
	const operation = String(parameters.get('operation', 0));
	if (READ_OPERATIONS.includes(operation)) return optionalColumns(form.lookup);
	const customOption = SINGLE_SUBMIT_OPERATIONS.includes(operation) ? 'custom' : 'itemCustom';
	const hasCustom = form.isList || parameters.isAdded(customOption);
	const ofOptions = form.lookup.options.flatMap(({ property, column }) =>
		column !== undefined && parameters.isAdded(property.name) ? column : [],
	);
	return hasCustom ? [...ofOptions, 'custom'] : ofOptions;
}

/** All columns of a lookup that are there only where they are asked for. */
export function optionalColumns({ options }: Lookup): string[] {
	return [...options.flatMap(({ column }) => column ?? []), 'custom'];
}

/** Seconds, where the user gives none. */
function timeoutS(size: Size, pauses: boolean): number {
	if (pauses) return PAUSE_TIMEOUT_S;
	return size === 'single' ? SINGLE_TIMEOUT_S : BULK_TIMEOUT_S;
}

/** The form of a run that has failed as a whole, as far as it can be read. */
export function readForm(parameters: Parameters): Form & Pick<Settings, 'includeInput'> {
	const read = <T>(value: () => T, otherwise: T): T => {
		try {
			return value();
		} catch {
			// It is another parameter that is wrong, or this one.
			return otherwise;
		}
	};
	const lookup = read(() => findLookup(parameters.get('resource', 0)), undefined);
	const operation = read(() => String(parameters.get('operation', 0)), '');
	const is = (name: string, value: unknown) => read(() => parameters.get(name, 0) === value, false);
	const isList = BULK_SUBMIT_OPERATIONS.includes(operation) && is('inputMode', 'array');
	const form = {
		lookup: lookup ?? lookups.emailFinder,
		size: operation.includes('ulk') ? ('bulk' as const) : ('single' as const),
		isList,
		isSplit: !is('splitResults', false),
		isSimple: lookup !== undefined && !is('simplify', false),
		isStart: START_OPERATIONS.includes(operation),
	};
	return {
		...form,
		askedColumns: askedColumns(parameters, form),
		includeInput: read(() => readIncludeInput(parameters), false),
	};
}

function readIncludeInput(parameters: Parameters): boolean {
	const given = parameters.option('includeInputFields', 0);
	return readSwitch('Include Input Fields', given, refuse);
}

/** Whether the user added the option; one that was added and comes to nothing is refused. */
function isGiven(parameters: Parameters, name: string, label: string, give: string): boolean {
	if (!parameters.isAdded(name)) return false;
	return isBlank(parameters.option(name, 0)) ? refuse(emptyProblem(label, give)) : true;
}

function emptyProblem(label: string, give: string): Problem {
	return {
		message: `'${label}' is empty`,
		description: `It is empty for the first item. Give ${give}, or remove '${label}' from Options.`,
		next: 'again',
	};
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
		next: 'again',
	});
}
