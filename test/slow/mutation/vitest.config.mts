import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const { resolve } = createRequire(import.meta.url);

/** From quick to slow, as parts of paths: what one test finds need not be found by a slower one. */
const ORDER = [
	'unit/lookups/lookups',
	'unit/common',
	'unit/input',
	'unit/service',
	'unit/lookups/editor',
	'unit/lookups/fields',
	'unit/',
	'unit/service/pace',
	'contract/input',
	'contract/operations',
	'contract/',
	'unit/results/match',
	'unit/spending/plan',
	'unit/trigger/seen',
	'contract/errors/answers',
	'contract/errors/table',
	'contract/trigger',
	'contract/operations/read',
	'contract/suspension',
];

/** Large, random, in real time, or of other things than code in `nodes`. */
const LEFT_OUT = [
	'contract/answers/**',
	'contract/docs/**',
	'contract/input/sizes.test.mts',
	'contract/scale/**',
	'contract/spending/pace.test.mts',
	'contract/suspension/callbacks.test.mts',
	'contract/suspension/missedCallback.test.mts',
	'contract/trigger/fuzz.test.mts',
	'contract/waiting/slow.test.mts',
	'unit/common/moduleState.test.mts',
	'unit/credentials/**',
	'unit/docs/**',
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
			'test/slow/mutation/bail.mts',
			'test/slow/mutation/fastTime.mts',
			'test/support/seedSetup.mts',
			'test/support/n8nCore/setup.mts',
		],
		sequence: { sequencer: QuickFirst },
		// A test that is slow because the machine is busy must not count as one that fails.
		testTimeout: 20_000,
		// One worker for each mutant, in which n8n-core is loaded once.
		isolate: false,
		maxWorkers: 1,
	},
});
