import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';

const { resolve } = createRequire(import.meta.url);

const N8N_CORE_SETUP = 'test/contract/harness/setup.mts';

export default defineConfig({
	resolve: {
		// n8n-core requires the CommonJS build: with a second copy, `instanceof` would not hold.
		alias: { 'n8n-workflow': resolve('n8n-workflow') },
	},
	test: {
		projects: [
			{
				extends: true,
				test: { name: 'unit', include: ['test/unit/**/*.test.mts', 'test/simulation/*.test.mts'] },
			},
			{
				extends: true,
				test: {
					name: 'contract',
					include: ['test/contract/**/*.test.mts'],
					setupFiles: N8N_CORE_SETUP,
				},
			},
			{
				extends: true,
				test: {
					name: 'package',
					include: ['test/package/**/*.test.mts'],
					globalSetup: 'test/package/setup.mts',
					setupFiles: N8N_CORE_SETUP,
					testTimeout: 60_000,
				},
			},
		],
	},
});
