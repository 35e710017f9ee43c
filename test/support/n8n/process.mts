import { readFile } from 'node:fs/promises';

import { spawnGroup, type ProcessGroup } from '../processes/group.mts';
import type { InstalledN8n } from './install.mts';

const STOP_TIMEOUT_MS = 15_000;
const LOG_TAIL_LINES = 40;

/** One process of n8n (`start`, `worker`, …) that can be ended and launched again. */
export class N8nProcess {
	#group: ProcessGroup | undefined;
	#log = '';

	/** @param env its whole environment */
	constructor(
		private readonly installed: InstalledN8n,
		private readonly args: string[],
		private readonly env: Record<string, string>,
		private readonly cwd: string,
	) {}

	launch(): void {
		const group = spawnGroup(this.installed.node, [this.installed.bin, ...this.args], {
			cwd: this.cwd,
			env: this.env,
			onOutput: (text) => (this.#log += text),
		});
		this.#group = group;
		void group.exited.then(() => (this.#group = undefined));
	}

	get isRunning(): boolean {
		return this.#group !== undefined;
	}

	/** Ends it if it runs: in order with SIGTERM, and by force where that takes too long. */
	async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
		const group = this.#group;
		if (!group) return;
		group.kill(signal);
		const force = setTimeout(() => group.kill('SIGKILL'), STOP_TIMEOUT_MS);
		await group.exited;
		clearTimeout(force);
	}

	/** All that it printed, over all launches. */
	logs(): string {
		return this.#log;
	}

	/** The end of the log, to be put in an error. */
	logTail(): string {
		const lines = this.#log.trimEnd().split('\n').slice(-LOG_TAIL_LINES);
		return `Log of n8n ${this.args.join(' ')}:\n${lines.join('\n')}`;
	}

	/** Of the process itself, while it runs. */
	get pid(): number | undefined {
		return this.#group?.pid();
	}

	/** Seconds that it has had a core for since it was launched. Linux only. */
	async cpuSeconds(): Promise<number> {
		const stat = await readFile(`/proc/${this.pid}/stat`, 'utf8');
		// Behind the command, which may have spaces in it: user and system time, in hundredths of a second.
		const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		return (Number(fields[11]) + Number(fields[12])) / 100;
	}

	/** Resident memory in bytes, without its task runner, which is another process. Linux only. */
	async memory(): Promise<number> {
		const status = await readFile(`/proc/${this.pid}/status`, 'utf8');
		const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
		if (kilobytes === undefined) throw new Error('The process does not say how big it is.');
		return Number(kilobytes) * 1024;
	}
}
