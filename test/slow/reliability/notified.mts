import { STARTING } from '../../support/n8n/n8n.mts';
import type { Delivery } from '../../support/sandbox/notifier.mts';
import type { Kill } from './gaps.mts';
import type { Listener } from './listener.mts';

/** Notifications that are repeated at the end. */
const REPEATED = 20;
/** Attempts that are told of an id. */
const MAX_TOLD = 8;

/** Whether the trigger has taken a notification, as far as its sender knows. */
export function isTakenBy(listener: Listener) {
	return ({ url, outcome, answer }: Delivery) =>
		url === listener.url && outcome === 200 && !answer.startsWith(STARTING);
}

/**
 * Notifies again of what was taken after the last kill: the trigger remembers it, and starts nothing.
 * @returns the ids that it did not take
 */
export async function notifyAgain(taken: readonly Delivery[], calmFrom: number): Promise<string[]> {
	const latest = taken.filter(({ at }) => at > calmFrom).slice(-REPEATED);
	const refused: string[] = [];
	// One after another, as the trigger bounds what comes at once.
	for (const { id, url, body, contentType } of latest) {
		const headers = { 'content-type': contentType };
		const { status } = await fetch(url, { method: 'POST', headers, body });
		if (status !== 200) refused.push(id);
	}
	return refused;
}

/** Each attempt to notify of an id, and the first kill after it. */
export function traceOf(
	id: string,
	deliveries: readonly Delivery[],
	kills: readonly Kill[],
): string {
	const attempts = deliveries.filter((one) => one.id === id);
	const told = attempts.slice(-MAX_TOLD).map(({ at, url, attempt, outcome, answer }) => {
		const kill = kills.find((one) => one.at >= at);
		const until = kill === undefined ? 'no kill after it' : `${kill.at - at} ms before a kill`;
		const result = typeof outcome === 'number' ? outcome : outcome.error;
		return `${new Date(at).toISOString()} ${new URL(url).pathname} attempt ${attempt}: ${result} ${answer.slice(0, 80)} (${until})`;
	});
	return [`${id}, ${attempts.length} attempts`, ...told].join('\n  ');
}
