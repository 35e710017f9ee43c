import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { ensureN8n } from '../../support/n8n/install.mts';

/** Holds the lock until its input ends, and so not longer than this process. */
const HOLDER = `
const { DatabaseSync } = require('node:sqlite');
const database = new DatabaseSync(process.argv[1]);
database.exec('PRAGMA busy_timeout = 30000; BEGIN EXCLUSIVE');
console.log('locked');
process.stdin.resume().on('end', () => process.exit());
`;

/** Locks n8n's SQLite database from another process, as a backup might; gives what unlocks it. */
export async function lockDatabase(dataDir: string): Promise<() => Promise<void>> {
	const { node } = await ensureN8n();
	const holder = spawn(node, ['-e', HOLDER, join(dataDir, '.n8n', 'database.sqlite')], {
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	await Promise.race([
		once(holder.stdout, 'data'),
		once(holder, 'exit').then(() => {
			throw new Error('The database could not be locked');
		}),
	]);
	return async () => {
		const ended = once(holder, 'exit');
		holder.stdin.end();
		await ended;
	};
}
