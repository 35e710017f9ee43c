import type { IWebhookFunctions } from 'n8n-workflow';
import { monotonicMs, sleepUnlessAborted } from '../common/time';
import { inTurns, RecentMap } from '../common/bounds';
import { ensureError } from '../common/errors';
import type { LastingConnection } from '../input/credential';
import type { Ended, Shown } from '../service/state';
import type { LookSource } from '../waiting/look';
import { FIRST_TIMEOUT_MS, lookAt, MAX_CONCURRENT_READS } from '../waiting/look';
import { nextLookAfterFaultMs, nextLookMs, PAUSED } from '../waiting/schedule';
import type { PausedWait, WaitedFor, Watch } from './pausedWait';
import { isBrought, noteEnd, readUnfinished, toPausedWait } from './pausedWait';
import { callResumeUrl, planNextCall } from './resumeCall';

/** About 20,000 executions of one search, or 40,000 searches of a few. */
const MAX_BYTES = 50_000_000;
/** Between two times that it looks at what is due, at least. */
const LEAST_SLEEP_MS = 500;
/** After pausing: a callback that comes before n8n has saved the execution is lost. */
export const FIRST_LOOK_MS = 3_000;
/** After a callback that has not resumed the execution. */
const SOON_MS = 2_000;
/** Before the deadline: what ends until the Timeout comes out, whatever became of its callback. */
const LAST_LOOK_MS = 15_000;

/** An execution that this process has paused. */
interface Paused extends WaitedFor, Pick<Watch, 'resumeUrl' | 'estimateMs'> {
	/** Milliseconds until the rest of the pause is left to n8n. */
	leftMs: number;
}

/**
 * The paused executions that this process knows of. It makes up for callbacks that are lost or come too
 * early: what this process has paused it looks at now and then, and resumes it when all has ended, as a
 * callback would have done. A restart forgets that; callbacks and the deadline are left then.
 */
export class Lookout {
	private readonly waits = new RecentMap<string, PausedWait>(MAX_BYTES, ({ bytes }) => bytes);
	/** Looks, and calls of resume URLs. */
	private readonly inTurn = inTurns(MAX_CONCURRENT_READS);
	/** When it looks at what is due; these times are of the monotonic clock, in milliseconds. */
	private wakesAt = Infinity;
	private wokeAt = -Infinity;

	/** @param connection of the execution, which it keeps in memory: so the latest of a credential serves all */
	add(paused: Paused, connection: LastingConnection): void {
		const now = monotonicMs();
		const wait = this.keep(toPausedWait(paused, now + paused.leftMs));
		wait.watch = {
			shared: this.share(connection),
			resumeUrl: paused.resumeUrl,
			estimateMs: paused.estimateMs,
			pausedAt: now,
			nextLookAt: now + FIRST_LOOK_MS,
			isUnderWay: false,
			faults: 0,
			calls: 0,
			isTaken: false,
		};
		this.wakeBy(wait.watch.nextLookAt);
	}

	find(executionId: string): PausedWait | undefined {
		return this.waits.get(executionId);
	}

	/**
	 * The wait that a callback is for. In queue mode another process has paused it.
	 * @returns `undefined` where the execution has the results, or waits for something else by now
	 */
	ofCallback(waitedFor: WaitedFor, leftMs: number): PausedWait | undefined {
		const { executionId, ids } = waitedFor;
		const known = this.find(executionId);
		if (ids.every((id) => known?.brought?.has(id))) return undefined;
		if (ids.every((id) => known?.fates.has(id))) return known;
		if (known?.watch !== undefined) return undefined;
		return this.keep(toPausedWait(waitedFor, monotonicMs() + leftMs, known?.brought));
	}

	/** Replaces an earlier wait of the same execution. */
	private keep(wait: PausedWait): PausedWait {
		this.dropOver();
		this.waits.set(wait.executionId, wait);
		return wait;
	}

	forget(executionId: string): void {
		this.waits.delete(executionId);
		this.stopIfIdle();
	}

	/** Something has called about the execution, and it was not resumed. */
	lookSoon(executionId: string): void {
		const watch = this.find(executionId)?.watch;
		if (watch === undefined) return;
		watch.nextLookAt = Math.min(watch.nextLookAt, monotonicMs() + SOON_MS);
		this.wakeBy(watch.nextLookAt);
	}

	/** A lookup was seen to have ended elsewhere: what waits for it is looked at at once. */
	noteEnded({ connection, lookup, size }: LookSource, id: string, fate: Ended): void {
		for (const wait of this.waits.values()) {
			const account = wait.watch?.shared.connection.account.fingerprint;
			if (account !== connection.account.fingerprint) continue;
			if (wait.lookup !== lookup || wait.size !== size || !wait.fates.has(id)) continue;
			noteEnd(wait, id, fate);
			if (wait.watch) wait.watch.nextLookAt = monotonicMs();
			void this.lookNow(wait);
		}
	}

