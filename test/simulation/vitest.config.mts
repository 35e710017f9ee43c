import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';

import { seedEnvironment } from '../support/seed.mts';

// `npm test -- simulation`: the long run. The short one is part of the `unit` project.
export default defineConfig({
	resolve: { alias: { 'n8n-workflow': createRequire(import.meta.url).resolve('n8n-workflow') } },
	test: {
		name: 'simulation',
		root: import.meta.dirname,
		include: ['*.test.mts'],
		env: { SCHEDULES: process.env.SCHEDULES ?? '10000', ...seedEnvironment() },
		testTimeout: 3_600_000,
		disableConsoleIntercept: true,
	},
});
