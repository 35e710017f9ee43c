// Looks at processes that others started. Plain JavaScript, so that it needs no package installed.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export function lookAt(pid) {
	try {
		if (process.platform === 'linux') {
			// `pid (command) state parent …`, and a command may have brackets in it.
			const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
			const [, command, state, parent] = /\((.*)\) (\S+) (\d+)/s.exec(stat);
			return { command, state, parent: Number(parent) };
		}
		const columns = ['-o', 'ppid=,state=,comm=', '-p', String(pid)];
		const line = execFileSync('ps', columns, { encoding: 'utf8' });
		const [, parent, state, command] = /(\d+) +(\S+) +(.*)/.exec(line);
		return { command, state, parent: Number(parent) };
	} catch {
		return undefined;
	}
}

export function isAlive(pid) {
	const seen = lookAt(pid);
	return seen !== undefined && !seen.state.startsWith('Z');
}

export function family(pid) {
	const children = readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name))
		.filter((name) => lookAt(name)?.parent === pid);
	return [pid, ...children.flatMap((child) => family(Number(child)))];
}
