import { setTimeout as delay } from 'node:timers/promises';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import {
	type CredentialRef,
	type ExecutionSummary,
	type N8nApi,
	UNFINISHED,
} from '../../support/n8n/api.mts';
import { STARTING } from '../../support/n8n/n8n.mts';
import { chain, contactData, madeItems } from '../../support/n8n/workflows.mts';
import type { Delivery } from '../../support/sandbox/notifier.mts';
import type { Sandbox } from '../../support/sandbox/server.mts';
import { type Gaps, traceGaps, UNTIL_CREATED_MS } from './gaps.mts';
import { type Listener, publishListener } from './listener.mts';
import { NODE } from './outcome.mts';

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
	readonly runs: number;
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
	/** Executions that have no end though they began after the last kill, or were called back. */
	readonly forgotten: readonly string[];
	/** Of the main process, in the third and in the last quarter of the time. */
	readonly memory: readonly [before: number, after: number];
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

const FINDER = { fullname: '={{ $json.name }}', companyDomain: 'acme.example' };
const VERIFIER = { email: '={{ $json.email }}' };
const PHONE = { identifyBy: 'profileUrl', socialProfileUrl: '={{ $json.url }}' };

const WORK: ReadonlyArray<{ items: number; parameters: INodeParameters }> = [
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

/**
 * Prepares a sandbox whose lookups take from one to twenty seconds, and that has its bad moments.
 * @returns the ids of the parked executions whose callbacks it has lost so far
 */
export function makeMoody({ configure, faults, service }: Sandbox): ReadonlySet<string> {
	let callbacks = 0;
	const lost = new Set<string>();
	const loses = (url: string) => {
		const executionId = RESUME_URL.exec(url)?.[1];
		if (executionId === undefined || callbacks++ % LOST_IN !== 0) return false;
		lost.add(executionId);
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
	faults.add({ on: 'POST *', kind: 'status', status: 503, accepted: true, chance: 0.02, ...now });
	faults.add({ on: 'GET *', kind: 'truncated', chance: 0.03, ...now });
	faults.add({ on: 'GET *', kind: 'status', status: 500, chance: 0.03, ...now });
	faults.add({ on: 'POST *', kind: 'status', status: 429, chance: 0.03, ...now });
	return lost;
}

/**
 * Runs mixed work for some minutes, with kills in the first half, and gives what it came to.
 *
 * @param uncalled the parked executions whose callbacks were lost: after a kill nobody resumes them
 */
export async function soak(
	target: Target,
	sandbox: Sandbox,
	credential: CredentialRef,
	minutes: number,
	uncalled: ReadonlySet<string>,
): Promise<Soaked> {
	const { api } = target;
	const forMs = minutes * 60_000;
	const begin = Date.now();
	const left = () => begin + forMs - Date.now();
	const listener = await publishListener(target, credential, sandbox);
	let runs = 0;
	const killedAt: number[] = [];
	let lastKillOverAt = begin;

	const work = async () => {
		while (left() > 0) {
			const { items, parameters } = WORK[runs % WORK.length] ?? WORK[0];
			const people = peopleOf(++runs, items);
			const workflow = chain('Soak', people, contactData(NODE, credential, parameters));
			// While n8n is down nothing can be asked of it.
			const ended = async () => {
				const id = await api.startWorkflow(workflow);
				await api.waitForEnd(id, { timeoutMs: Math.min(LONGEST_RUN_MS, Math.max(0, left())) });
			};
			await ended().catch(async () => await delay(1_000));
		}
	};
	const kill = async () => {
		while (left() - forMs / 2 > 0) {
			await delay(Math.min(KILL_EVERY_MS, forMs / 4));
			killedAt.push(Date.now());
			await target.killSome();
			lastKillOverAt = Date.now();
		}
	};
	const samples: Array<{ at: number; bytes: number }> = [];
	const measure = async () => {
		while (left() > 0) {
			await delay(1_000);
			const bytes = await target.memory().catch(() => undefined);
			if (bytes !== undefined) samples.push({ at: (Date.now() - begin) / forMs, bytes });
		}
	};
	await Promise.all([...Array.from({ length: AT_ONCE }, work), kill(), measure()]);

	const unfinished = async () => {
		const executions = await api.listExecutions({ status: UNFINISHED });
		return executions.filter(
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
	const known = await idsIn(api, ids, listener.workflowId);
	const missing = ids
		.filter((id) => !known.own.has(id) && !known.caught.has(id))
		.map((id) => ({ id, takenAt: taken.get(id) }));
	const lags = [...known.caught].map(([id, createdAt]) => createdAt - (taken.get(id) ?? createdAt));
	const slowest = Math.max(0, ...lags);
	const untilSavedMs = Math.min(Math.max(slowest, AT_LEAST_UNTIL_SAVED_MS), UNTIL_CREATED_MS);
	const killsOfSaving = target.killsSaving ? killedAt : [];
	const gaps = traceGaps(missing, known.emptiedAt, killsOfSaving, untilSavedMs);
	const mean = (from: number, to: number) => {
		const within = samples.filter(({ at }) => at >= from && at < to);
		return within.reduce((sum, { bytes }) => sum + bytes, 0) / within.length;
	};
	return {
		runs,
		kills: killedAt.length,
		charged: ledger.totals().searches,
		twice: ledger.chargedTwice(),
		gaps,
		untilSavedMs: slowest,
		traces: gaps.lost.map((id) => traceOf(id, sandbox.deliveries, killedAt)),
		untaken: ids
			.filter((id) => !taken.has(id))
			.map((id) => traceOf(id, sandbox.deliveries, killedAt)),
		forgotten,
		caught: ids.filter((id) => !known.own.has(id) && known.caught.has(id)).length,
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

/** Which of the ids are in executions of the work, and which in those that the trigger started. */
async function idsIn(api: N8nApi, ids: readonly string[], listenerId: string) {
	const known = {
		own: new Set<string>(),
		/** And when n8n saved that execution. */
		caught: new Map<string, number>(),
		/** When the trigger's executions began that have no id in them. */
		emptiedAt: [] as number[],
	};
	const wanted = new Set(ids);
	let cursor: string | undefined;
	do {
		const query = new URLSearchParams({ limit: '100', filter: '{}', ...(cursor && { cursor }) });
		const page = await api.rest<IDataObject & { results: ExecutionSummary[]; nextCursor?: string }>(
			'GET',
			`executions?${query}`,
		);
		for (const { id, workflowId, status, createdAt } of page.results) {
			const { record } = await api.getExecution(id);
			const found = [...record.data.matchAll(/\b[0-9a-f]{24}\b/g)]
				.map(([text]) => text)
				.filter((text) => wanted.has(text));
			const isStart = workflowId === listenerId;
			if (isStart && status !== 'success' && found.length === 0) {
				known.emptiedAt.push(Date.parse(createdAt));
			}
			for (const text of found) {
				if (isStart) known.caught.set(text, Date.parse(createdAt));
				else known.own.add(text);
			}
		}
		cursor = page.nextCursor ?? undefined;
	} while (cursor !== undefined);
	return known;
}
