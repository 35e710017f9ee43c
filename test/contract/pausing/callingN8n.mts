import fastify, { type FastifyReply } from 'fastify';
import { onTestFinished } from 'vitest';
import { answerOfN8n, asksForN8n } from '../../support/n8nCore/playedN8n.mts';
import type { CallWebhookOptions, CallWebhookResult } from '../../support/n8nCore/webhook.mts';
import {
	resumeWorkflow,
	runWorkflow,
	type ParkedExecution,
	type WorkflowRun,
} from '../../support/n8nCore/workflow.mts';
import { Watch } from '../../support/sandbox/watch.mts';
import type { Suspended } from './suspended.mts';

/** A call of the resume URL by the node itself. */
interface Call {
	path: string | undefined;
	key: unknown;
}

/** A paused execution in front of n8n's own server, which takes whatever calls about it, and resumes it once. */
export interface Paused {
	/** The calls of the node itself. */
	readonly calls: Call[];
	/** A callback of the service. */
	readonly call: (options?: Partial<CallWebhookOptions>) => Promise<CallWebhookResult>;
	/** Goes on once a call has resumed it; fails if none has after that much time. */
	readonly resumedWithin: (ms: number) => Promise<WorkflowRun>;
}

interface Options {
	/** Called before n8n does anything about a call of the node. */
	onCall?: () => void;
	/** What comes in place of n8n's answers to the first calls of the node. */
	insteadOfN8n?: Array<(reply: FastifyReply) => void>;
}

/** Pauses an execution. Nobody calls about it but the node, who calls `call`, and a service that sends notifications. */
export async function pauseInN8n(
	execution: Suspended,
	{ onCall = () => {}, insteadOfN8n = [] }: Options = {},
): Promise<Paused> {
	const watch = new Watch();
	const saved: { parked?: ParkedExecution; resumed?: ParkedExecution } = {};
	const calls: Call[] = [];
	const call: Paused['call'] = async (options) => {
		if (saved.parked === undefined) throw new Error('Not paused yet');
		const answer = await execution.call(saved.parked, options);
		saved.resumed ??= answer.resumed;
		watch.notify();
		return answer;
	};
	const n8n = fastify();
	onTestFinished(async () => {
		n8n.server.closeAllConnections();
		await n8n.close();
	});
	n8n.post('*', async ({ url, headers }, reply) => {
		if (asksForN8n(url)) return await reply.code(404).send(answerOfN8n(url).body);
		onCall();
		calls.push({ path: url.split('?')[0], key: headers['x-api-key'] });
		const other = insteadOfN8n.shift();
		if (other !== undefined) return other(reply);
		const { parked, resumed } = saved;
		if (parked === undefined || resumed !== undefined) return await reply.code(409).send();
		const { response } = await call();
		return await reply.code(response?.status ?? 500).send();
	});
	const waitingBaseUrl = `${await n8n.listen({ port: 0, host: '127.0.0.1' })}/webhook-waiting`;
	const run = await runWorkflow({ ...execution.workflow, waitingBaseUrl });
	if (run.parked === undefined)
		throw new Error(`Not paused but ${run.status}: ${run.error?.message}`);
	saved.parked = run.parked;
	return {
		calls,
		call,
		resumedWithin: async (ms) => {
			const data = await watch.until(() => saved.resumed, ms).catch(() => undefined);
			if (data === undefined) throw new Error(`Not resumed within ${ms / 1_000} s`);
			return await resumeWorkflow(execution.workflow, data);
		},
	};
}
