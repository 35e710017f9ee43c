export interface Counts {
	passed: number;
	failed: number;
	skipped: number;
}

/** What vitest's JSON reporter writes, as far as it is counted. */
export interface Counted {
	readonly numPassedTests: number;
	readonly numFailedTests: number;
	readonly numPendingTests: number;
	readonly numTodoTests: number;
	readonly testResults: ReadonlyArray<{
		readonly status: string;
		readonly assertionResults: ReadonlyArray<{ readonly status: string }>;
	}>;
}

export function readCounts(report: string): Promise<Counts>;
export function countTests(results: Counted): Counts;
export function noTests(): Counts;
