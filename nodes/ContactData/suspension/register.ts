import { monotonicMs } from '../common/clock';
import { pause } from '../common/pause';
import type { LastingConnection } from '../input/credential';
import type { Lookup, Size } from '../lookups/types';
import { MAX_CONCURRENT_READS } from '../waiting/look';
import type { FollowedExecution } from './followUp';
import { followUp } from './followUp';
import { FIRST_LOOK_MS, SOON_MS } from './schedule';

/** What a process keeps of an execution that it has parked: none of its items, nothing of its data. */
export interface ParkedExecution extends Pick<
	FollowedExecution,
	'executionId' | 'ids' | 'lookup' | 'size' | 'resumeUrl' | 'estimateMs'
> {
	/** For how long it is looked at, in milliseconds from now. */
	forMs: number;
}

/** What executions with the same credential and key share: the latest connection of them. */
interface SharedConnection {
	connection: LastingConnection;
}

interface Entry extends FollowedExecution {
	/** That it takes in memory. */
	bytes: number;
	way: SharedConnection;
}

/** Looks begin in turns, as many as may be under way at once. */
const TURN_MS = 500;
/** The timer goes off this often at least, while anything is parked. */
const MAX_SLEEP_MS = 5_000;
const MAX_EXECUTIONS = 10_000;
const MAX_BYTES = 16_000_000;
/** Of an execution in memory, besides its ids and its URL. */
const BYTES_OF_ENTRY = 500;

/**
 * The executions that this process has parked. It makes up for callbacks that are lost, or come too
 * early: it looks at their lookups now and then, and calls the executions whose lookups are finished,
 * as the service would have done. A restart forgets it; callbacks and the deadline are left then.
 */
export class ParkedRegister {
	private readonly entries = new Map<string, Entry>();
	private readonly ways = new Map<string, SharedConnection>();
	private readonly underWay = new Set<Entry>();
	private bytes = 0;
	/** When the timer goes off, by the monotonic clock. */
	private wakesAt = Infinity;
	private lastTurnAt = -Infinity;

	/**
	 * @param connection of the execution; the latest of a credential serves all, as it keeps a whole
	 *   execution in memory
	 */
	add(execution: ParkedExecution, connection: LastingConnection): void {
		const now = monotonicMs();
		const account = connection.account.fingerprint;
		this.forget(execution.executionId);
		const way = this.wayBy(connection);
		const entry: Entry = {
			...execution,
			bytes: bytesOf(execution),
			way,
			account,
			parkedAt: now,
			deadline: now + execution.forMs,
			nextLookAt: now + FIRST_LOOK_MS,
			faults: 0,
			calls: 0,
			notFound: 0,
			isTaken: false,
		};
		this.keep(entry);
		this.wakeBy(entry.nextLookAt);
	}

	private keep(entry: Entry): void {
		this.entries.set(entry.executionId, entry);
		this.bytes += entry.bytes;
		for (const [oldest] of this.entries) {
			if (this.entries.size <= MAX_EXECUTIONS && this.bytes <= MAX_BYTES) break;
			this.forget(oldest);
		}
	}

	forget(executionId: string): void {
		const entry = this.entries.get(executionId);
		if (entry === undefined) return;
		this.entries.delete(executionId);
		this.bytes -= entry.bytes;
		if (this.entries.size > 0) return;
		this.ways.clear();
		this.wakesAt = Infinity;
	}

	/**
	 * A callback, of the service or of this register, has resumed the execution.
	 * @param ids of what it waited for: it may wait for others by now
	 * @returns takes that back, where n8n could not resume it
	 */
	resumed(executionId: string, ids: string[]): () => void {
		const entry = this.entries.get(executionId);
		const waitedFor = new Set(ids);
		if (entry === undefined || !entry.ids.every((id) => waitedFor.has(id))) return () => {};
		this.forget(executionId);
		return () => {
			if (this.entries.has(executionId)) return;
			this.keep(entry);
			this.lookSoon(executionId);
		};
	}

