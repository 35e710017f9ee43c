import { setTimeout as delay } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';

import { type CredentialRef, type N8nApi, UNFINISHED } from '../../support/n8n/api.mts';
import { STARTING } from '../../support/n8n/n8n.mts';
import { chain, contactData, madeItems } from '../../support/n8n/workflows.mts';
import type { FaultHandle } from '../../support/sandbox/faults.mts';
import type { LedgerEntry } from '../../support/sandbox/ledger.mts';
import type { Delivery } from '../../support/sandbox/notifier.mts';
import type { Sandbox } from '../../support/sandbox/server.mts';
import { type Gaps, traceGaps, UNTIL_CREATED_MS } from './gaps.mts';
import { type Listener, publishListener } from './listener.mts';
import { NODE } from './outcome.mts';
import { readAll } from './readAll.mts';

/** An n8n under load. */
export interface Target {
	readonly api: N8nApi;
	/** Where webhooks are served, with a trailing slash. */
	readonly webhookUrl: string;
	/** Kills some of it with SIGKILL, and brings it back. */
	readonly killSome: () => Promise<void>;
	/** Whether that is the process that saves executions. */
	readonly killsSaving: boolean;
	/** Resident memory of the main process in bytes. */
	readonly memory: () => Promise<number>;
}

/** What a soak came to. */
export interface Soaked {
	/** Executions. */
	readonly started: number;
	readonly kills: number;
	readonly charged: number;
	readonly twice: readonly string[];
	/** What became of ids in no execution, neither one that asked for them nor one of the trigger. */
	readonly gaps: Gaps;
	/** The longest time from an answer of the trigger to the execution that n8n saved of it, in ms. */
	readonly untilSavedMs: number;
	/** What is known of the lost ones. */
	readonly traces: readonly string[];
	/** The same of those whose notifications the trigger never took. */
	readonly untaken: readonly string[];
	/** Ids that only the trigger knows. */
	readonly caught: number;
	/** Those of them whose own execution was not killed after their submission. */
	readonly unkilled: readonly string[];
	/** Submissions whose answer was lost on its way. */
	readonly unanswered: number;
	/** Executions that have no end though they began after the last kill, or were called back. */
	readonly forgotten: readonly string[];
	/** The work's executions that began after the last kill. */
	readonly sinceLastKill: SinceLastKill;
	/** Of the main process, in the third and in the last quarter of the time. */
	readonly memory: readonly [before: number, after: number];
}

export interface SinceLastKill {
	readonly executions: number;
	readonly succeeded: number;
	/** Those that were parked, succeeded and never got their callback. */
	readonly uncalled: number;
}

/** What is lost on its way. */
export interface Losses {
	/** The parked executions whose callbacks were lost so far. */
	readonly uncalled: ReadonlySet<string>;
	/** Submissions that the service took, and whose answer did not say so. */
	readonly unanswered: FaultHandle;
}

const AT_ONCE = 5;
const KILL_EVERY_MS = 30_000;
const LONGEST_RUN_MS = 180_000;
const NOTIFIED_WITHIN_MS = 120_000;
/** The longest is not seen in a short soak. */
const AT_LEAST_UNTIL_SAVED_MS = 2_000;
/** Attempts that are told of an id. */
const MAX_TOLD = 8;
/** Of the callbacks that resume parked executions, the first and each third; the trigger gets all its notifications. */
const LOST_IN = 3;
const RESUME_URL = /\/webhook-waiting\/(\d+)/;

interface Work {
	readonly items: number;
	readonly parameters: INodeParameters;
}

const FINDER = { fullname: '={{ $json.name }}', companyDomain: 'acme.example' };
const VERIFIER = { email: '={{ $json.email }}' };
const PHONE = { identifyBy: 'profileUrl', socialProfileUrl: '={{ $json.url }}' };

const WORK: readonly [Work, ...Work[]] = [
	{ items: 3, parameters: { resource: 'emailFinder', operation: 'submit', ...FINDER } },
	{ items: 3, parameters: { resource: 'emailVerifier', operation: 'submitAndWait', ...VERIFIER } },
	{ items: 20, parameters: { resource: 'phoneFinder', operation: 'submitBulkAndWait', ...PHONE } },
	{ items: 50, parameters: { resource: 'emailFinder', operation: 'submitBulk', ...FINDER } },
	{
		items: 20,
		parameters: {
			...{ resource: 'emailFinder', operation: 'submitBulkAndWait', waitMode: 'suspend' },
			...FINDER,
		},
	},
];

