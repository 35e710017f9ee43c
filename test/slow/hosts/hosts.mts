import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** An n8n that the end-to-end tests run on. */
export interface Host {
	readonly version: string;
	/** Its name in the cache. */
	readonly name: string;
	/** Folder with its lock file. */
	readonly source: string;
}

const HERE = fileURLToPath(new URL('.', import.meta.url));
/** The n8n of the end-to-end tests has its lock file there. */
const OWN = fileURLToPath(new URL('../../support/n8n/', import.meta.url));

/** All of them, the newest first. */
export async function findHosts(): Promise<Host[]> {
	const entries = await readdir(HERE, { withFileTypes: true });
	const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
	const hosts = folders.map(async (folder) => await toHost(folder, join(HERE, folder)));
	const all = [await toHost('n8n', OWN), ...(await Promise.all(hosts))];
	return all.sort((a, b) => b.version.localeCompare(a.version, 'en', { numeric: true }));
}

async function toHost(name: string, source: string): Promise<Host> {
	const manifest = await readFile(join(source, 'package.json'), 'utf8');
	const { dependencies } = JSON.parse(manifest) as { dependencies: { n8n: string } };
	return { name, source, version: dependencies.n8n };
}