	/** Something has called about the execution, and its end could not be seen yet. */
	lookSoon(executionId: string): void {
		const entry = this.entries.get(executionId);
		if (entry === undefined) return;
		entry.nextLookAt = Math.min(entry.nextLookAt, monotonicMs() + SOON_MS);
		this.wakeBy(entry.nextLookAt);
	}

	/** The lookup was seen to be finished elsewhere: what waits for nothing else is called at once. */
	finished(account: string, lookup: Lookup, size: Size, id: string): void {
		for (const entry of this.entries.values()) {
			if (entry.account !== account || entry.lookup !== lookup || entry.size !== size) continue;
			if (!entry.ids.includes(id)) continue;
			entry.ids = entry.ids.filter((other) => other !== id);
			if (entry.ids.length === 0) {
				// Before all that is only due for a look.
				entry.nextLookAt = 0;
				this.wakeBy(entry.nextLookAt);
			}
		}
	}

	/** Sets the one timer, unless it goes off soon enough. One that was set for later then does nothing. */
	private wakeBy(time: number): void {
		const now = monotonicMs();
		const at = Math.min(now + MAX_SLEEP_MS, Math.max(now, time, this.lastTurnAt + TURN_MS));
		if (this.wakesAt <= at) return;
		this.wakesAt = at;
		void pause(at - now).then(() => {
			if (this.wakesAt === at) this.takeTurn();
		});
	}

	private takeTurn(): void {
		const now = monotonicMs();
		this.lastTurnAt = now;
		this.wakesAt = Infinity;
		this.dropUnneeded(now);
		const due = this.idle()
			.filter((entry) => entry.nextLookAt <= now)
			.sort((one, other) => one.nextLookAt - other.nextLookAt);
		const places = MAX_CONCURRENT_READS - this.underWay.size;
		for (const entry of this.inTurns(due).slice(0, places)) void this.follow(entry);
		if (this.entries.size === 0) return;
		this.wakeBy(this.idle().reduce((at, entry) => Math.min(at, entry.nextLookAt), Infinity));
	}

	/** All that is not being looked at. */
	private idle(): Entry[] {
		return [...this.entries.values()].filter((entry) => !this.underWay.has(entry));
	}

	/** The account with the fewest under way first: the service of another may hang. */
	private inTurns(due: Entry[]): Entry[] {
		const counts = new Map<string, number>();
		const next = (account: string) => {
			const count = counts.get(account) ?? 0;
			counts.set(account, count + 1);
			return count;
		};
		for (const { account } of this.underWay) next(account);
		return due
			.map((entry) => ({ entry, turn: next(entry.account) }))
			.sort((one, other) => one.turn - other.turn)
			.map(({ entry }) => entry);
	}

	private async follow(entry: Entry): Promise<void> {
		const isStillParked = () => this.entries.get(entry.executionId) === entry;
		const mostReads = () => Math.max(1, Math.floor(MAX_CONCURRENT_READS / this.underWay.size));
		this.underWay.add(entry);
		const isOver = await followUp(entry, entry.way.connection, { isStillParked, mostReads });
		this.underWay.delete(entry);
		if (!isStillParked()) return;
		if (isOver) this.forget(entry.executionId);
		else this.wakeBy(entry.nextLookAt);
	}

	private dropUnneeded(now: number): void {
		const needed = new Set<SharedConnection>();
		for (const { executionId, deadline, way } of this.entries.values()) {
			if (deadline <= now) this.forget(executionId);
			else needed.add(way);
		}
		for (const [name, way] of this.ways) {
			if (!needed.has(way)) this.ways.delete(name);
		}
	}

	/** Another credential may have the same key, and be deleted. */
	private wayBy(connection: LastingConnection): SharedConnection {
		const name = `${connection.account.fingerprint} ${connection.credentialId}`;
		const way = this.ways.get(name) ?? { connection };
		way.connection = connection;
		this.ways.set(name, way);
		return way;
	}
}

function bytesOf({ ids, resumeUrl }: ParkedExecution): number {
	const ofIds = ids.reduce((sum, { length }) => sum + length, 0);
	return BYTES_OF_ENTRY + ofIds + resumeUrl.length;
}

/** Of this process. */
export const register = new ParkedRegister();
