import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

import { seedEnvironment } from './test/support/seed.mts';

const { resolve } = createRequire(import.meta.url);

/** Contract tests mostly wait: for the service, and for time to go by. */
export const MAX_WORKERS = Math.max(4, availableParallelism());
/** Only what hangs takes so long: some tests run hundreds of lookups, and a machine may be busy. */
export const TEST_TIMEOUT_MS = 300_000;

export const SEED_SETUP = 'test/support/seedSetup.mts';
export const N8N_CORE_SETUP = 'test/support/n8nCore/setup.mts';
export const CONTRACT_TESTS = ['test/contract/**/*.test.mts'];
/**
 * Those that look at their process (what it holds, its CPU, its memory), that play several, or that fill it or a minute;
 * and hundreds of drawn cases, where they use nothing in which versions differ.
 */
export const APART = [
	'test/unit/pausing/lookAfterMemory.test.mts',
	'test/contract/spending/dryRunProperty.test.mts',
	'test/contract/spending/memoryTable.test.mts',
	'test/contract/spending/perDay.test.mts',
	'test/contract/tool/sameCallProperty.test.mts',
	'test/contract/scale/*.test.mts',
	'test/contract/**/fuzz.test.mts',
	'test/simulation/pace/*.test.mts',
	'test/unit/orders/recentMemory.test.mts',
];

export default defineConfig({
	resolve: {
		// n8n-core requires the CommonJS build: with a second copy, `instanceof` would not hold.
		alias: { 'n8n-workflow': resolve('n8n-workflow') },
	},
	test: {
		maxWorkers: MAX_WORKERS,
		env: seedEnvironment(),
		testTimeout: TEST_TIMEOUT_MS,
		hookTimeout: TEST_TIMEOUT_MS,
		projects: [
			{
				extends: true,
				test: {
					name: 'unit',
					include: [
						'test/unit/**/*.test.mts',
						'test/simulation/**/*.test.mts',
						'test/tools/checkService/*.test.mts',
						'test/support/sandbox/tests/*.test.mts',
					],
					exclude: APART,
					setupFiles: SEED_SETUP,
					// As with `contract`; who fakes time or a function takes that back after each test.
					isolate: false,
				},
			},
			{
				extends: true,
				test: {
					name: 'contract',
					include: CONTRACT_TESTS,
					exclude: APART,
					setupFiles: [SEED_SETUP, N8N_CORE_SETUP],
					testTimeout: TEST_TIMEOUT_MS,
					// Files one after another in a process, as executions are in n8n: what the package
					// remembers goes by the account or the id, and each file has a sandbox of its own.
					isolate: false,
				},
			},
			{
				extends: true,
				test: {
					name: 'apart',
					include: APART,
					setupFiles: [SEED_SETUP, N8N_CORE_SETUP],
					testTimeout: TEST_TIMEOUT_MS,
				},
			},
			{
				extends: true,
				test: {
					name: 'package',
					include: ['test/package/**/*.test.mts'],
					globalSetup: 'test/package/setup.mts',
					setupFiles: N8N_CORE_SETUP,
				},
			},
		],
	},
});
