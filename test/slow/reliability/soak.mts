import { setTimeout as delay } from 'node:timers/promises';

import {
	type CredentialRef,
	type ExecutionSummary,
	type N8nApi,
	UNFINISHED,
} from '../../support/n8n/api.mts';
import type { Sandbox } from '../../support/sandbox/server.mts';
import { type Kill, UNTIL_CREATED_MS } from './gaps.mts';
import { publishListener } from './listener.mts';
import type { Losses } from './moody.mts';
import { isTakenBy, notifyAgain, traceOf } from './notified.mts';
import { readAll } from './readAll.mts';
import { tally, type Sample, type Tally } from './tally.mts';
import { workflowOf } from './work.mts';

/** An n8n under load. */
export interface Target {
	readonly api: N8nApi;
	/** Where webhooks are served, with a trailing slash. */
	readonly webhookUrl: string;
	/** Its processes. */
	readonly processes: () => readonly Member[];
	/** Kills one of them with SIGKILL, and brings it back. */
	readonly kill: (count: number) => Promise<void>;
	/** Whether that is the process that saves executions. */
	readonly killsSaving: boolean;
}

/** A process of n8n. */
interface Member {
	readonly isRunning: boolean;
	/** Resident memory in bytes. */
	readonly memory: () => Promise<number>;
}

/** What a soak came to. */
export interface Soaked extends Tally {
	/** Executions. */
	readonly started: number;
	readonly kills: number;
	readonly charged: number;
	readonly twice: readonly string[];
	/** Ids whose notifications the trigger never took. */
	readonly untaken: readonly string[];
	/** Those of which it was notified again, with its answer, which should have said that it is known. */
	readonly refusedAgain: readonly string[];
	/** Executions of the trigger that succeeded without an id in them. */
	readonly pointless: readonly string[];
	/** Executions that have no end though they began after the last kill, or had no reason to stay parked. */
	readonly unresumed: readonly string[];
	/** What is known of an id: each attempt to notify of it, and the first kill after that. */
	readonly trace: (id: string) => string;
}

const AT_ONCE = 5;
const KILL_EVERY_MS = 30_000;
const LONGEST_RUN_MS = 180_000;
const NOTIFIED_WITHIN_MS = 120_000;

/**
 * Runs mixed work for some minutes, with kills in the first half; after the last one it goes on for
 * half of the time in any case. Gives what it came to.
 */
export async function soak(
	target: Target,
	sandbox: Sandbox,
	credential: CredentialRef,
	minutes: number,
	losses: Losses,
): Promise<Soaked> {
	const { api, killsSaving } = target;
	const begin = Date.now();
	const half = (minutes * 60_000) / 2;
	let end = begin + 2 * half;
	const isOn = () => Date.now() < end;
	const listener = await publishListener(target, credential, sandbox);
	let runs = 0;
	const executions = new Map<number, string>();
	const kills: Kill[] = [];
	let begun = 0;

	const work = async () => {
		while (isOn()) {
			const run = ++runs;
			// While n8n is down nothing can be asked of it.
			const ended = async () => {
				const before = begun;
				const started = await api.startWorkflow(workflowOf(run, credential));
				executions.set(run, started);
				// One that was killed may have no end for long: the next kill ends the waiting.
				const isLeft = ({ id, status }: ExecutionSummary) =>
					begun > before || !isOn() || (id === started && !UNFINISHED.includes(status));
				await api.waitForExecution(isLeft, { timeoutMs: LONGEST_RUN_MS });
			};
			await ended().catch(async () => await delay(1_000));
		}
	};
	const kill = async () => {
		while (Date.now() < begin + half) {
			await delay(Math.min(KILL_EVERY_MS, half / 2));
			const at = Date.now();
			begun += 1;
			// On a busy machine n8n takes a minute to come back.
			end = Infinity;
			try {
				requireRunning(target);
				await target.kill(kills.length);
				kills.push({ at, overAt: Date.now() });
				end = Math.max(begin + 2 * half, Date.now() + half);
			} catch (error) {
				end = Date.now();
				throw error;
			}
		}
	};
	const samples: Sample[] = [];
	const measure = async () => {
		while (isOn()) {
			await delay(1_000);
			const sizes = target.processes().map(async (one) => await one.memory());
			const bytes = await Promise.all(sizes).catch(() => undefined);
			if (bytes === undefined) continue;
			samples.push({ at: Date.now(), bytes: bytes.reduce((sum, size) => sum + size, 0) });
		}
	};
	await Promise.all([...Array.from({ length: AT_ONCE }, work), kill(), measure()]);
	requireRunning(target);

	const lastKill = kills.at(-1) ?? { at: begin, overAt: begin };
	const calmFrom = lastKill.overAt;
	const isUnresumed = ({ id, status, createdAt }: ExecutionSummary) => {
		const created = Date.parse(createdAt);
		const isExcused = losses.uncalled.has(id) && kills.some(({ at }) => at > created);
		return created > calmFrom || (status === 'waiting' && !isExcused);
	};
	const unfinished = async () =>
		(await api.listExecutions({ status: UNFINISHED })).filter(isUnresumed);
	const patientUntil = Date.now() + LONGEST_RUN_MS;
	let waiting = await unfinished();
	while (waiting.length > 0 && Date.now() < patientUntil) {
		await delay(1_000);
		waiting = await unfinished();
	}
	const { ledger } = sandbox;
	const entries = [...ledger.entries];
	const ids = entries.map(({ id }) => id);
	const takenAt = () =>
		new Map(
			sandbox.deliveries
				.filter(isTakenBy(listener))
				.map(({ id, at }): [string, number] => [id, at])
				// Of several the first, which is the one that started the workflow.
				.reverse(),
		);
	const allTaken = () => {
		const taken = takenAt();
		return ids.every((id) => taken.has(id));
	};
	await sandbox.waitFor(allTaken, NOTIFIED_WITHIN_MS).catch(() => undefined);
	sandbox.faults.clear();
	const refusedAgain = await notifyAgain(sandbox.deliveries.filter(isTakenBy(listener)), lastKill);
	// The last was answered just now, and n8n saves the execution after the answer.
	await delay(UNTIL_CREATED_MS);
	const taken = takenAt();
	const known = await readAll(api, ids, listener.workflowId);
	const of = { kills, killsSaving, executions, entries, known, losses, samples };
	return {
		...tally({ ...of, calmFrom, end, takenAt: taken }),
		refusedAgain,
		pointless: known.pointless,
		started: executions.size,
		kills: kills.length,
		charged: ledger.totals().searches,
		twice: ledger.chargedTwice(),
		untaken: ids.filter((id) => !taken.has(id)),
		unresumed: waiting.map(({ id }) => id),
		trace: (id) => traceOf(id, sandbox.deliveries, kills),
	};
}

/** @throws where a process has died by itself: bringing it back would hide that */
function requireRunning({ processes }: Target): void {
	const dead = processes().flatMap(({ isRunning }, n) => (isRunning ? [] : [n + 1]));
	if (dead.length > 0) throw new Error(`Died by itself: process ${dead.join(', ')} of n8n`);
}
