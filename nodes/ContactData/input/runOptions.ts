import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { Size } from '../lookups/types';
import { asRecord } from '../common/json';

const DEFAULT_TIMEOUT_SECONDS: Record<Size, number> = { single: 300, bulk: 7200 };
const DEFAULT_POLL_INTERVAL_SECONDS = 1;

/** The options that hold for a whole run, whatever its items are. */
export interface RunOptions {
	timeoutMs: number;
	/** Before the first look. */
	firstDelayMs: number;
	onTimeout: 'error' | 'output';
	waitForResult: boolean;
	/** 0 for no limit. */
	maxCredits: number;
	includeInputFields: boolean;
}

/** Reads them from the first item: an option of the whole run cannot differ from item to item. */
export function readRunOptions(context: IExecuteFunctions, size: Size): RunOptions {
	const options = asRecord(context.getNodeParameter('options', 0, {})) ?? {};
	const number = (name: string, label: string, least: number, fallback: number) =>
		readNumber(context, options, name, label, least, fallback);
	return {
		timeoutMs: 1000 * number('timeout', 'Timeout', 1, DEFAULT_TIMEOUT_SECONDS[size]),
		firstDelayMs:
			1000 * number('pollInterval', 'Poll Interval', 0.1, DEFAULT_POLL_INTERVAL_SECONDS),
		onTimeout: options.onTimeout === 'output' ? 'output' : 'error',
		waitForResult: options.waitForResult === true,
		maxCredits: number('maxCredits', 'Max Credits', 0, 0),
		includeInputFields: options.includeInputFields === true,
	};
}

function readNumber(
	context: IExecuteFunctions,
	options: IDataObject,
	name: string,
	label: string,
	least: number,
	fallback: number,
): number {
	const given = options[name];
	if (given === undefined || given === null || given === '') return fallback;
	const value = typeof given === 'string' || typeof given === 'number' ? Number(given) : NaN;
	if (Number.isFinite(value) && value >= least) return value;
	throw new NodeOperationError(
		context.getNode(),
		`'${label}' must be a number of at least ${least}`,
		{
			description: `Correct '${label}' in Options.`,
		},
	);
}
