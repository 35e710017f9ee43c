import { defineConfig } from 'vitest/config';

export default defineConfig({
	cacheDir: '../../node_modules/.vite-e2e',
	test: {
		name: 'e2e',
		root: import.meta.dirname,
		include: ['**/*.e2e.mts'],
		globalSetup: '../support/n8n/setup.mts',
		// Each file has an n8n of its own: one at a time is enough for two cores.
		fileParallelism: false,
		testTimeout: 180_000,
		hookTimeout: 240_000,
	},
});