	/**
	 * A callback brings the results. n8n lets others in until the execution runs, which its limit of
	 * executions at once may hold up for hours, and takes each that brings items: before 2.0 at any time,
	 * since then when the execution waits again. What follows would be paid for each time.
	 */
	noteBrought(context: IWebhookFunctions, wait: PausedWait): void {
		const brought = (wait.brought ??= new Set());
		for (const id of wait.fates.keys()) brought.add(id);
		const response = context.getResponseObject();
		// The event `finish` does not come where the sender has hung up.
		response.once('prefinish', () => {
			if (response.statusCode < 500) {
				wait.fates.clear();
				// Not `delete`: V8 would turn the object into a slower, larger map.
				wait.watch = undefined;
				this.stopIfIdle();
				return;
			}
			// n8n could not resume it.
			for (const id of wait.fates.keys()) brought.delete(id);
			this.lookSoon(wait.executionId);
		});
	}

	/** A timer that was set for later does nothing then. */
	private wakeBy(time: number): void {
		const now = monotonicMs();
		const at = Math.max(now, time, this.wokeAt + LEAST_SLEEP_MS);
		if (this.wakesAt <= at) return;
		this.wakesAt = at;
		void sleepUnlessAborted(Math.ceil(at - now)).then(() => {
			if (this.wakesAt === at) this.lookAtDue();
		});
	}

	private lookAtDue(): void {
		const now = monotonicMs();
		this.wokeAt = now;
		this.wakesAt = Infinity;
		this.dropOver();
		const dueAt = ({ watch }: PausedWait) => watch?.nextLookAt ?? Infinity;
		const due = [...this.waits.values()].filter((wait) => dueAt(wait) <= now);
		due.sort((one, other) => dueAt(one) - dueAt(other));
		for (const wait of due) void this.lookNow(wait);
		this.wakeBy([...this.waits.values()].reduce((at, wait) => Math.min(at, dueAt(wait)), Infinity));
	}

	private dropOver(): void {
		const now = monotonicMs();
		for (const { executionId, deadline } of this.waits.values()) {
			if (deadline <= now) this.waits.delete(executionId);
		}
		this.stopIfIdle();
	}

	private stopIfIdle(): void {
		for (const { watch } of this.waits.values()) if (watch) return;
		this.wakesAt = Infinity;
	}

	/** Not while a callback does the same. */
	private async lookNow(wait: PausedWait): Promise<void> {
		const { watch } = wait;
		if (watch === undefined || watch.isUnderWay || wait.isBeingRead) return;
		watch.isUnderWay = true;
		// What is heard meanwhile may bring the next look forward.
		watch.nextLookAt = wait.deadline;
		try {
			await this.follow(wait, watch);
		} catch (error) {
			watch.shared.connection.logger.warn(`A look failed: ${ensureError(error).message}`);
		}
		watch.isUnderWay = false;
		if (wait.watch === watch) this.wakeBy(watch.nextLookAt);
	}

	private async follow(wait: PausedWait, watch: Watch): Promise<void> {
		const { lookup, size } = wait;
		const isWaiting = () => this.find(wait.executionId) === wait && !isBrought(wait);
		let lookedAt = monotonicMs();
		const look = async (id: string): Promise<Shown> => {
			if (!isWaiting()) return STOPPED;
			lookedAt = monotonicMs();
			const source = { connection: watch.shared.connection, lookup, size };
			return await lookAt(source, id, FIRST_TIMEOUT_MS[size], wait.sent?.get(id));
		};
		const unfinished = await readUnfinished(
			wait,
			async (id) => await this.inTurn(async () => await look(id)),
		);
		if (!isWaiting()) return;
		if (unfinished !== undefined) {
			planNextLook(wait, watch, unfinished, lookedAt);
			return;
		}
		const answer = await this.inTurn(async () => await callResumeUrl(watch));
		if (isWaiting() && !planNextCall(wait.executionId, watch, answer))
			this.forget(wait.executionId);
	}

	private share(connection: LastingConnection): Watch['shared'] {
		for (const { watch } of this.waits.values()) {
			const used = watch?.shared.connection;
			if (watch === undefined || used?.credentialId !== connection.credentialId) continue;
			if (used.account.fingerprint !== connection.account.fingerprint) continue;
			watch.shared.connection = connection;
			return watch.shared;
		}
		return { connection };
	}
}

const STOPPED: Shown = { kind: 'ongoing', body: undefined };

function planNextLook(wait: PausedWait, watch: Watch, unfinished: Shown, lookedAt: number): void {
	const now = monotonicMs();
	watch.faults = unfinished.kind === 'fault' ? watch.faults + 1 : 0;
	// What was seen is true of when the look left.
	const elapsedMs = lookedAt - watch.pausedAt;
	const progress = unfinished.kind === 'ongoing' ? unfinished.progress : undefined;
	const delayMs =
		watch.faults > 0
			? nextLookAfterFaultMs(watch.faults, false)
			: nextLookMs({ elapsedMs, estimateMs: watch.estimateMs, progress }, PAUSED);
	const lastLookAt = wait.deadline - LAST_LOOK_MS;
	const plannedAt = now < lastLookAt ? Math.min(now + delayMs, lastLookAt) : now + delayMs;
	watch.nextLookAt = Math.min(watch.nextLookAt, plannedAt);
}

/** Of this process. */
export const lookout = new Lookout();
