// `npm run renew`: the output previews and the JSON in the pages, as runs of the node give them. It writes
// all of it, or nothing where one of its tests fails.
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ROOT, runCommand } from '../support/cli/bootstrap.mjs';

const TESTS = ['test/contract/docs/previews', 'test/contract/docs/readme'];

const RENEW_INTO = await mkdtemp(join(tmpdir(), 'contact-data-renew-'));
try {
	const env = { ...process.env, RENEW_INTO };
	const command = ['npx', 'vitest', 'run', '--project', 'contract', ...TESTS];
	if ((await runCommand(command, undefined, { env })) === 0) {
		await cp(RENEW_INTO, ROOT, { recursive: true });
	} else {
		console.error('Nothing was written.');
		process.exitCode = 1;
	}
} finally {
	await rm(RENEW_INTO, { recursive: true, force: true });
}
