export interface ProcessLook {
	command: string;
	/** A letter, of which `Z` is a zombie. */
	state: string;
	parent: number;
}

/** A process by its id; undefined where it is gone. */
export function lookAt(pid: number): ProcessLook | undefined;

/** Whether a process still runs: a zombie does not. */
export function isAlive(pid: number): boolean;

/** A living process and all below it. Linux only. */
export function family(pid: number): number[];
