import type { IDisplayOptions, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { Problem } from '../common/errors';
import type { Refuse, Size } from '../lookups/types';
import { ProblemError } from '../common/errors';
import { readSwitch } from '../lookups/checks';
import { Parameters } from './parameters';

/** Groups of the values of 'Operation', by which fields and options are shown. */
export const SINGLE_SUBMIT_OPERATIONS = ['submitAndWait', 'submit'];
export const BULK_SUBMIT_OPERATIONS = ['submitBulkAndWait', 'submitBulk'];
export const SUBMIT_OPERATIONS = [...SINGLE_SUBMIT_OPERATIONS, ...BULK_SUBMIT_OPERATIONS];
export const WAIT_OPERATIONS = ['submitAndWait', 'submitBulkAndWait'];
export const READ_OPERATIONS = ['getResult', 'getBulkResult'];

/** How the editor shows an option that is a number. */
export interface NumberProperty extends INodeProperties {
	type: 'number';
	typeOptions: { minValue: number; numberPrecision?: number };
	default: number;
}

/** Whether an expression has come to nothing. */
export function isEmpty(value: unknown): boolean {
	return (
		value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
	);
}

/** An option that was added, and comes to nothing. */
export function emptyProblem({ displayName }: INodeProperties, give: string): Problem {
	return {
		message: `'${displayName}' is empty`,
		description: `It is empty for the first item. Give ${give}, or remove '${displayName}' from Options.`,
		next: 'again',
	};
}

/** The number that the user gave, or the default. */
export function readNumber(property: NumberProperty, given: unknown, refuse: Refuse): number {
	if (isEmpty(given)) return property.default;
	const value = typeof given === 'string' || typeof given === 'number' ? Number(given) : NaN;
	const { minValue } = property.typeOptions;
	if (Number.isFinite(value) && value >= minValue) return value;
	return refuse({
		message: `'${property.displayName}' must be a number of at least ${minValue}`,
		description: `Correct '${property.displayName}' in Options.`,
		next: 'again',
	});
}

/** An option that holds for a whole run. To add one, write it below and name it in the two lists. */
interface RunOption<Value> {
	/** How the editor shows it; several of one name, where it differs from operation to operation. */
	properties: [INodeProperties, ...INodeProperties[]];
	read(given: Given, size: Size, refuse: Refuse): Value;
}

/** What the user gave for an option; `isAdded` also where an expression in it gives nothing. */
interface Given {
	value: unknown;
	isAdded: boolean;
}

const shownFor = (show: IDisplayOptions['show']) => ({ displayOptions: { show } });

const singleTimeout: NumberProperty = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 300,
};
const bulkTimeout: NumberProperty = { ...singleTimeout, default: 7200 };
const ofStarted = {
	description:
		'How many seconds to wait for the results, counted from when all searches are started',
};
const ofEarlier = {
	description: 'How many seconds to wait for the results, counted from when this node starts',
};

const timeout: RunOption<number> = {
	properties: [
		{ ...singleTimeout, ...ofStarted, ...shownFor({ '/operation': ['submitAndWait'] }) },
		{
			...singleTimeout,
			...ofEarlier,
			...shownFor({ '/operation': ['getResult'], waitForResult: [true] }),
		},
		{ ...bulkTimeout, ...ofStarted, ...shownFor({ '/operation': ['submitBulkAndWait'] }) },
		{
			...bulkTimeout,
			...ofEarlier,
			...shownFor({ '/operation': ['getBulkResult'], waitForResult: [true] }),
		},
	],
	read: (given, size, refuse) =>
		1000 * readNumber(size === 'single' ? singleTimeout : bulkTimeout, given.value, refuse),
};

const pollInterval: NumberProperty = {
	displayName: 'First Check After',
	name: 'pollInterval',
	type: 'number',
	typeOptions: { minValue: 0.1, numberPrecision: 1 },
	default: 1,
	description:
		'How many seconds to wait before the first check for results. The node times the later checks itself.',
	...shownFor({ '/operation': WAIT_OPERATIONS }),
};

const firstDelay: RunOption<number> = {
	properties: [pollInterval],
	read: (given, _, refuse) => 1000 * readNumber(pollInterval, given.value, refuse),
};

const onTimeoutProperty: INodeProperties = {
	displayName: 'On Timeout',
	name: 'onTimeout',
	type: 'options',
	options: [
		{
			name: 'Output Ongoing Items',
			value: 'output',
			description: 'Go on with items whose status is ongoing. They hold the IDs.',
		},
		{ name: 'Stop Workflow', value: 'error' },
	],
	default: 'error',
	description: 'What happens to searches that are not finished in time. Their IDs are not lost.',
};

