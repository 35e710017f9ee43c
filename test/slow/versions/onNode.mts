// `onNode.mts <major> <file> …` runs a JavaScript file on another version of Node, which is installed
// first where it is missing. Ends with that one's exit code, or 75 where this machine has no binary.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { ensureInstalled, exists, SetupError } from '../../support/n8n/cache.mts';
import { createProgress } from '../../support/cli/progress.mjs';

/** As in sysexits.h: tried in vain, and not the code's fault. */
const CANNOT_RUN = 75;
const PACKAGES = { name: 'node', source: join(import.meta.dirname, 'node'), gigabytes: 0.6 };

const [major = '', ...args] = process.argv.slice(2);
try {
	const progress = createProgress();
	const dir = await ensureInstalled(PACKAGES, progress.report);
	progress.clear();
	const platform = `${process.platform}-${process.arch}`;
	const node = join(dir, 'node_modules', `node${major}-${platform}`, 'bin', 'node');
	if (await exists(node)) {
		const child = spawn(node, args, { stdio: 'inherit' });
		await once(child, 'close');
		process.exitCode = child.exitCode ?? 1;
	} else {
		if (process.env.CI)
			throw new SetupError(`CI skips nothing: npm has no Node ${major} for ${platform}.`);
		console.log(`Skipped: npm has no Node ${major} for ${platform} that the tests could run on.`);
		process.exitCode = CANNOT_RUN;
	}
} catch (error) {
	if (!(error instanceof SetupError)) throw error;
	console.error(error.message);
	process.exitCode = 1;
}
