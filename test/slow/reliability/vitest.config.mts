import { defineConfig } from 'vitest/config';

export default defineConfig({
	cacheDir: '../../../node_modules/.vite-reliability',
	test: {
		name: 'reliability',
		root: import.meta.dirname,
		include: ['**/*.reliability.mts'],
		globalSetup: ['../../support/n8n/setup.mts', 'setup.mts'],
		// Each file has an n8n of its own: one at a time is enough for two cores.
		fileParallelism: false,
		// The cells of a matrix mostly wait.
		maxConcurrency: 50,
		testTimeout: 300_000,
		hookTimeout: 240_000,
	},
});
