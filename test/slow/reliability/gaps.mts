/** An id that is in no execution. */
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

/** Longer than n8n takes from the answer of the trigger to saving the execution. */
export const UNTIL_CREATED_MS = 10_000;
/** The answer reaches the sender a moment after n8n has gone on. */
const ON_ITS_WAY_MS = 1_000;

/**
 * Traces ids that are in no execution.
 *
 * @param emptiedAt when n8n created the executions of the trigger that have no id in them; each
 *   accounts for one missing id at most
 * @param killedAt when the process was killed that saves executions
 * @param untilSavedMs what it took, from the answer of the trigger, to save an execution
 */
export function traceGaps(
	missing: readonly Missing[],
	emptiedAt: readonly number[],
	killedAt: readonly number[],
	untilSavedMs: number,
): Gaps {
	const gaps = { emptied: [] as string[], unsaved: [] as string[], lost: [] as string[] };
	const left = [...emptiedAt].sort((one, other) => one - other);
	const byTime = [...missing].sort((one, other) => (one.takenAt ?? 0) - (other.takenAt ?? 0));
	for (const { id, takenAt } of byTime) {
		if (takenAt === undefined) {
			gaps.lost.push(id);
			continue;
		}
		const within = (time: number, ms: number) =>
			time >= takenAt - ON_ITS_WAY_MS && time < takenAt + ms;
		const emptied = left.findIndex((time) => within(time, UNTIL_CREATED_MS));
		if (emptied >= 0) {
			left.splice(emptied, 1);
			gaps.emptied.push(id);
		} else if (killedAt.some((time) => within(time, untilSavedMs))) gaps.unsaved.push(id);
		else gaps.lost.push(id);
	}
	return gaps;
}
