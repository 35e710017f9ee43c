import { describeType, quote } from './fieldChecks';
import type { Refuse } from './types';

/** A switch of the editor. Its expression may give what a table holds: the text `true`, or 1. */
export function readSwitch(label: string, given: unknown, refuse: Refuse): boolean {
	const value = typeof given === 'string' ? given.trim().toLowerCase() : given;
	if (value === true || value === 'true' || value === 1 || value === '1') return true;
	if (value === undefined || value === null || value === '') return false;
	if (value === false || value === 'false' || value === 0 || value === '0') return false;
	return refuse({
		message: `'${label}' must be true or false, but is ${typeof given === 'string' ? quote(given) : describeType(given)}`,
		description: `Correct the expression of '${label}'.`,
	});
}
