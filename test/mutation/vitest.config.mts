import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const { resolve } = createRequire(import.meta.url);

/** From quick to slow, as parts of paths: what one test finds need not be found by a slower one. */
const ORDER = [
	'unit/lookups/lookups',
	'unit/service',
	'unit/lookups/editor',
	'unit/lookups/fields',
	'unit/',
	'unit/money/pace',
	'contract/input',
	'contract/operations',
	'contract/',
	'unit/results/match',
	'unit/spending/plan',
	'unit/trigger/seen',
	'contract/errors.answers',
	'contract/errors.table',
	'contract/trigger',
	'contract/operations.read',
	'contract/suspend',
];

/** Large, random, in real time, or of other things than code in `nodes`. */
const LEFT_OUT = [
	'contract/answers.fuzz.test.mts',
	'contract/harness/**',
	'contract/leaks.test.mts',
	'contract/input.sizes.test.mts',
	'contract/money.pace.test.mts',
	'contract/operations.large.test.mts',
	'contract/previews.test.mts',
	'contract/readme.test.mts',
	'contract/scale.test.mts',
	'contract/suspend.callbacks.test.mts',
	'contract/suspend.missedCallback.test.mts',
	'contract/trigger.fuzz.test.mts',
	'contract/wait.slow.test.mts',
	'unit/*.test.mts',
	'unit/sandbox/**',
	'unit/service/moduleState.test.mts',
];

class QuickFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		return [...files].sort((a, b) => rank(a) - rank(b));
	}
}

/** The place of the longest part that fits. */
function rank({ moduleId }: TestSpecification): number {
	const parts = ORDER.filter((part) => moduleId.includes(`/test/${part}`));
	return ORDER.indexOf(parts.reduce((one, other) => (other.length > one.length ? other : one), ''));
}

export default defineConfig({
	resolve: { alias: { 'n8n-workflow': resolve('n8n-workflow') } },
	test: {
		include: ['test/unit/**/*.test.mts', 'test/contract/**/*.test.mts'],
		exclude: LEFT_OUT.map((path) => `test/${path}`),
		setupFiles: [
			'test/mutation/bail.mts',
			'test/mutation/fastTime.mts',
			'test/contract/harness/setup.mts',
		],
		sequence: { sequencer: QuickFirst },
		// A test that is slow because the machine is busy must not count as one that fails.
		testTimeout: 20_000,
		// One worker for each mutant, in which n8n-core is loaded once.
		isolate: false,
		maxWorkers: 1,
	},
});
