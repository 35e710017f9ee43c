// What a run of vitest says of itself, in the file of its JSON reporter.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

/** The report in this file. Undefined: the run died before it could write it. */
export async function readReport(file) {
	try {
		return JSON.parse(await readFile(file, 'utf8'));
	} catch {
		return undefined;
	}
}

export function countTests({
	numPassedTests,
	numFailedTests,
	numPendingTests,
	numTodoTests,
	testResults,
}) {
	return {
		passed: numPassedTests,
		failed: numFailedTests + testResults.filter(isBroken).length,
		skipped: numPendingTests + numTodoTests,
	};
}

/** What failed: the file, the test, and the first line of why. */
export function describeFailures({ testResults }) {
	return testResults.flatMap((file) => {
		const name = basename(file.name);
		const failed = file.assertionResults.filter((test) => test.status === 'failed');
		if (isBroken(file)) return [`${name}: ${firstLine(file.message)}`];
		return failed.map((test) => `${name}: ${test.fullName}: ${firstLine(test.failureMessages[0])}`);
	});
}

/** A file that fails outside its tests, e.g. in an import, counts as one more. */
function isBroken({ status, assertionResults }) {
	return status === 'failed' && assertionResults.every((test) => test.status !== 'failed');
}

function firstLine(text) {
	return text?.split('\n')[0] ?? '';
}

export function noTests() {
	return { passed: 0, failed: 0, skipped: 0 };
}
