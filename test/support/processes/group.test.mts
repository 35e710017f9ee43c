import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const LAUNCHER = fileURLToPath(new URL('group.mjs', import.meta.url));
/** Longer than the test: its own end must not be what ends the group. */
const COMMAND_MS = 60_000;

it('ends the command of a parent that is gone before the command has begun', async () => {
	const command = [process.execPath, '-e', `setTimeout(() => {}, ${COMMAND_MS})`];
	const leader = spawn(process.execPath, [LAUNCHER, ...command], {
		detached: true,
		stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
	});
	leader.disconnect();
	const ended: unknown[] = await once(leader, 'exit', { signal: AbortSignal.timeout(COMMAND_MS) });
	// Which it sends to all of its group.
	expect(ended).toEqual([null, 'SIGKILL']);
});
