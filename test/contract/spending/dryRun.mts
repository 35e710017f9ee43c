import type { RunNodeResult } from '../../support/n8nCore/execute.mts';

/** What the hint of a dry run says; asserts that there is one hint alone. */
export function hintOf({ hints, error }: Pick<RunNodeResult, 'hints' | 'error'>): string {
	if (error instanceof Error) throw error;
	const [hint, ...others] = hints.map(({ message }) => message);
	if (hint === undefined || others.length > 0) throw new Error(`Not one hint: ${hints.length}`);
	return hint;
}

/** The figures in the hint of a dry run; 0 where it says nothing of one. */
export function figuresOf(hint: string) {
	const read = (pattern: RegExp) => pattern.exec(hint)?.[1]?.replaceAll(',', '');
	const figure = (pattern: RegExp) => Number(read(pattern) ?? 0);
	const first = read(/only the first ([\d,]+) would be started/);
	return {
		searches: figure(/would start ([\d,]+) /),
		/** Where not all fit. */
		first: first === undefined ? undefined : Number(first),
		same: figure(/([\d,]+) repeats? another item/),
		read: figure(/([\d,]+) (?:is|are) read from/),
		invalid: figure(/([\d,]+) items? (?:is|are) invalid/),
		isRefused: hint.includes('a real run would start nothing: '),
	};
}
