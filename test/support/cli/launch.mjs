// `npm run demo`, `dev` and `bench` from a fresh clone: installs what is missing and goes on in the
// module named, with the rest of the arguments.
import {
	endWithParent,
	ensureDependencies,
	exitOnSignals,
	requireNode,
	runNpm,
} from './bootstrap.mjs';
import { createProgress } from './progress.mjs';

const [module] = process.argv.splice(2, 1);
requireNode();
endWithParent();
exitOnSignals();

const progress = createProgress();
await ensureDependencies(progress.report);
// The product's files are CommonJS, and those of the tests are not.
for (const kind of ['esm', 'cjs']) {
	const { register } = await import(`tsx/${kind}/api`);
	register();
}
const { main } = await import(`../../${module}.mts`);
const { SetupError } = await import('../n8n/cache.mts');
try {
	await main(progress, async () => {
		await runNpm(['run', 'build'], 'Building the package', progress.report);
	});
} catch (error) {
	progress.clear();
	// A trouble of the machine or the command line ends it with one line.
	if (!(error instanceof SetupError)) throw error;
	console.error(error.message);
	process.exit(1);
}
