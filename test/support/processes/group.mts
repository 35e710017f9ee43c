import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** How a command ended: one of `code` and `signal` is set; `code` is -1 when it never started. */
export interface Exit {
	code: number | null;
	signal: NodeJS.Signals | null;
}

/** A command running with all its children in a process group that cannot outlive this process. */
export interface ProcessGroup {
	/** Process id of the command itself, once it runs. */
	pid(): number | undefined;
	/** Sends a signal to the command and all its children. SIGKILL is always final. */
	kill(signal: NodeJS.Signals): void;
	/** Resolves when the command has ended and nothing of its group is left. */
	exited: Promise<Exit>;
}

interface GroupOptions {
	cwd: string;
	env: NodeJS.ProcessEnv;
	/** Gets what the command and its children print, stdout and stderr together. */
	onOutput: (text: string) => void;
}

type Message = { pid: number } | { error: string } | Exit;

const LAUNCHER = fileURLToPath(new URL('group.mjs', import.meta.url));

/**
 * Starts a command in a process group of its own. The group is killed when this process ends for
 * whatever reason, also by kill -9: the launcher at its head watches the channel to us.
 */
export function spawnGroup(command: string, args: string[], options: GroupOptions): ProcessGroup {
	const launcher = spawn(process.execPath, [LAUNCHER, command, ...args], {
		cwd: options.cwd,
		env: options.env,
		detached: true,
		stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
	});
	let pid: number | undefined;
	let exit: Exit = { code: null, signal: 'SIGKILL' };

	launcher.stdout?.setEncoding('utf8').on('data', options.onOutput);
	launcher.stderr?.setEncoding('utf8').on('data', options.onOutput);
	launcher.on('message', (message: Message) => {
		if ('pid' in message) pid = message.pid;
		else if ('error' in message) {
			options.onOutput(`${message.error}\n`);
			exit = { code: -1, signal: null };
		} else exit = message;
	});

	// Before whatever else is done at the exit, such as removing its folder.
	const killAtExit = () => signalGroup(launcher.pid, 'SIGKILL');
	process.prependListener('exit', killAtExit);
	// 'close' comes when the last holder of the pipes is gone, not just the launcher.
	launcher.once('close', () => process.off('exit', killAtExit));
	return {
		pid: () => pid,
		kill: (signal) => signalGroup(launcher.pid, signal),
		exited: new Promise((resolve) => launcher.once('close', () => resolve(exit))),
	};
}

function signalGroup(leader: number | undefined, signal: NodeJS.Signals): void {
	if (leader === undefined) return;
	try {
		process.kill(-leader, signal);
	} catch (error) {
		if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
	}
}
