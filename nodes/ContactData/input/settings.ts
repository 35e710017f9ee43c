import { refuse } from '../common/errors';
import { isBlank } from '../common/values';
import { readSwitch } from '../lookups/checks';
import type { Size } from '../lookups/types';
import type { Form } from './form';
import type { Parameters } from './parameters';

/** Seconds, by default. */
export const SINGLE_TIMEOUT_S = 300;
export const BULK_TIMEOUT_S = 7200;
/** A paused execution costs n8n nothing. */
export const PAUSE_TIMEOUT_S = 86_400;
/** What the editor and the node take at least. */
export const LEAST = { timeout: 1, maxCredits: 0 };

/** All that the user says of a whole run. */
export interface Settings extends Form {
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
		isTool,
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
		description: `It is empty for the first item. Give ${give}, or remove '${label}' from Options.`,
		next: 'again',
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
		next: 'again',
	});
}
