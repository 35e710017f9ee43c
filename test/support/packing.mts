import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Packs the package in `dir`, which must be built, as for publishing; gives the tarball's path. */
export async function packPackage(dir: string, to: string): Promise<string> {
	await mkdir(to, { recursive: true });
	const { stdout } = await promisify(execFile)(
		'npm',
		['pack', '--silent', '--pack-destination', to],
		{ cwd: dir },
	);
	return join(to, stdout.trim());
}
