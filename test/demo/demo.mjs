// `npm run demo` from a fresh clone: installs what is missing, builds, and goes on in TypeScript.
import { endWithParent, ensureDependencies, requireNode, runNpm } from '../bootstrap.mjs';
import { createProgress } from '../progress.mjs';

requireNode();
endWithParent();
for (const [signal, code] of [
	['SIGINT', 130],
	['SIGTERM', 143],
	['SIGHUP', 129],
]) {
	process.once(signal, () => process.exit(code));
}

const progress = createProgress();
await ensureDependencies(progress.report);
await runNpm(['run', 'build'], 'Building the package', progress.report);

const { register } = await import('tsx/esm/api');
register();
const { main } = await import('./main.mts');
await main(progress);
