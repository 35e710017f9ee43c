import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const LEFT_OUT = ['devDependencies', 'peerDependencies', 'optionalDependencies'];

/**
 * Installs a packed community package as n8n does: unpacked below its user folder, without
 * development, peer and optional dependencies, and with no script run.
 *
 * @param userFolder n8n's `N8N_USER_FOLDER`
 */
export async function installPackage(tarball: string, userFolder: string): Promise<void> {
	const packed = await run('tar', ['-xzOf', tarball, 'package/package.json']);
	const { name, version, ...rest } = parseManifest(packed.stdout);
	if (Object.keys(rest.dependencies ?? {}).length > 0) {
		throw new Error(`${name} has runtime dependencies, which nobody installs here.`);
	}
	const nodes = join(userFolder, '.n8n', 'nodes');
	const target = join(nodes, 'node_modules', name);
	await mkdir(target, { recursive: true });
	await run('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
	for (const kind of LEFT_OUT) delete rest[kind];
	await writeFile(
		join(target, 'package.json'),
		JSON.stringify({ name, version, ...rest }, null, 2),
	);
	await writeFile(
		join(nodes, 'package.json'),
		JSON.stringify({ name: 'installed-nodes', dependencies: { [name]: version } }),
	);
}

interface Manifest {
	name: string;
	version: string;
	dependencies?: Record<string, string>;
	[field: string]: unknown;
}

function parseManifest(text: string): Manifest {
	return JSON.parse(text) as Manifest;
}
