import { execFile } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';

import { temporaryFolder } from './folder.mts';
import { lackedBy } from './features.mts';
import { ensureN8n } from './install.mts';
import { packPackage } from '../packing.mts';
import { createProgress } from '../cli/progress.mjs';

declare module 'vitest' {
	export interface ProvidedContext {
		/** Path of the packed package. */
		tarball: string;
	}
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Once before all files: builds and packs the package, and installs n8n where it is missing. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
	const progress = createProgress();
	const installed = await ensureN8n(progress.report);
	progress.clear();
	const lacked = process.env.N8N_TEST_DIR ? [] : lackedBy(installed);
	// Else the next update of n8n would switch tests off, and nobody would see it.
	if (lacked.length > 0) throw new Error(`features.mts does not find in n8n: ${lacked.join(', ')}`);
	await promisify(execFile)('npm', ['run', 'build'], { cwd: ROOT });
	const folder = await temporaryFolder('package');
	project.provide('tarball', await packPackage(ROOT, folder.path));
	// What a worker has no time to remove, which ends within half a second, goes with this folder.
	process.env.TMPDIR = folder.path;
	// PostgreSQL has a folder in it, as another user.
	await chmod(folder.path, 0o711);
	return async () => await folder.remove();
}
