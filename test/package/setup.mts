import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { packPackage } from '../support/packing.mts';

const run = promisify(execFile);

export const ROOT = resolve(import.meta.dirname, '../..');

declare module 'vitest' {
	export interface ProvidedContext {
		/** The file that `npm pack` made of the built package. */
		tarball: string;
		/** The folder where it is unpacked, beside the `node_modules` that n8n would offer it. */
		unpacked: string;
		/** Those `node_modules`, where they are not the project's own. */
		modules: string | undefined;
	}
}

/** Packs the built package once for all tests of this folder. */
export default async function setup(project: TestProject) {
	const folder = await mkdtemp(join(tmpdir(), 'contact-data-package-'));
	const tarball = await packPackage(ROOT, folder);
	await run('tar', ['-xzf', tarball, '-C', folder]);
	const { modules = join(ROOT, 'node_modules') } = project.getProvidedContext();
	await symlink(modules, join(folder, 'node_modules'), 'junction');
	project.provide('tarball', tarball);
	project.provide('unpacked', join(folder, 'package'));

	return async () => await rm(folder, { recursive: true, force: true });
}
