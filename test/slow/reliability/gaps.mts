/** One kill: when it struck, and when what was killed was back. In ms since 1970. */
export interface Kill {
	readonly at: number;
	readonly overAt: number;
}

/** An id that the trigger has started no execution with, as far as n8n knows. */
export interface Missing {
	readonly id: string;
	/** When the trigger took its notification, in ms since 1970. */
	readonly takenAt: number | undefined;
}

/** How n8n came to lose ids that its trigger had taken. */
export interface Gaps {
	/** The execution that the trigger had started was killed: n8n keeps none of its data. */
	readonly emptied: readonly string[];
	/** n8n was killed before it had saved that execution, which it does after the answer. */
	readonly unsaved: readonly string[];
	/** None of these. */
	readonly lost: readonly string[];
}

/** An execution of the trigger that n8n keeps without its data. Times are in ms since 1970. */
export interface Emptied {
	readonly createdAt: number;
	/** In queue mode it may wait for its turn. */
	readonly startedAt: number;
}

/** What n8n, or some of it, went through. Times are in ms since 1970. */
export interface Troubles {
	/** The executions of the trigger that have no id in them. */
	readonly emptied: readonly Emptied[];
	/** Of any process. */
	readonly kills: readonly Kill[];
	/** Whether they hit the process that saves executions. */
	readonly killsSaving: boolean;
	/** What it took, from the answer of the trigger, until an execution was saved. */
	readonly untilSavedMs: number;
}

/** Longer than n8n takes from the answer of the trigger to saving the execution. */
export const UNTIL_CREATED_MS = 10_000;
/** An answer reaches the sender a moment after n8n has gone on. */
export const ON_ITS_WAY_MS = 3_000;

/**
 * Traces ids of which n8n knows no execution of the trigger. An execution without an id accounts for
 * one of them at most, and for none where nothing was killed at its time.
 */
export function traceGaps(missing: readonly Missing[], troubles: Troubles): Gaps {
	const { emptied, kills, killsSaving, untilSavedMs } = troubles;
	const gaps = { emptied: [] as string[], unsaved: [] as string[], lost: [] as string[] };
	const left = emptied
		.filter(({ startedAt }) => kills.some((kill) => isNear(kill, startedAt)))
		.map(({ createdAt }) => createdAt)
		.sort((one, other) => one - other);
	const byTime = [...missing].sort((one, other) => (one.takenAt ?? 0) - (other.takenAt ?? 0));
	for (const { id, takenAt } of byTime) {
		if (takenAt === undefined) {
			gaps.lost.push(id);
			continue;
		}
		const within = (time: number, ms: number) =>
			time >= takenAt - ON_ITS_WAY_MS && time < takenAt + ms;
		const itsOwn = left.findIndex((time) => within(time, UNTIL_CREATED_MS));
		if (itsOwn >= 0) {
			left.splice(itsOwn, 1);
			gaps.emptied.push(id);
		} else if (killsSaving && kills.some(({ at }) => within(at, untilSavedMs))) {
			gaps.unsaved.push(id);
		} else gaps.lost.push(id);
	}
	return gaps;
}

/** Whether an execution that began at this time may have been running when the kill struck, or n8n came back. */
export function isNear({ at, overAt }: Kill, time: number): boolean {
	return time >= at - UNTIL_CREATED_MS && time < overAt + UNTIL_CREATED_MS;
}
