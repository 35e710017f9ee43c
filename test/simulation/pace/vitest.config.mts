import { defineConfig, mergeConfig } from 'vitest/config';

import simulation from '../vitest.config.mts';

// `npm run simulate:pace`: the long run. The short one is part of the `unit` project.
export default mergeConfig(
	simulation,
	defineConfig({
		test: { root: import.meta.dirname, env: { PACE_SEEDS: process.env.PACE_SEEDS ?? '3' } },
	}),
);
