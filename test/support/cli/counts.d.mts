export interface Counts {
	passed: number;
	failed: number;
	skipped: number;
}

/** What vitest's JSON reporter writes, as far as it is read. */
export interface Report {
	readonly numPassedTests: number;
	readonly numFailedTests: number;
	readonly numPendingTests: number;
	readonly numTodoTests: number;
	readonly testResults: ReadonlyArray<{
		readonly name: string;
		readonly status: string;
		readonly message: string;
		readonly assertionResults: ReadonlyArray<{
			readonly fullName: string;
			readonly status: string;
			readonly failureMessages: readonly string[];
		}>;
	}>;
}

export function readReport(file: string): Promise<Report | undefined>;
export function countTests(report: Report): Counts;
export function describeFailures(report: Report): string[];
export function noTests(): Counts;
