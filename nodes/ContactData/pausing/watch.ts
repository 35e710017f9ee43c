import { inTurns } from '../common/bounds';
import type { Lookup } from '../lookups/types';
import type { AcceptedOrder } from '../orders/order';
import type { Connection } from '../service/request';
import { type Ended, hasEnded, type Shown } from '../service/state';
import {
	FIRST_TIMEOUT_MS,
	isRefusedForGood,
	lookAt,
	MAX_CONCURRENT_READS,
	type Target,
	targetOf,
} from '../waiting/wait';

/** A read may take so many times as long as the first one; any look ends in five minutes. */
const MOST_PATIENCE = 8;

/** Shared by all pauses of the process. */
const readInTurn = inTurns(MAX_CONCURRENT_READS);

/** What a process knows of a pause: its ids, and a result only where it waits for one search. One at a time looks at them. */
export class Watch {
	/** What has not been seen to end, in the order of submission. */
	private readonly open = new Map<string, Target & { refusedLooks: number }>();
	/** What the service refuses for good to tell of. */
	private readonly lost = new Set<string>();
	private isUnderWay = false;
	private isCalledAgain = false;
	/** Looks in a row that failed. */
	private failedLooks = 0;
	/** How many times as long as the first one a read may take. */
	private patience = 1;
	/** Of all that it waits for. */
	readonly idCount: number;
	/** Of a pause for one single search, as most are: what was seen. Results of more would fill the memory. */
	readonly onlyResult?: Map<string, Ended>;

	constructor(lookup: Lookup, orders: readonly AcceptedOrder[]) {
		for (const order of orders) {
			const { id, size } = targetOf(lookup, order);
			// Not spread: that takes more than twice the memory.
			this.open.set(id, { lookup, size, id, refusedLooks: 0 });
		}
		this.idCount = this.open.size;
		if (this.idCount === 1 && orders[0]?.size === 'single') this.onlyResult = new Map();
	}

	get openCount(): number {
		return this.open.size;
	}

	get faults(): number {
		return this.failedLooks;
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
	async look(connection: Connection, results = this.onlyResult): Promise<Shown | undefined> {
		this.isUnderWay = true;
		try {
			for (;;) {
				this.isCalledAgain = false;
				const unfinished = await this.lookOnce(connection, results);
				this.failedLooks = unfinished?.kind === 'fault' ? this.failedLooks + 1 : 0;
				if (unfinished === undefined || !this.isCalledAgain) return unfinished;
			}
		} finally {
			this.isUnderWay = false;
		}
	}

	private async lookOnce(
		connection: Connection,
		results?: Map<string, Ended>,
	): Promise<Shown | undefined> {
		const targets = [...this.open.values()].reverse();
		let from = 0;
		for (let count = 1; from < targets.length; count = Math.min(2 * count, MAX_CONCURRENT_READS)) {
			const some = targets.slice(from, (from += count));
			const seen = await Promise.all(
				some.map(async (target) => {
					const shown = await this.read(connection, target);
					const isLost = isRefusedForGood(target, shown);
					if (hasEnded(shown)) results?.set(target.id, shown);
					else if (!isLost) return shown;
					else this.lost.add(target.id);
					this.open.delete(target.id);
					return undefined;
				}),
			);
			const unfinished = seen.find((shown) => shown !== undefined);
			if (unfinished !== undefined) return unfinished;
		}
		return undefined;
	}

	/** What has taken too long may take twice as long next time, also to be read again when it has ended. */
	async read(connection: Connection, target: Target): Promise<Shown> {
		const timeoutMs = FIRST_TIMEOUT_MS[target.size] * this.patience;
		const shown = await readInTurn(async () => await lookAt(connection, target, timeoutMs));
		const isSlow = shown.kind === 'fault' && shown.fault === 'passing';
		if (isSlow) this.patience = Math.min(2 * this.patience, MOST_PATIENCE);
		return shown;
	}
}
