import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type { CredentialRef, N8nApi } from '../../support/n8n/api.mts';
import {
	contactData,
	triggeredChain,
	waitForCall,
	webhookTrigger,
	type NodeSpec,
} from '../../support/n8n/workflows.mts';
import type { SandboxChange } from './sandboxProcess.mts';
import type { Service } from './service.mts';
import { httpRequest } from './workflows.mts';

/** Executions are started at the pace of the service, so that nothing piles up before it. */
export const RATE = 10;

/** The n8n in which many executions are started. */
export interface Target {
	api: N8nApi;
	/** Where webhooks are served, with a trailing slash. */
	webhooksAt: string;
	service: Service;
	credential: CredentialRef;
}

/** How one lookup is waited for: by this package, or with HTTP Request and n8n's own Wait node. */
export type WaitKind = 'suspend' | 'byHand';

const LOOK_MS = 250;
/** Longer than the pauses before a callback comes again: what moves no more by then never will. */
const STUCK_AFTER_JOB_MS = 60_000;
/** A busy n8n refuses a callback that comes before it has saved the parked execution; and each comes twice. */
const REDELIVERY = { retries: 60, retryDelayMs: 5_000, copies: 2 };

/** What came of many executions. */
export interface Ended {
	/** From the first start until the last one that ended has. */
	seconds: number;
	failed: number;
	/** Left by n8n as new, running or waiting, without anything that goes on, or gone altogether. */
	stuck: number;
	/** What n8n said of each start that it refused. */
	refused: string[];
}

/**
 * Starts executions of one lookup each by a webhook, as in production. Where one of this package
 * fails or never ends, the exit code is 1.
 */
export async function secondsOfMany(
	{ api, webhooksAt, service, credential }: Target,
	kind: WaitKind,
	jobMs: number,
	count: number,
	webhooks: SandboxChange['webhooks'] = REDELIVERY,
): Promise<Ended> {
	await service.reset({ single: jobMs, webhooks });
	const path = randomUUID();
	const workflowId = await api.importWorkflow(
		triggeredChain(
			`One lookup, ${kind}`,
			webhookTrigger(path, { responseMode: 'onReceived' }),
			...nodesOf(kind, credential, service),
		),
	);
	await api.activate(workflowId);

	const started = Date.now();
	const starts: Array<Promise<string | undefined>> = [];
	for (let n = 0; n < count; n++) {
		await delay(started + (n * 1000) / RATE - Date.now());
		starts.push(callWebhook(`${webhooksAt}webhook/${path}?n=${n}`));
	}
	const refused = (await Promise.all(starts)).filter((problem) => problem !== undefined);

	const countOf = async (...status: string[]) => {
		const filter = encodeURIComponent(JSON.stringify({ workflowId, status }));
		return (await api.rest<{ count: number }>('GET', `executions?limit=1&filter=${filter}`)).count;
	};
	const look = async () => ({
		succeeded: await countOf('success'),
		failed: await countOf('error', 'crashed'),
		// In queue mode all starts go before the first end.
		queued: await countOf('new'),
		begun: await countOf('running', 'waiting'),
	});
	let now = { succeeded: 0, failed: 0, queued: count, begun: 0 };
	let changedAt = Date.now();
	// A refused start may leave an execution that has failed, or none.
	const taken = count - refused.length;
	while (now.queued + now.begun > 0 || now.succeeded + now.failed < taken) {
		if (Date.now() - changedAt > jobMs + STUCK_AFTER_JOB_MS) break;
		await delay(LOOK_MS);
		// n8n may close a connection while it is busy: it is asked again.
		const next = await look().catch(() => now);
		if (JSON.stringify(next) !== JSON.stringify(now)) changedAt = Date.now();
		now = next;
	}
	const { succeeded, failed, queued, begun } = now;
	const stuck = Math.max(queued + begun, taken - succeeded - failed);
	if (failed + stuck > 0 && kind !== 'byHand') process.exitCode = 1;
	return { seconds: (changedAt - started) / 1000, failed, stuck, refused };
}

/** Gives what went wrong. */
async function callWebhook(url: string): Promise<string | undefined> {
	try {
		const answer = await fetch(url, { method: 'POST' });
		return answer.ok ? undefined : `${answer.status} ${await answer.text()}`;
	} catch (error) {
		const { message, cause } = error instanceof Error ? error : new Error(String(error));
		return cause instanceof Error ? cause.message : message;
	}
}

function nodesOf(kind: WaitKind, credential: CredentialRef, service: Service): NodeSpec[] {
	if (kind === 'byHand') {
		const body = `{
	fullname: 'Ada Number' + $json.query.n,
	company_domain: 'acme.com',
	settings: { webhook: $execution.resumeUrl }
}`;
		return [
			httpRequest('Submit', service, {
				method: 'POST',
				sendBody: true,
				specifyBody: 'json',
				jsonBody: `={{ JSON.stringify(${body}) }}`,
			}),
			waitForCall('POST'),
		];
	}
	return [
		contactData('Contact Data', credential, {
			resource: 'emailFinder',
			operation: 'submitAndWait',
			fullname: '=Ada Number{{ $json.query.n }}',
			companyDomain: 'acme.com',
			waitMode: kind,
			options: { timeout: 3600 },
		}),
	];
}
