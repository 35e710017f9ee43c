// `npm run bench` from a fresh clone: installs what is missing and goes on in TypeScript.
import {
	endWithParent,
	ensureDependencies,
	exitOnSignals,
	requireNode,
	runNpm,
} from '../bootstrap.mjs';
import { createProgress } from '../progress.mjs';

requireNode();
endWithParent();
exitOnSignals();

const progress = createProgress();
await ensureDependencies(progress.report);
const { register } = await import('tsx/esm/api');
register();
const { main } = await import('./main.mts');
await main(progress, async () => {
	await runNpm(['run', 'build'], 'Building the package', progress.report);
});
