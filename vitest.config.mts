import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';

const { resolve } = createRequire(import.meta.url);

const project = (name: string) => ({
	extends: true as const,
	test: { name, include: [`test/${name}/**/*.test.mts`] },
});

export default defineConfig({
	resolve: {
		// n8n-core requires the CommonJS build: with a second copy, `instanceof` would not hold.
		alias: { 'n8n-workflow': resolve('n8n-workflow') },
	},
	test: {
		projects: ['unit', 'contract', 'package'].map(project),
	},
});
