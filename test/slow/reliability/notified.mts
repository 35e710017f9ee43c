import { setTimeout as delay } from 'node:timers/promises';

import { STARTING } from '../../support/n8n/n8n.mts';
import type { Delivery } from '../../support/sandbox/notifier.mts';
import { type Kill, UNTIL_CREATED_MS } from './gaps.mts';
import type { Listener } from './listener.mts';

/** Notifications that are repeated, of each time. */
const REPEATED = 20;
const MOST_TRIES = 10;
const PAUSE_MS = 1_000;
const LONGEST_ANSWER_MS = 30_000;
/** Attempts that are told of an id. */
const MAX_TOLD = 8;

/** Whether the trigger has taken a notification, as far as its sender knows. */
export function isTakenBy(listener: Listener) {
	return ({ url, outcome, answer }: Delivery) =>
		url === listener.url && outcome === 200 && !answer.startsWith(STARTING);
}

/**
 * Notifies again of what was taken after the last kill, and so long before it that n8n has saved it: the
 * trigger remembers both, and starts nothing.
 * @returns what it did not take: the id, and what the last of some answers was
 */
export async function notifyAgain(
	taken: readonly Delivery[],
	{ at, overAt }: Kill,
): Promise<string[]> {
	const before = taken.filter((one) => one.at < at - UNTIL_CREATED_MS).slice(-REPEATED);
	const after = taken.filter((one) => one.at > overAt).slice(-REPEATED);
	const refused: string[] = [];
	// One after another, as the trigger bounds what comes at once.
	for (const delivery of [...before, ...after]) {
		const answer = await untilTaken(delivery);
		if (answer !== undefined) refused.push(`${delivery.id}: ${answer}`);
	}
	return refused;
}

/** A busy n8n answers any call that its database is not ready. @returns the last answer that was no 200 */
async function untilTaken({ url, body, contentType }: Delivery): Promise<string | undefined> {
	let answer: string | undefined;
	for (let tries = 0; tries < MOST_TRIES; tries++) {
		if (tries > 0) await delay(PAUSE_MS);
		const headers = { 'content-type': contentType };
		const signal = AbortSignal.timeout(LONGEST_ANSWER_MS);
		answer = await fetch(url, { method: 'POST', headers, body, signal }).then(
			async (response) =>
				response.status === 200 ? undefined : `${response.status} ${await response.text()}`,
			String,
		);
		if (answer === undefined) break;
	}
	return answer;
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
