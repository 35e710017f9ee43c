import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';

import { ensureN8n } from './install.mts';
import type { N8n } from './n8n.mts';

/** The sandbox makes keys like this, so that they are known wherever they turn up. */
const KEY = /sandbox-[0-9a-f]{32}/;

/** Looks through all texts of an SQLite database: pages of the file itself would cut them. */
const READER = `
const { DatabaseSync } = require('node:sqlite');
const [path, key] = process.argv.slice(1);
const database = new DatabaseSync(path, { readOnly: true });
const pattern = new RegExp(key);
for (const { name } of database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()) {
	for (const row of database.prepare('SELECT * FROM "' + name + '"').iterate()) {
		for (const [column, value] of Object.entries(row)) {
			const text = value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
			if (pattern.test(text)) console.log('database: ' + name + '.' + column);
		}
	}
}
`;

/**
 * Where an API key of a sandbox is to be read in what a running n8n has left: its log, its database
 * (executions, workflows, …) and the files of its data folder. The only place where it may be is the
 * encrypted credential, which nobody can read.
 */
export async function findKeys(n8n: Pick<N8n, 'logs' | 'dataDir'>): Promise<string[]> {
	const places = KEY.test(n8n.logs()) ? ['log'] : [];
	const { node } = await ensureN8n();
	for (const file of await filesOf(join(n8n.dataDir, '.n8n'))) {
		if (/\.sqlite-(wal|shm)$/.test(file)) continue;
		if (file.endsWith('.sqlite')) {
			const { stdout } = await promisify(execFile)(node, ['-e', READER, file, KEY.source]);
			places.push(...new Set(stdout.split('\n').filter(Boolean)));
		} else if (KEY.test(await readFile(file, 'latin1'))) {
			places.push(`file: ${relative(n8n.dataDir, file)}`);
		}
	}
	return places;
}

async function filesOf(folder: string): Promise<string[]> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
		.map(({ parentPath, name }) => join(parentPath, name));
}

/** Whether a key of a sandbox is in a value, however deep. */
export function holdsKey(value: unknown): boolean {
	return KEY.test(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
}
