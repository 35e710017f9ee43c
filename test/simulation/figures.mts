import type { Measured } from '../support/figures.mts';
import { isTaken, type Course, type Try } from './run.mts';
import type { Sent } from './wire.mts';

/** What happened in all schedules together. */
export class Figures {
	readonly #rows = new Map<string, number>();

	/** Adds what happened in one schedule, and what was found wrong with it. */
	add(course: Course, violations: readonly string[]): void {
		const { tries, wire, charges, chargedTwice, schedule } = course;
		const sent = (is: (post: Sent) => boolean) => wire.posts.filter(is).length;
		this.#count('Schedules', 1);
		this.#count('Input items', schedule.items.length);
		this.#count(
			'… with the id of an earlier search',
			schedule.earlierIds.filter((id) => id !== undefined).length,
		);
		this.#count('Runs of the node', tries.length);
		this.#count('Retries, by Retry On Fail or the Retry button', tries.length - 1);
		this.#count(
			'… of a run that succeeded, as its first item has a field `error`',
			tries.slice(0, -1).filter((run) => isTaken(run) && isSuccess(run)).length,
		);
		this.#count('Executions parked', tries.some(({ isParked }) => isParked) ? 1 : 0);
		this.#count('Cancellations', tries.some(({ isCancelled }) => isCancelled) ? 1 : 0);
		this.#count('Submissions sent', wire.posts.length);
		this.#count(
			'… answered 429',
			sent(({ status }) => status === 429),
		);
		this.#count(
			'… with the connection refused',
			sent(({ broken }) => broken === 'ECONNREFUSED'),
		);
		this.#count(
			'… with the connection reset',
			sent(({ broken }) => broken === 'ECONNRESET'),
		);
		this.#count(
			'… not answered in time',
			sent(({ broken }) => broken === 'ECONNABORTED'),
		);
		this.#count(
			'… cut off by a cancellation',
			sent(({ broken }) => broken === 'ERR_CANCELED'),
		);
		this.#count(
			'… of unknown fate, in all',
			sent(({ fate }) => fate === 'unknown'),
		);
		this.#count('Searches charged', charges.flatMap(({ searches }) => searches).length);
		this.#count(
			'Credits charged',
			charges.reduce((sum, { credits }) => sum + credits, 0),
		);
		this.#count('Searches charged twice', chargedTwice.length);
		this.#count('Ids received', wire.ids.size);
		this.#count('Ids lost', violations.filter((text) => text.startsWith('id lost')).length);
		this.#count('Schedules in which a rule was broken', violations.length > 0 ? 1 : 0);
	}

	#count(name: string, more: number): void {
		this.#rows.set(name, (this.#rows.get(name) ?? 0) + more);
	}

	toMeasured(): Measured {
		return { tables: [{ head: ['In all schedules', 'Number'], rows: [...this.#rows] }] };
	}
}

/** Whether the first item is no failure, whatever else it has. */
function isSuccess({ items: [first] }: Try): boolean {
	return first?.json.status !== undefined;
}
