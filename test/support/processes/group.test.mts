import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const LAUNCHER = fileURLToPath(new URL('group.mjs', import.meta.url));

it('ends the command of a parent that is gone before the command has begun', async () => {
	const command = [process.execPath, '-e', 'setTimeout(() => {}, 5_000)'];
	const leader = spawn(process.execPath, [LAUNCHER, ...command], {
		detached: true,
		stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
	});
	leader.disconnect();
	const ended: unknown[] = await once(leader, 'exit');
	// Which it sends to all of its group.
	expect(ended).toEqual([null, 'SIGKILL']);
});
