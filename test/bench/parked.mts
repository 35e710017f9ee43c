import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type { CredentialRef, WorkflowJson } from '../n8n/api.mts';
import { contactData, triggeredChain } from '../n8n/workflows.mts';
import { memoryDuring, openStage, type Stage } from './stage.mts';
import { megabytes, type Row, seconds, verdictOn } from './table.mts';

const JOB_MS = 30_000;
const RATE = 10;
const AT_ONCE = 20;
/** Two rounds of polling tell how long all of them would take. */
const POLLING = 2 * AT_ONCE;
const LOOK_MS = 250;
const CALLERS = 10;

/** Parked executions of one long lookup each, beside polling ones that n8n runs 20 at a time. */
export async function measureParked(
	tarball: string,
	count: number,
	report: (line: string) => void,
): Promise<Row> {
	report(`${count} parked executions`);
	const parked = await withStage(
		tarball,
		{},
		report,
		async (stage) =>
			await memoryDuring(stage.n8n, async () => await runAll(stage, 'suspend', count)),
	);
	report(`${POLLING} polling executions, ${AT_ONCE} at a time`);
	const env = { N8N_CONCURRENCY_PRODUCTION_LIMIT: String(AT_ONCE) };
	const polling = await withStage(
		tarball,
		env,
		report,
		async (stage) =>
			await memoryDuring(stage.n8n, async () => await runAll(stage, 'poll', POLLING)),
	);
	const limit = count / RATE + JOB_MS / 1000;
	const ofAllPolling = polling.result * (count / POLLING);
	const over = parked.peak - parked.idle;
	return {
		what: `${count.toLocaleString('en')} parked executions of ${JOB_MS / 1000} s`,
		ours: `${seconds([parked.result])}, ${megabytes([over])} over idle`,
		beside: `polling, ${AT_ONCE} at a time: ${seconds([ofAllPolling])}, ${megabytes([polling.peak - polling.idle])} over idle`,
		limit: `${limit.toFixed(0)} s`,
		target: 'the longest job + 10 %; memory flat',
		met: verdictOn(parked.result <= limit * 1.1, over <= parked.idle * 0.25),
		notes: [
			`The limit is the pace of ${RATE} submissions a second and the job of ${JOB_MS / 1000} s. Memory counts as flat within a quarter of n8n at rest (${megabytes([parked.idle])}). One run.`,
			`Polling is measured with ${POLLING} executions (${seconds([polling.result])}) and extrapolated. A suspending wait looks for 10 s before it parks, and is one of the running ones until then: with the same cap of ${AT_ONCE}, ${count} would park within ${(count / AT_ONCE) * 10} s.`,
		],
	};
}

async function withStage<T>(
	tarball: string,
	env: Record<string, string>,
	report: (line: string) => void,
	use: (stage: Stage) => Promise<T>,
): Promise<T> {
	const stage = await openStage(tarball, report, env);
	return await use(stage).finally(async () => await stage.stop());
}

/** Starts all by a webhook, as in production; gives the seconds until the last one has ended. */
async function runAll(
	{ n8n, service, credential }: Stage,
	waitMode: 'poll' | 'suspend',
	count: number,
): Promise<number> {
	await service.reset({ single: JOB_MS });
	const path = randomUUID();
	const workflowId = await n8n.api.importWorkflow(webhookWorkflow(path, credential, waitMode));
	await n8n.api.activate(workflowId);
	const started = Date.now();
	const numbers = Array.from({ length: count }, (_, n) => n).values();
	const callers = Array.from({ length: CALLERS }, async () => {
		for (const n of numbers) {
			const answer = await fetch(`${n8n.url}webhook/${path}?n=${n}`, { method: 'POST' });
			if (!answer.ok) throw new Error(`The webhook answered ${answer.status}`);
		}
	});
	await Promise.all(callers);
	const filter = encodeURIComponent(JSON.stringify({ workflowId, status: ['success', 'error'] }));
	const ended = async () =>
		await n8n.api.rest<{ count: number }>('GET', `executions?limit=1&filter=${filter}`);
	while ((await ended()).count < count) await delay(LOOK_MS);
	const took = (Date.now() - started) / 1000;
	const failed = await n8n.api.listExecutions({ workflowId, status: ['error'] });
	if (failed.length > 0) throw new Error(`${failed.length} executions failed`);
	return took;
}

function webhookWorkflow(
	path: string,
	credential: CredentialRef,
	waitMode: 'poll' | 'suspend',
): WorkflowJson {
	return triggeredChain(
		`One lookup, ${waitMode}`,
		{
			name: 'Webhook',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			webhookId: path,
			parameters: { path, httpMethod: 'POST', responseMode: 'onReceived', options: {} },
		},
		contactData('Contact Data', credential, {
			resource: 'emailFinder',
			operation: 'submitAndWait',
			fullname: '=Ada Number{{ $json.query.n }}',
			companyDomain: 'acme.com',
			waitMode,
			options: { timeout: 3600 },
		}),
	);
}
