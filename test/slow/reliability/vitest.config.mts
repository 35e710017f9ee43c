import { defineConfig } from 'vitest/config';

// `npm test -- reliability`: a soak of a real n8n, with faults and kills. Not a part of `all`.
export default defineConfig({
	cacheDir: '../../../node_modules/.vite-reliability',
	test: {
		root: import.meta.dirname,
		globalSetup: '../../support/n8n/setup.mts',
		include: ['*.reliability.mts'],
		testTimeout: 300_000,
		hookTimeout: 240_000,
	},
});
