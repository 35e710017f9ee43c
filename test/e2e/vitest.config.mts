import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** `npm test -- all` leaves these out, `npm test -- night` runs them. */
const LONG = { name: 'long', description: 'Waits for minutes, or needs much of the machine' };

/** They wait for minutes: one begins first and one in the middle, so that others run beside each of them. */
const WAITING = ['/suspend.limit.e2e.mts', '/suspend.e2e.mts'];

class WaitingApart extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const sorted = await super.sort(files);
		const [first = [], second = []] = WAITING.map((name) =>
			sorted.filter(({ moduleId }) => moduleId.endsWith(name)),
		);
		const busy = sorted.filter((file) => !first.includes(file) && !second.includes(file));
		const middle = busy.length / 2;
		return [...first, ...busy.slice(0, middle), ...second, ...busy.slice(middle)];
	}
}

export default defineConfig({
	cacheDir: '../../node_modules/.vite-e2e',
	test: {
		root: import.meta.dirname,
		include: ['*.e2e.mts'],
		sequence: { sequencer: WaitingApart },
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
