/** One row of the results: what was measured, beside what, and whether the target is met. */
export interface Row {
	what: string;
	ours: string;
	/** The alternatives, measured in the same run. */
	beside: string;
	/** What nobody could be faster than; empty where there is no such thing. */
	limit: string;
	target: string;
	met: Verdict;
	/** Why a target is missed, or how a figure came about. */
	notes?: string[];
}

/** `partly`: of several targets in a row, some are met. */
export type Verdict = 'yes' | 'no' | 'partly' | 'not measured';

/** The verdict on several targets. */
export function verdictOn(...targets: boolean[]): Verdict {
	if (targets.every(Boolean)) return 'yes';
	return targets.some(Boolean) ? 'partly' : 'no';
}

/** The rows as a markdown table with the notes below it. */
export function toMarkdown(rows: Row[]): string {
	const line = (...cells: string[]) => `| ${cells.join(' | ')} |`;
	const table = [
		line('Measured', 'This package', 'Beside it', 'Limit', 'Target', 'Met'),
		line('---', '---', '---', '---', '---', '---'),
		...rows.map(({ what, ours, beside, limit, target, met }) =>
			line(what, ours, beside, limit, target, met),
		),
	];
	const notes = rows.flatMap(({ what, notes = [] }) =>
		notes.map((note) => `- **${what}**: ${note}`),
	);
	return [...table, ...(notes.length > 0 ? ['', ...notes] : [])].join('\n');
}

export function median(values: number[]): number {
	const sorted = [...values].sort((one, other) => one - other);
	const middle = sorted.length / 2;
	const [low = NaN, high = NaN] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
	return (low + high) / 2;
}

/** `12.3 s`, and the range where there were several runs. */
export function seconds(values: number[]): string {
	return withRange(values, (value) => `${value.toFixed(value < 10 ? 2 : 1)} s`);
}

export function megabytes(values: number[]): string {
	return withRange(values, (value) => `${Math.round(value / 1024 ** 2)} MB`);
}

/** The median, with the smallest and the largest value in brackets. */
export function withRange(values: number[], show: (value: number) => string): string {
	if (values.length === 1) return show(median(values));
	return `${show(median(values))} (${show(Math.min(...values))}–${show(Math.max(...values))})`;
}
