import type { ExecutionStatus, IDataObject } from 'n8n-workflow';

import type { ExecutionSummary, N8nApi } from '../../support/n8n/api.mts';

/** What is in all executions of an n8n. Times are in ms since 1970. */
interface Known {
	/** The ids in executions of the work. */
	readonly own: Set<string>;
	/** Those in executions that the trigger has started, and when n8n saved that execution. */
	readonly caught: Map<string, number>;
	/** When the trigger's executions began that have no id in them. */
	readonly emptiedAt: number[];
	/** The executions of the work. */
	readonly work: Map<
		string,
		{ status: ExecutionStatus; createdAt: number; endedAt: number | undefined }
	>;
}

/** Reads all executions. @param ids those to look for; @param listenerId the trigger's workflow */
export async function readAll(
	api: N8nApi,
	ids: readonly string[],
	listenerId: string,
): Promise<Known> {
	const known: Known = { own: new Set(), caught: new Map(), emptiedAt: [], work: new Map() };
	const wanted = new Set(ids);
	let cursor: string | undefined;
	do {
		const query = new URLSearchParams({ limit: '100', filter: '{}', ...(cursor && { cursor }) });
		const page = await api.rest<IDataObject & { results: ExecutionSummary[]; nextCursor?: string }>(
			'GET',
			`executions?${query}`,
		);
		for (const { id, workflowId, status, createdAt: created } of page.results) {
			const { record } = await api.getExecution(id);
			const createdAt = Date.parse(created);
			const found = [...record.data.matchAll(/\b[0-9a-f]{24}\b/g)]
				.map(([text]) => text)
				.filter((text) => wanted.has(text));
			if (workflowId === listenerId) {
				if (status !== 'success' && found.length === 0) known.emptiedAt.push(createdAt);
				for (const text of found) known.caught.set(text, createdAt);
			} else {
				const { stoppedAt } = record;
				// Of one that was killed, n8n says when it had last heard of it.
				const isOver = stoppedAt !== null && status !== 'crashed';
				const endedAt = isOver ? Date.parse(stoppedAt) : undefined;
				known.work.set(id, { status, createdAt, endedAt });
				for (const text of found) known.own.add(text);
			}
		}
		cursor = page.nextCursor ?? undefined;
	} while (cursor !== undefined);
	return known;
}
