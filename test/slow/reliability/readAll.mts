import type { ExecutionStatus } from 'n8n-workflow';

import { N8nApiError, type N8nApi } from '../../support/n8n/api.mts';
import type { Execution } from '../../support/n8n/execution.mts';
import type { Emptied } from './gaps.mts';
import { NODE } from './outcome.mts';

/** An execution of the work. Times are in ms since 1970. */
export interface WorkDone {
	readonly status: ExecutionStatus;
	readonly createdAt: number;
	/** Undefined for one that was killed: n8n says when it had last heard of it. */
	readonly endedAt: number | undefined;
	/** The `status` of each item that the node gave; undefined where the execution failed. */
	readonly given: readonly unknown[] | undefined;
}

/** An execution that the trigger has started. */
export interface Start {
	/** When it began to run, in ms since 1970. */
	readonly startedAt: number;
	/** The `status` of each item that the trigger gave; undefined where the execution failed. */
	readonly given: readonly unknown[] | undefined;
}

/** What is in all executions of an n8n. Times are in ms since 1970. */
export interface Known {
	/** The ids in executions of the work. */
	readonly own: ReadonlySet<string>;
	/** Those in executions that the trigger has started, with these executions. */
	readonly caught: ReadonlyMap<string, readonly Start[]>;
	/** The trigger's executions that have no id in them, and no success. */
	readonly emptied: readonly Emptied[];
	/** Those that have no id in them, and succeeded: the trigger has started nothing but itself. */
	readonly pointless: readonly string[];
	/** The executions of the work, by their ids. */
	readonly work: ReadonlyMap<string, WorkDone>;
}

/**
 * Reads all executions, by their numbers: n8n's list is sorted by when they began and paged by their
 * ids, and so leaves some out.
 *
 * @param ids those to look for; @param listenerId the trigger's workflow
 */
export async function readAll(
	api: N8nApi,
	ids: readonly string[],
	listenerId: string,
): Promise<Known> {
	const own = new Set<string>();
	const caught = new Map<string, Start[]>();
	const emptied: Emptied[] = [];
	const pointless: string[] = [];
	const work = new Map<string, WorkDone>();
	const wanted = new Set(ids);
	const newest = (await api.listExecutions()).map(({ id }) => Number(id));
	for (let number = 1; number <= Math.max(0, ...newest); number++) {
		const execution = await findExecution(api, String(number));
		if (execution === undefined) continue;
		const { id, workflowId, status, record } = execution;
		const found = new Set(
			[...record.data.matchAll(/\b[0-9a-f]{24}\b/g)]
				.map(([text]) => text)
				.filter((text) => wanted.has(text)),
		);
		if (workflowId === listenerId) {
			const createdAt = Date.parse(record.createdAt);
			const startedAt = Date.parse(record.startedAt ?? record.createdAt);
			if (found.size === 0) {
				if (status === 'success') pointless.push(id);
				else emptied.push({ createdAt, startedAt });
			}
			const start = { startedAt, given: givenBy(execution) };
			for (const text of found) caught.set(text, [...(caught.get(text) ?? []), start]);
		} else {
			for (const text of found) own.add(text);
			work.set(id, toWorkDone(execution));
		}
	}
	return { own, caught, emptied, pointless, work };
}

async function findExecution(api: N8nApi, id: string): Promise<Execution | undefined> {
	return await api.getExecution(id).catch((error: unknown) => {
		if (error instanceof N8nApiError && error.status === 404) return undefined;
		throw error;
	});
}

function givenBy(execution: Execution): unknown[] | undefined {
	if (execution.status !== 'success') return undefined;
	return execution.json(NODE).map(({ status }) => status);
}

function toWorkDone(execution: Execution): WorkDone {
	const { status, record } = execution;
	const { createdAt, stoppedAt } = record;
	const isOver = stoppedAt !== null && status !== 'crashed';
	return {
		status,
		createdAt: Date.parse(createdAt),
		endedAt: isOver ? Date.parse(stoppedAt) : undefined,
		given: givenBy(execution),
	};
}
