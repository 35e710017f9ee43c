import { inTurns } from '../common/bounds';
import type { Lookup } from '../lookups/types';
import type { AcceptedOrder } from '../orders/order';
import type { Connection } from '../service/request';
import { type Ended, hasEnded, type Shown } from '../service/state';
import {
	countLook,
	type Failed,
	FIRST_TIMEOUT_MS,
	lookOnce,
	MAX_CONCURRENT_READS,
	type Target,
	targetOf,
} from '../waiting/look';

/** A read may take so many times as long as the first one; any look ends in five minutes. */
const MOST_PATIENCE = 8;

/** Shared by all pauses of the process. */
const readInTurn = inTurns(MAX_CONCURRENT_READS);

/** What a look at a pause has come to, where something may still run. */
export interface Unfinished {
	shown: Shown;
	failed: Failed;
}

/** What a process knows of a pause: its ids, and a result only where it waits for one search. One at a time looks at them. */
export class Watch {
	/** What has not been seen to end, in the order of submission. */
	private readonly open = new Map<string, Target & Failed>();
	/** What the service refuses for good to tell of. */
	private readonly lost = new Set<string>();
	private isUnderWay = false;
	private isCalledAgain = false;
	/** How many times as long as the first one a read may take. */
	private patience = 1;
	/** Of all that it waits for. */
	readonly idCount: number;
	/** Of a pause for one single search, as most are: what was seen. Results of more would fill the memory. */
	readonly onlyResult?: Map<string, Ended>;

	constructor(lookup: Lookup, orders: readonly AcceptedOrder[]) {
		for (const order of orders) {
			const { id, size } = targetOf(lookup, order);
			// Neither spread nor nested: that takes more than twice the memory.
			this.open.set(id, { lookup, size, id, faults: 0, refusals: 0 });
		}
		this.idCount = this.open.size;
		if (this.idCount === 1 && orders[0]?.size === 'single') this.onlyResult = new Map();
	}

	get openCount(): number {
		return this.open.size;
	}

	isLost(id: string): boolean {
		return this.lost.has(id);
	}

	/** Whether somebody looks right now. */
	get isLooking(): boolean {
		return this.isUnderWay;
	}

	/** @returns whether somebody looks already, who then looks once more */
	joinLook(): boolean {
		this.isCalledAgain ||= this.isUnderWay;
		return this.isUnderWay;
	}

	/**
	 * Looks at what may still run: the last submission first, as it is likely to end last, then twice as many
	 * each time all of them have ended.
	 * @param results gets what is seen to have ended
	 * @returns one that has not; `undefined` when all have
	 */
	async look(connection: Connection, results = this.onlyResult): Promise<Unfinished | undefined> {
		this.isUnderWay = true;
		try {
			for (;;) {
				this.isCalledAgain = false;
				const unfinished = await this.lookAtOpen(connection, results);
				if (unfinished === undefined || !this.isCalledAgain) return unfinished;
			}
		} finally {
			this.isUnderWay = false;
		}
	}

	private async lookAtOpen(
		connection: Connection,
		results?: Map<string, Ended>,
	): Promise<Unfinished | undefined> {
		const targets = [...this.open.values()].reverse();
		let from = 0;
		for (let count = 1; from < targets.length; count = Math.min(2 * count, MAX_CONCURRENT_READS)) {
			const some = targets.slice(from, (from += count));
			const seen = await Promise.all(
				some.map(async (target): Promise<Unfinished | undefined> => {
					const shown = await this.read(connection, target);
					if (!countLook(target, shown)) return { shown, failed: target };
					if (hasEnded(shown)) results?.set(target.id, shown);
					else this.lost.add(target.id);
					this.open.delete(target.id);
					return undefined;
				}),
			);
			const unfinished = seen.find((one) => one !== undefined);
			if (unfinished !== undefined) return unfinished;
		}
		return undefined;
	}

	/** What has taken too long may take twice as long next time, also to be read again when it has ended. */
	async read(connection: Connection, target: Target): Promise<Shown> {
		const timeoutMs = FIRST_TIMEOUT_MS[target.size] * this.patience;
		const shown = await readInTurn(async () => await lookOnce(connection, target, timeoutMs));
		const isSlow = shown.kind === 'fault' && shown.fault === 'passing';
		if (isSlow) this.patience = Math.min(2 * this.patience, MOST_PATIENCE);
		return shown;
	}
}
