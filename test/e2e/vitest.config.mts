import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What is judged by the clock. */
const ALONE = 'timing.e2e.mts';

/** `npm test` leaves these out, so that it takes ten minutes; `npm test -- all` and `hosts` run them. */
const LONG = { name: 'long', description: 'Waits for minutes, or needs much of the machine' };

/** It waits for minutes, in which the others run beside it. */
const FIRST = '/suspend.limit.e2e.mts';

class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const isFirst = ({ moduleId }: TestSpecification) => moduleId.endsWith(FIRST);
		const sorted = await super.sort(files);
		return [...sorted.filter(isFirst), ...sorted.filter((file) => !isFirst(file))];
	}
}

const common = {
	root: import.meta.dirname,
	testTimeout: 180_000,
	hookTimeout: 240_000,
	tags: [LONG],
	// The files of a process share its n8n: each start costs twenty seconds of CPU.
	isolate: false,
};

export default defineConfig({
	cacheDir: '../../node_modules/.vite-e2e',
	test: {
		root: import.meta.dirname,
		sequence: { sequencer: LongestFirst },
		// Once for both projects.
		globalSetup: '../support/n8n/setup.mts',
		projects: [
			{
				test: {
					...common,
					name: 'e2e',
					include: ['*.e2e.mts'],
					exclude: [ALONE],
					// Each has an n8n, which takes up to 2 GB and mostly waits, and some files one more.
					maxWorkers: Math.min(2, availableParallelism()),
				},
			},
			{
				test: {
					...common,
					name: 'timing',
					include: [ALONE],
					maxWorkers: 1,
					sequence: { groupOrder: 1 },
				},
			},
		],
	},
});
