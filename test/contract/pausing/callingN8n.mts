import fastify from 'fastify';
import { onTestFinished } from 'vitest';
import { answerOfN8n, asksForN8n } from '../../support/n8nCore/playedN8n.mts';
import {
	resumeWorkflow,
	runWorkflow,
	type ParkedExecution,
	type WorkflowRun,
} from '../../support/n8nCore/workflow.mts';
import { Watch } from '../../support/sandbox/watch.mts';
import type { Suspended } from './suspended.mts';

/** A paused execution in front of n8n's own server, which takes whatever calls about it, and resumes it once. */
export interface Paused {
	/** Goes on once a call has resumed it; fails if none has after that much time. */
	readonly resumedWithin: (ms: number) => Promise<WorkflowRun>;
}

/**
 * Pauses an execution. Nobody calls about it but the node itself, and the service where it sends notifications.
 * @param onCall called before n8n does anything about a call
 */
export async function pauseInN8n(execution: Suspended, onCall = () => {}): Promise<Paused> {
	const watch = new Watch();
	const saved: { parked?: ParkedExecution; resumed?: ParkedExecution } = {};
	const n8n = fastify();
	onTestFinished(async () => {
		n8n.server.closeAllConnections();
		await n8n.close();
	});
	n8n.post('*', async ({ url }, reply) => {
		if (asksForN8n(url)) return await reply.code(404).send(answerOfN8n(url).body);
		onCall();
		const { parked, resumed } = saved;
		if (parked === undefined || resumed !== undefined) return await reply.code(409).send();
		const call = await execution.call(parked);
		saved.resumed ??= call.resumed;
		watch.notify();
		return await reply.code(call.response?.status ?? 500).send();
	});
	const waitingBaseUrl = `${await n8n.listen({ port: 0, host: '127.0.0.1' })}/webhook-waiting`;
	const run = await runWorkflow({ ...execution.workflow, waitingBaseUrl });
	if (run.parked === undefined)
		throw new Error(`Not paused but ${run.status}: ${run.error?.message}`);
	saved.parked = run.parked;
	return {
		resumedWithin: async (ms) => {
			const data = await watch.until(() => saved.resumed, ms).catch(() => undefined);
			if (data === undefined) throw new Error(`Not resumed within ${ms / 60_000} minutes`);
			return await resumeWorkflow(execution.workflow, data);
		},
	};
}
