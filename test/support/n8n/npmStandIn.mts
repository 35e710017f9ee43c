import { chmod, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { temporaryFolder, type TemporaryFolder } from './folder.mts';

/**
 * Makes a folder with an `npm` that knows one package and asks no registry: put it first on the PATH
 * of an n8n that is to install the package by itself.
 *
 * @param tarball of the package
 * @param version of the package
 */
export async function npmStandIn(tarball: string, version: string): Promise<TemporaryFolder> {
	const folder = await temporaryFolder('npm');
	const npm = join(folder.path, 'npm');
	await writeFile(
		npm,
		`#!/bin/sh
case "$1" in
	view) echo '"${version}"' ;;
	pack) cp '${tarball}' . && echo '${basename(tarball)}' ;;
esac
`,
	);
	await chmod(npm, 0o755);
	return folder;
}
