import { chmod, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { temporaryFolder, type TemporaryFolder } from './folder.mts';

/**
 * Makes a folder with an `npm` that knows one package and asks no registry: put it first on the PATH
 * of an n8n that is to install the package by itself.
 *
 * @param tarballs of the package, by version
 */
export async function npmStandIn(tarballs: Record<string, string>): Promise<TemporaryFolder> {
	const folder = await temporaryFolder('npm');
	const npm = join(folder.path, 'npm');
	const cases = Object.entries(tarballs).map(
		([version, tarball]) => `	"view "*@${version}) echo '"${version}"' ;;
	"pack "*@${version}) cp '${tarball}' . && echo '${basename(tarball)}' ;;`,
	);
	await writeFile(npm, `#!/bin/sh\ncase "$1 $2" in\n${cases.join('\n')}\nesac\n`);
	await chmod(npm, 0o755);
	return folder;
}
