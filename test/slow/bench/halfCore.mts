import { execFileSync, spawn } from 'node:child_process';

import type { N8n } from '../../support/n8n/n8n.mts';

/** Half of the first core for n8n, as on a small server: another process takes the rest. The others share the second one. */
export function giveHalfCore(n8n: N8n): { stop: () => void } {
	const pin = (core: number, pid: number | undefined) =>
		execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', `${core}`, `${pid}`]);
	pin(0, n8n.pid());
	pin(1, process.pid);
	const burner = spawn('taskset', ['--cpu-list', '0', process.execPath, '-e', 'for (;;);']);
	return { stop: () => burner.kill('SIGKILL') };
}
