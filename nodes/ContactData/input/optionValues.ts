import type { INodeProperties } from 'n8n-workflow';
import type { Problem } from '../common/errors';
import type { Refuse } from '../lookups/types';

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
