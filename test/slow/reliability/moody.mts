import { STARTING } from '../../support/n8n/n8n.mts';
import type { Sandbox } from '../../support/sandbox/server.mts';

/** What is lost on its way. */
export interface Losses {
	/** When the service called parked executions or would have, in ms since 1970. */
	readonly calledAt: ReadonlyMap<string, number>;
	/** Those of them whose callback was lost. */
	readonly uncalled: ReadonlySet<string>;
	/** The ids of submissions that the service took, and whose answer did not say so. */
	readonly unanswered: ReadonlySet<string>;
}

/** Of the callbacks that resume parked executions, the first and each third; the trigger gets all its notifications. */
const LOST_IN = 3;
const RESUME_URL = /\/webhook-waiting\/(\d+)/;

/** Prepares a sandbox whose lookups take from one to twenty seconds, and that has its bad moments. */
export function makeMoody({ configure, faults, service }: Sandbox): Losses {
	const calledAt = new Map<string, number>();
	const uncalled = new Set<string>();
	const unanswered = new Set<string>();
	const loses = (url: string) => {
		const executionId = RESUME_URL.exec(url)?.[1];
		if (executionId === undefined) return false;
		const isLost = calledAt.size % LOST_IN === 0;
		calledAt.set(executionId, Date.now());
		if (isLost) uncalled.add(executionId);
		return isLost;
	};
	const duration = () => 1_000 + 19_000 * Math.random() ** 3;
	// Notified late, so that an id which its own run has lost is heard of when n8n is back.
	// And ever less often, as senders do: repeated each second, what n8n refuses keeps it from working.
	const retryDelayMs = (attempts: number) => Math.min(1_000 * 1.5 ** attempts, 15_000);
	const webhooks = { loses, delayMs: 8_000, retries: 60, retryDelayMs, notReady: STARTING };
	configure({ single: duration, bulk: duration, webhooks });
	service.account().credits = 1e9;
	const now = { times: Infinity };
	const change = ({ id }: Record<string, unknown>) => {
		if (typeof id === 'string') unanswered.add(id);
		return { message: 'Sandbox fault' };
	};
	faults.add({ on: 'POST *', kind: 'changed', status: 503, change, chance: 0.02, ...now });
	faults.add({ on: 'GET *', kind: 'truncated', chance: 0.03, ...now });
	faults.add({ on: 'GET *', kind: 'status', status: 500, chance: 0.03, ...now });
	faults.add({ on: 'POST *', kind: 'status', status: 429, chance: 0.03, ...now });
	return { calledAt, uncalled, unanswered };
}
