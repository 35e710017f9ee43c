import type { Measured, Table } from '../../support/figures.mts';

/** One row of the results: what was measured, beside what, and whether the target is met. */
export interface Row {
	what: string;
	ours: string;
	/** The alternatives, measured in the same run; empty where another row has them. */
	beside: string;
	/** What nobody could be faster than; empty where there is no such thing. */
	limit: string;
	target: string;
	met: Verdict;
	runs: number;
	/** What does not fit into a cell. */
	tables?: Table[];
	/** Why a target is missed, or how a figure came about. */
	notes?: string[];
}

/** `partly`: of several targets in a row, some are met. */
export type Verdict = 'yes' | 'no' | 'partly';

/** The verdict on several targets. */
export function verdictOn(...targets: boolean[]): Verdict {
	if (targets.every(Boolean)) return 'yes';
	return targets.some(Boolean) ? 'partly' : 'no';
}

/** All rows in one table, and below it what does not fit into a cell. */
export function toMeasured(rows: readonly Row[]): Measured {
	const head = ['Measured', 'This package', 'Beside it', 'Limit', 'Target', 'Met', 'Runs'];
	const cells = rows.map(({ what, ours, beside, limit, target, met, runs }) => [
		...[what, ours, beside, limit, target, met],
		runs,
	]);
	return {
		tables: [{ head, rows: cells }, ...rows.flatMap(({ tables = [] }) => tables)],
		notes: rows.flatMap(({ what, notes = [] }) => notes.map((note) => `${what}: ${note}`)),
	};
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
