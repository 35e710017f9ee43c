import { spawn, type ChildProcess } from 'node:child_process';
import { cp, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';

import { temporaryFolder, type TemporaryFolder } from '../support/n8n/folder.mts';
import { family, isAlive } from '../support/processes/tree.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NOT_COPIED = ['node_modules', '.git', 'dist'];
/** Only what hangs takes so long. */
const PATIENT = { timeout: 60_000, interval: 100 };

interface Run {
	child: ChildProcess;
	output: () => string;
	code: Promise<number | null>;
}

const runs: Run[] = [];

/** A copy of the repository, in a folder whose path has a space, as a user's may have. */
let copy: TemporaryFolder;
beforeAll(async () => {
	copy = await temporaryFolder('with a space');
	await cp(ROOT, copy.path, {
		recursive: true,
		filter: (path) => !NOT_COPIED.includes(basename(path)),
	});
	await symlink(join(ROOT, 'node_modules'), join(copy.path, 'node_modules'));
});
afterAll(async () => await copy.remove());

function demo(...args: string[]): Run {
	const launch = join(copy.path, 'test/support/cli/launch.mjs');
	const child = spawn(process.execPath, [launch, 'tools/demo/main', ...args], {
		stdio: ['ignore', 'pipe', 'pipe'],
		// vitest sets variables of its own, which a user does not have.
		env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR },
	});
	let printed = '';
	child.stdout?.on('data', (text) => (printed += text));
	child.stderr?.on('data', (text) => (printed += text));
	const run = {
		child,
		output: () => printed,
		code: new Promise<number | null>((resolve) => child.once('close', resolve)),
	};
	runs.push(run);
	return run;
}

async function untilPrinted(run: Run, text: string): Promise<void> {
	await vi.waitFor(() => expect(run.output()).toContain(text), { timeout: 150_000, interval: 50 });
}

afterEach(() => {
	for (const { child } of runs.splice(0)) child.kill('SIGKILL');
});

it('shows the table and exits with 0 when the result is right', async () => {
	const run = demo('--once');
	expect(await run.code, run.output()).toBe(0);
	expect(run.output()).toMatch(/│ Mei-Ling Chen +│ jadebridge\.example +│ mei\.ling\.chen@/);
	expect(run.output()).toMatch(
		/^5 emails verified, 4 found, 1 not found · 6\.5 credits spent, 1 refunded · [\d.]+ seconds$/m,
	);
});

it('killed, leaves no process behind', { tags: 'long' }, async () => {
	const run = demo();
	await untilPrinted(run, 'Ctrl-C ends it');
	const { pid } = run.child;
	if (pid === undefined) throw new Error('The demo did not start.');
	const processes = family(pid);
	// The launcher and n8n itself, at least.
	expect(processes.length).toBeGreaterThanOrEqual(3);
	process.kill(pid, 'SIGKILL');
	await vi.waitFor(() => expect(processes.filter(isAlive)).toEqual([]), PATIENT);
});
