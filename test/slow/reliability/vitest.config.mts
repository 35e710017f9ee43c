import { defineConfig } from 'vitest/config';

// `npm test -- reliability`: faults and kills on a real n8n, and a soak. Not a part of `all`.
export default defineConfig({
	cacheDir: '../../../node_modules/.vite-reliability',
	test: {
		root: import.meta.dirname,
		globalSetup: '../../support/n8n/setup.mts',
		include: ['*.reliability.mts'],
		// Each file has an n8n of its own: one at a time is enough for two cores.
		maxWorkers: 1,
		// The cells of the matrix mostly wait.
		maxConcurrency: 50,
		testTimeout: 300_000,
		hookTimeout: 240_000,
	},
});
