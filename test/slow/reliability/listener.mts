import { randomUUID } from 'node:crypto';

import { contactDataTrigger, startsOf } from '../../support/n8n/trigger.mts';
import type { CredentialRef, N8nApi } from '../../support/n8n/api.mts';
import type { Execution } from '../../support/n8n/execution.mts';
import { triggeredChain } from '../../support/n8n/workflows.mts';
import type { Sandbox } from '../../support/sandbox/server.mts';
import { NODE } from './outcome.mts';

/** A published workflow that is nothing but the trigger, registered in the account. */
export interface Listener {
	readonly workflowId: string;
	/** The executions that it has started, when they are over. */
	readonly executions: () => Promise<Execution[]>;
}

/** @param webhookUrl where n8n serves webhooks, with a trailing slash */
export async function publishListener(
	{ api, webhookUrl }: { api: N8nApi; webhookUrl: string },
	credential: CredentialRef,
	{ service }: Pick<Sandbox, 'service'>,
): Promise<Listener> {
	const webhookId = randomUUID();
	const trigger = { ...contactDataTrigger(credential, webhookId), name: NODE };
	const workflowId = await api.importWorkflow(triggeredChain('Listener', trigger));
	await api.activate(workflowId);
	const url = `${webhookUrl}webhook/${webhookId}/webhook`;
	service.account().webhooks = [url];
	return {
		workflowId,
		executions: async () =>
			await Promise.all(
				(await startsOf(api, workflowId)).map(async ({ id }) => await api.waitForEnd(id)),
			),
	};
}
