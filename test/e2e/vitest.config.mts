import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** `npm test -- all` leaves these out, `npm test -- night` runs them. */
const LONG = { name: 'long', description: 'Waits for minutes, or needs much of the machine' };

export default defineConfig({
	cacheDir: '../../node_modules/.vite-e2e',
	test: {
		root: import.meta.dirname,
		include: ['*.e2e.mts'],
		globalSetup: '../support/n8n/setup.mts',
		testTimeout: 180_000,
		hookTimeout: 240_000,
		tags: [LONG],
		// The files of a process share its n8n: each start costs twenty seconds of CPU.
		isolate: false,
		// Each has an n8n, which takes up to 2 GB and mostly waits, and some files one more.
		maxWorkers: Math.min(2, availableParallelism()),
	},
});