/** Prepares a sandbox whose lookups take from one to twenty seconds, and that has its bad moments. */
export function makeMoody({ configure, faults, service }: Sandbox): Losses {
	let callbacks = 0;
	const uncalled = new Set<string>();
	const loses = (url: string) => {
		const executionId = RESUME_URL.exec(url)?.[1];
		if (executionId === undefined || callbacks++ % LOST_IN !== 0) return false;
		uncalled.add(executionId);
		return true;
	};
	const duration = () => 1_000 + 19_000 * Math.random() ** 3;
	// Notified late, so that an id which its own run has lost is heard of when n8n is back.
	// And ever less often, as senders do: repeated each second, what n8n refuses keeps it from working.
	const retryDelayMs = (attempts: number) => Math.min(1_000 * 1.5 ** attempts, 15_000);
	const webhooks = { loses, delayMs: 8_000, retries: 60, retryDelayMs, notReady: STARTING };
	configure({ single: duration, bulk: duration, webhooks });
	service.account().credits = 1e9;
	const now = { times: Infinity };
	const taken = { status: 503, accepted: true };
	const unanswered = faults.add({ on: 'POST *', kind: 'status', ...taken, chance: 0.02, ...now });
	faults.add({ on: 'GET *', kind: 'truncated', chance: 0.03, ...now });
	faults.add({ on: 'GET *', kind: 'status', status: 500, chance: 0.03, ...now });
	faults.add({ on: 'POST *', kind: 'status', status: 429, chance: 0.03, ...now });
	return { uncalled, unanswered };
}

/**
 * Runs mixed work for some minutes, with kills in the first half; after the last one it goes on for
 * half of the time in any case. Gives what it came to.
 */
