// What a run of vitest says of itself, in the file of its JSON reporter.
import { readFile } from 'node:fs/promises';

/** How many tests passed, failed and were skipped. A run that left no report has failed. */
export async function readCounts(report) {
	try {
		const results = JSON.parse(await readFile(report, 'utf8'));
		return countTests(results);
	} catch {
		return { ...noTests(), failed: 1 }; // It died before it could write its report.
	}
}

export function countTests({
	numPassedTests,
	numFailedTests,
	numPendingTests,
	numTodoTests,
	testResults,
}) {
	// A file that fails outside its tests, e.g. in an import, counts as one more.
	const brokenFiles = testResults.filter(
		({ status, assertionResults }) =>
			status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
	);
	return {
		passed: numPassedTests,
		failed: numFailedTests + brokenFiles.length,
		skipped: numPendingTests + numTodoTests,
	};
}

export function noTests() {
	return { passed: 0, failed: 0, skipped: 0 };
}
