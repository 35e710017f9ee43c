import { defineConfig } from 'vitest/config';

const SOAKS = 'soak.*reliability.mts';

const common = {
	root: import.meta.dirname,
	// The cells of a matrix mostly wait.
	maxConcurrency: 50,
	testTimeout: 300_000,
	hookTimeout: 240_000,
};

export default defineConfig({
	cacheDir: '../../../node_modules/.vite-reliability',
	test: {
		root: import.meta.dirname,
		// Once for both projects.
		globalSetup: ['../../support/n8n/setup.mts', 'setup.mts'],
		projects: [
			{
				test: {
					...common,
					name: 'reliability',
					include: ['*.reliability.mts'],
					exclude: [SOAKS],
					// Each file has an n8n of its own: one at a time is enough for two cores.
					maxWorkers: 1,
					// Without a number, vitest runs files one at a time after all others.
					sequence: { groupOrder: 1 },
				},
			},
			{
				test: {
					...common,
					name: 'soak',
					include: [SOAKS],
					// Both modes at once: more goes wrong on a busy machine.
					maxWorkers: 2,
					sequence: { groupOrder: 2 },
				},
			},
		],
	},
});
