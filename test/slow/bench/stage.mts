import { setTimeout as delay } from 'node:timers/promises';

import type { CredentialRef, WorkflowJson } from '../../support/n8n/api.mts';
import type { Execution } from '../../support/n8n/execution.mts';
import { startN8n, type N8n } from '../../support/n8n/n8n.mts';
import { startService, type Service } from './service.mts';
import { ownWorkflow, SOURCE } from './workflows.mts';

/** A real n8n with the packed package, in front of the sandbox. */
export interface Stage {
	readonly n8n: N8n;
	readonly service: Service;
	readonly credential: CredentialRef;
	readonly stop: () => Promise<void>;
}

const RUN_TIMEOUT_MS = 30 * 60_000;
const SETTLE_MS = 3_000;

/** @param env more environment for n8n */
export async function openStage(
	tarball: string,
	report: (line: string) => void,
	env: Record<string, string> = {},
): Promise<Stage> {
	const service = await startService();
	const n8n = await startN8n({ tarball, report, env });
	const credential = await saveCredential(n8n, service);
	const stage: Stage = {
		n8n,
		service,
		credential,
		stop: async () => {
			await n8n.stop();
			service.stop();
		},
	};
	await warmUp(stage);
	return stage;
}

/** Saves the credential of the service, and changes it with its key. */
export async function saveCredential({ api }: N8n, service: Service): Promise<CredentialRef> {
	const holding = (apiKey: string) => ({
		name: 'Sandbox',
		type: 'contactDataApi',
		data: { apiKey, baseUrl: service.baseUrl, requestsPerSecond: 10 },
	});
	const credential = await api.importCredential(holding(service.apiKey));
	service.onNewKey = async (apiKey) => await api.updateCredential(credential, holding(apiKey));
	return credential;
}

/** n8n loads nodes and starts its task runner at the first execution that needs them. */
export async function warmUp({ n8n, service, credential }: Stage): Promise<void> {
	await service.reset({ bulk: 100 });
	await runToEnd(n8n, ownWorkflow(credential, 'submitBulkAndWait', 100));
}

/** Runs a workflow to its end. @throws where it failed */
export async function runToEnd(n8n: N8n, workflow: WorkflowJson): Promise<Execution> {
	const id = await n8n.api.startWorkflow(workflow);
	for (;;) {
		try {
			const execution = await n8n.api.waitForEnd(id, { timeoutMs: RUN_TIMEOUT_MS });
			if (execution.status === 'success') return execution;
			throw new Error(`${workflow.name}: ${execution.error?.message ?? execution.status}`);
		} catch (error) {
			// A connection that n8n closes while it is busy says nothing of the execution.
			if (!(error instanceof TypeError)) throw error;
			await delay(SETTLE_MS);
		}
	}
}

/** Seconds from the end of the node that makes the items to the end of the last node. */
export function secondsAfterSource({ data }: Execution): number {
	const { [SOURCE]: source, ...others } = data.resultData.runData;
	const ends = Object.values(others)
		.flat()
		.map(({ startTime, executionTime }) => startTime + executionTime);
	const [made] = source ?? [];
	if (made === undefined) throw new Error(`The execution has no node ${SOURCE}`);
	return (Math.max(...ends) - made.startTime - made.executionTime) / 1000;
}