const onTimeout: RunOption<'error' | 'output'> = {
	properties: [
		{ ...onTimeoutProperty, ...shownFor({ '/operation': WAIT_OPERATIONS, '/waitMode': ['poll'] }) },
		{ ...onTimeoutProperty, ...shownFor({ '/operation': READ_OPERATIONS, waitForResult: [true] }) },
	],
	read: ({ value }) => (value === 'output' ? 'output' : 'error'),
};

const waitForResultProperty: INodeProperties = {
	displayName: 'Wait for Result',
	name: 'waitForResult',
	type: 'boolean',
	default: false,
	description: 'Whether to wait until the search is finished. Costs no credits.',
	...shownFor({ '/operation': READ_OPERATIONS }),
};

const waitForResult: RunOption<boolean> = {
	properties: [waitForResultProperty],
	read: ({ value }, _, refuse) => readSwitch(waitForResultProperty.displayName, value, refuse),
};

const maxCreditsProperty: NumberProperty = {
	displayName: 'Max Credits',
	name: 'maxCredits',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 2 },
	default: 0,
	description:
		'The most credits that one run of this node may spend (in a loop each turn), or all calls of an AI tool in one execution. Where the price is not known yet, one search is started first to learn it. 0 means no limit.',
	...shownFor({ '/operation': SUBMIT_OPERATIONS }),
};

const maxCredits: RunOption<number> = {
	properties: [maxCreditsProperty],
	// A limit that comes to nothing must not become none.
	read({ value, isAdded }, _, refuse) {
		if (!isAdded || !isEmpty(value)) return readNumber(maxCreditsProperty, value, refuse);
		return refuse(emptyProblem(maxCreditsProperty, 'a number, or 0 for no limit'));
	},
};

const dryRunProperty: INodeProperties = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: false,
	description:
		'Whether to only check the items and tell what a run would do and cost. Nothing is started, and nothing is charged.',
	...shownFor({ '/operation': SUBMIT_OPERATIONS }),
};

const dryRun: RunOption<boolean> = {
	properties: [dryRunProperty],
	// What was meant to cost nothing must not become a purchase.
	read({ value, isAdded }, _, refuse) {
		if (!isAdded || !isEmpty(value)) return readSwitch(dryRunProperty.displayName, value, refuse);
		return refuse(emptyProblem(dryRunProperty, 'true or false'));
	},
};

const includeInputFieldsProperty: INodeProperties = {
	displayName: 'Include Input Fields',
	name: 'includeInputFields',
	type: 'boolean',
	default: false,
	description:
		'Whether to add the fields of the input item to the result. Where both have a field of the same name, the one of the result is kept.',
};

const includeInputFields: RunOption<boolean> = {
	properties: [
		{ ...includeInputFieldsProperty, ...shownFor({ '/operation': SINGLE_SUBMIT_OPERATIONS }) },
		{
			...includeInputFieldsProperty,
			...shownFor({ '/operation': BULK_SUBMIT_OPERATIONS, '/inputMode': ['each'] }),
		},
	],
	read: ({ value }, _, refuse) => readSwitch(includeInputFieldsProperty.displayName, value, refuse),
};

export const runOptionProperties: INodeProperties[] = [
	dryRun,
	includeInputFields,
	maxCredits,
	onTimeout,
	firstDelay,
	timeout,
	waitForResult,
].flatMap(({ properties }) => properties);

/** The options of a run. */
export type RunOptions = ReturnType<typeof readRunOptions>;

/** Reads them from the first item: an option of the whole run cannot differ from item to item. */
function reader(context: IExecuteFunctions, size: Size) {
	const parameters = new Parameters(context);
	const refuse: Refuse = (problem) => {
		throw new ProblemError({ problem });
	};
	return <Value>({ properties: [{ name }], read }: RunOption<Value>): Value => {
		const given = { value: parameters.option(name, 0), isAdded: parameters.isAdded(name) };
		return read(given, size, refuse);
	};
}

/** What the option says, even where another one is what is wrong. */
export function includesInputFields(context: IExecuteFunctions): boolean {
	try {
		return reader(context, 'single')(includeInputFields);
	} catch {
		return false;
	}
}

export function readRunOptions(context: IExecuteFunctions, size: Size) {
	const read = reader(context, size);
	return {
		timeoutMs: read(timeout),
		/** Before the first look. */
		firstDelayMs: read(firstDelay),
		onTimeout: read(onTimeout),
		waitForResult: read(waitForResult),
		/** 0 for no limit. */
		maxCredits: read(maxCredits),
		dryRun: read(dryRun),
		includeInputFields: read(includeInputFields),
	};
}
