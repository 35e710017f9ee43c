import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type { CredentialRef, N8nApi } from '../n8n/api.mts';
import { contactData, type NodeSpec, triggeredChain } from '../n8n/workflows.mts';
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

/**
 * How one lookup is waited for: by this package in a wait mode, or `byHand`, with HTTP Request and
 * n8n's own Wait node, which parks the execution at once.
 */
export type WaitKind = 'poll' | 'suspend' | 'byHand';

const LOOK_MS = 250;
const GIVE_UP_MS = 15 * 60_000;
/** A busy n8n refuses a callback that comes before it has saved the parked execution. */
const REDELIVERY = { retries: 20, retryDelayMs: 5_000 };

/**
 * Starts executions of one lookup each by a webhook, as in production, and gives the seconds from
 * the first start until the last one has ended, and how many failed.
 *
 * @throws where one of this package failed
 */
export async function secondsOfMany(
	{ api, webhooksAt, service, credential }: Target,
	kind: WaitKind,
	jobMs: number,
	count: number,
): Promise<{ seconds: number; failed: number }> {
	await service.reset({ single: jobMs, webhooks: REDELIVERY });
	const path = randomUUID();
	const workflowId = await api.importWorkflow(
		triggeredChain(`One lookup, ${kind}`, webhook(path), ...nodesOf(kind, credential, service)),
	);
	await api.activate(workflowId);

	const started = Date.now();
	const starts: Array<Promise<string | undefined>> = [];
	for (let n = 0; n < count; n++) {
		await delay(started + (n * 1000) / RATE - Date.now());
		starts.push(callWebhook(`${webhooksAt}webhook/${path}?n=${n}`));
	}
	const problems = (await Promise.all(starts)).filter((problem) => problem !== undefined);
	if (problems.length > 0) throw new Error(`${problems.length} starts failed: ${problems[0]}`);

	const countOf = async (...status: string[]) => {
		const filter = encodeURIComponent(JSON.stringify({ workflowId, status }));
		return (await api.rest<{ count: number }>('GET', `executions?limit=1&filter=${filter}`)).count;
	};
	let ended = 0;
	while (ended < count) {
		if (Date.now() - started > GIVE_UP_MS) throw new Error(`${ended} of ${count} have ended`);
		await delay(LOOK_MS);
		// n8n may close a connection while it is busy: it is asked again.
		ended = await countOf('success', 'error').catch(() => ended);
	}
	const seconds = (Date.now() - started) / 1000;
	const failed = await countOf('error');
	if (failed > 0 && kind !== 'byHand') throw new Error(`${failed} of ${count} executions failed`);
	return { seconds, failed };
}

/** Gives what went wrong. */
async function callWebhook(url: string): Promise<string | undefined> {
	try {
		const answer = await fetch(url, { method: 'POST' });
		return answer.ok ? undefined : `The webhook answered ${answer.status}`;
	} catch (error) {
		const { message, cause } = error instanceof Error ? error : new Error(String(error));
		return cause instanceof Error ? cause.message : message;
	}
}

function webhook(path: string): NodeSpec {
	return {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: path,
		parameters: { path, httpMethod: 'POST', responseMode: 'onReceived', options: {} },
	};
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
			{
				name: 'Wait',
				type: 'n8n-nodes-base.wait',
				typeVersion: 1.1,
				webhookId: randomUUID(),
				parameters: { resume: 'webhook', httpMethod: 'POST', options: {} },
			},
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
