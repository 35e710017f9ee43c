import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { checkNames, LEFT_OUT, MUTATED, ORDER } from './files.mts';

const { resolve } = createRequire(import.meta.url);

checkNames();

class QuickFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		return [...files].sort((a, b) => rank(a) - rank(b));
	}
}

const OWN = ['unit', 'contract'].flatMap((suite) =>
	(process.env[MUTATED] ?? '').split(',').map((folder) => `/test/${suite}/${folder}/`),
);

/** The tests of what is mutated, then by the place of the longest part that fits. */
function rank({ moduleId }: TestSpecification): number {
	const own = OWN.findIndex((folder) => moduleId.includes(folder));
	if (own >= 0) return own - OWN.length;
	const parts = ORDER.filter((part) => moduleId.includes(`/test/${part}`));
	return ORDER.indexOf(parts.reduce((one, other) => (other.length > one.length ? other : one), ''));
}

export default defineConfig({
	resolve: { alias: { 'n8n-workflow': resolve('n8n-workflow') } },
	test: {
		include: ['test/unit/**/*.test.mts', 'test/contract/**/*.test.mts'],
		exclude: LEFT_OUT.map((name) => `test/${name}${name.endsWith('/') ? '**' : '.test.mts'}`),
		setupFiles: [
			'test/slow/mutation/bail.mts',
			'test/slow/mutation/fastTime.mts',
			'test/support/seedSetup.mts',
			'test/support/n8nCore/setup.mts',
		],
		sequence: { sequencer: QuickFirst },
		// The slowest takes two seconds, five times of which is a busy machine. What hangs costs this each time.
		testTimeout: 10_000,
		// One worker for each mutant, in which n8n-core is loaded once.
		isolate: false,
		maxWorkers: 1,
	},
});