export async function soak(
	target: Target,
	sandbox: Sandbox,
	credential: CredentialRef,
	minutes: number,
	{ uncalled, unanswered }: Losses,
): Promise<Soaked> {
	const { api } = target;
	const begin = Date.now();
	const half = (minutes * 60_000) / 2;
	let end = begin + 2 * half;
	const isOn = () => Date.now() < end;
	const listener = await publishListener(target, credential, sandbox);
	let runs = 0;
	/** The executions by the number of their run. */
	const executions = new Map<number, string>();
	const killedAt: number[] = [];
	let lastKillOverAt = begin;

	const work = async () => {
		while (isOn()) {
			const run = ++runs;
			const { items, parameters } = WORK[run % WORK.length] ?? WORK[0];
			const people = peopleOf(run, items);
			const workflow = chain('Soak', people, contactData(NODE, credential, parameters));
			// While n8n is down nothing can be asked of it.
			const ended = async () => {
				const id = await api.startWorkflow(workflow);
				executions.set(run, id);
				const timeoutMs = Math.min(LONGEST_RUN_MS, Math.max(0, end - Date.now()));
				await api.waitForEnd(id, { timeoutMs });
			};
			await ended().catch(async () => await delay(1_000));
		}
	};
	const kill = async () => {
		while (Date.now() < begin + half) {
			await delay(Math.min(KILL_EVERY_MS, half / 2));
			killedAt.push(Date.now());
			// On a busy machine n8n takes a minute to come back.
			end = Infinity;
			try {
				await target.killSome();
			} finally {
				lastKillOverAt = Date.now();
				end = Math.max(begin + 2 * half, lastKillOverAt + half);
			}
		}
	};
	const samples: Array<{ at: number; bytes: number }> = [];
	const measure = async () => {
		while (isOn()) {
			await delay(1_000);
			const bytes = await target.memory().catch(() => undefined);
			if (bytes !== undefined) samples.push({ at: Date.now(), bytes });
		}
	};
	await Promise.all([...Array.from({ length: AT_ONCE }, work), kill(), measure()]);

	const unfinished = async () => {
		const found = await api.listExecutions({ status: UNFINISHED });
		return found.filter(
			({ id, status, createdAt }) =>
				Date.parse(createdAt) > lastKillOverAt || (status === 'waiting' && !uncalled.has(id)),
		);
	};
	const patientUntil = Date.now() + LONGEST_RUN_MS;
	let waiting = await unfinished();
	while (waiting.length > 0 && Date.now() < patientUntil) {
		await delay(1_000);
		waiting = await unfinished();
	}
	const forgotten = waiting.map(({ id }) => id);
	const { ledger } = sandbox;
	const ids = ledger.entries.map(({ id }) => id);
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
	// The last was answered just now, and n8n saves the execution after the answer.
	await delay(UNTIL_CREATED_MS);
	const taken = takenAt();
	const known = await readAll(api, ids, listener.workflowId);
	const missing = ids
		.filter((id) => !known.own.has(id) && !known.caught.has(id))
		.map((id) => ({ id, takenAt: taken.get(id) }));
	const lags = [...known.caught].map(([id, createdAt]) => createdAt - (taken.get(id) ?? createdAt));
	const slowest = Math.max(0, ...lags);
	const untilSavedMs = Math.min(Math.max(slowest, AT_LEAST_UNTIL_SAVED_MS), UNTIL_CREATED_MS);
	const killsOfSaving = target.killsSaving ? killedAt : [];
	const gaps = traceGaps(missing, known.emptiedAt, killsOfSaving, untilSavedMs);
	const mean = (from: number, to: number) => {
		const [first, last] = [from, to].map((part) => begin + part * (end - begin));
		const within = samples.filter(({ at }) => at >= first && at < last);
		return within.reduce((sum, { bytes }) => sum + bytes, 0) / within.length;
	};
	const trace = (id: string) => traceOf(id, sandbox.deliveries, killedAt);
	const caught = ledger.entries.filter(({ id }) => !known.own.has(id) && known.caught.has(id));
	const isKilled = ({ at, searches }: LedgerEntry) => {
		const execution = executions.get(runOf(searches));
		const endedAt = known.work.get(execution ?? '')?.endedAt ?? Infinity;
		return killedAt.some((time) => time >= at && time <= endedAt);
	};
	const since = [...executions.values()].flatMap((id) => {
		const execution = known.work.get(id);
		if (execution === undefined || execution.createdAt <= lastKillOverAt) return [];
		return { id, status: execution.status };
	});
	const succeeded = since.filter(({ status }) => status === 'success');
	return {
		started: executions.size,
		kills: killedAt.length,
		charged: ledger.totals().searches,
		twice: ledger.chargedTwice(),
		gaps,
		untilSavedMs: slowest,
		traces: gaps.lost.map(trace),
		untaken: ids.filter((id) => !taken.has(id)).map(trace),
		forgotten,
		caught: caught.length,
		unkilled: caught.filter((entry) => !isKilled(entry)).map(({ id }) => trace(id)),
		unanswered: unanswered.hits,
		sinceLastKill: {
			executions: since.length,
			succeeded: succeeded.length,
			uncalled: succeeded.filter(({ id }) => uncalled.has(id)).length,
		},
		memory: [mean(0.55, 0.75), mean(0.75, 1)],
	};
}

function isTakenBy(listener: Listener) {
	return ({ url, outcome, answer }: Delivery) =>
		url === listener.url && outcome === 200 && !answer.startsWith(STARTING);
}

/** Each attempt to notify of an id, and the first kill after it. */
function traceOf(id: string, deliveries: readonly Delivery[], killedAt: readonly number[]): string {
	const attempts = deliveries.filter((one) => one.id === id);
	const told = attempts.slice(-MAX_TOLD).map(({ at, url, attempt, outcome, answer }) => {
		const kill = killedAt.find((time) => time >= at);
		const until = kill === undefined ? 'no kill after it' : `${kill - at} ms before a kill`;
		const result = typeof outcome === 'number' ? outcome : outcome.error;
		return `${new Date(at).toISOString()} ${new URL(url).pathname} attempt ${attempt}: ${result} ${answer.slice(0, 80)} (${until})`;
	});
	return [`${id}, ${attempts.length} attempts`, ...told].join('\n  ');
}

/** Made in n8n, and different in each run. */
function peopleOf(run: number, count: number) {
	const json = `{ name: 'Run ${run} Person ' + n, email: 'run${run}.' + n + '@acme.example', url: 'https://social.example/in/run-${run}-' + n }`;
	return madeItems('People', count, json);
}

/** The run that such a search is of. */
function runOf([search = '']: readonly string[]): number {
	return Number(/run[ -]?(\d+)/i.exec(search)?.[1]);
}
