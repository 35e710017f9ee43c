import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

import {
	APART,
	CONTRACT_TESTS,
	MAX_WORKERS,
	N8N_CORE_SETUP,
	SEED_SETUP,
	TEST_TIMEOUT_MS,
} from '../../../vitest.config.mts';
import { seedEnvironment } from '../../support/seed.mts';
import type { Missing } from '../../support/n8nCore/missing.mts';
import { ensureInstalled } from '../../support/n8n/cache.mts';
import { createProgress } from '../../support/cli/progress.mjs';

// The contract tests, and the built package, with what other versions of n8n run nodes with.

interface N8nVersion {
	name: string;
	/** What it cannot do whatever the node does, so that tests expect the next best there. */
	missing: Missing[];
}

const MISSING: Missing[] = [
	'signed resume URLs',
	'custom data in nodes',
	'settings of the workflow in nodes',
	'errors as answers of tools',
	'success with an error of null',
];
const VERSIONS: N8nVersion[] = [
	{ name: 'n8n-1.123', missing: [...MISSING, 'operations that a model chooses'] },
	{ name: 'n8n-2.0', missing: MISSING },
];
const GIGABYTES = 0.5;

export default defineConfig(async () => {
	const progress = createProgress();
	const projects: TestProjectInlineConfiguration[] = [];
	for (const { name, missing } of VERSIONS) {
		const packages = { name, source: join(import.meta.dirname, name), gigabytes: GIGABYTES };
		const dir = await ensureInstalled(packages, progress.report);
		progress.clear();
		console.log(`${name} has no ${missing.join(' and no ')}: tests expect the next best there.`);
		projects.push(toProject(name, missing, join(dir, 'node_modules')));
	}
	return { cacheDir: 'node_modules/.vite-versions', test: { projects, maxWorkers: MAX_WORKERS } };
});

function toProject(
	name: string,
	missing: Missing[],
	modules: string,
): TestProjectInlineConfiguration {
	const installed = createRequire(join(modules, 'n8n-core', 'package.json'));
	return {
		root: resolve(import.meta.dirname, '../../..'),
		resolve: {
			alias: {
				'n8n-core': installed.resolve('n8n-core'),
				'n8n-workflow': installed.resolve('n8n-workflow'),
			},
		},
		test: {
			name,
			include: [...CONTRACT_TESTS, 'test/package/load.test.mts'],
			// Those are about amounts and chance, in which they do not differ.
			exclude: APART,
			isolate: false,
			setupFiles: [SEED_SETUP, N8N_CORE_SETUP],
			globalSetup: 'test/package/setup.mts',
			env: seedEnvironment(),
			testTimeout: TEST_TIMEOUT_MS,
			hookTimeout: TEST_TIMEOUT_MS,
			provide: { missing, modules },
		},
	};
}
