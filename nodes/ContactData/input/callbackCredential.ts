import type { IWebhookFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import type { Connection } from '../service/request';
import type { Credential } from './credential';
import { CREDENTIAL_TYPE, readCredential, toConnection } from './credential';

/** A change of the credential counts after this time. */
const SHARED_FOR_MS = 1000;

/** Readings under way or of the last second; each takes itself out. */
const readings = new Map<string, Promise<Credential>>();

/**
 * The connection of a node that takes a callback. Callbacks come in bursts, and outside an execution
 * n8n makes a V8 isolate for each reading of a credential, so those of a second share one: of the
 * same node, in the same mode, for the same user.
 * @throws NodeOperationError as `connect` does; a failure is shared by nobody who comes later
 */
export async function connectForCallback(context: IWebhookFunctions): Promise<Connection> {
	return toConnection(context, await readSharedCredential(context));
}

async function readSharedCredential(context: IWebhookFunctions): Promise<Credential> {
	const node = context.getNode();
	const name = JSON.stringify([
		context.getWorkflow().id,
		node.id,
		node.credentials?.[CREDENTIAL_TYPE]?.id,
		context.getMode(),
		context.getExecutionContext()?.credentials,
	]);
	const shared = readings.get(name);
	if (shared !== undefined) return await shared;

	const reading = readCredential(context);
	readings.set(name, reading);
	const forget = () => readings.delete(name);
	void reading.then(async () => await sleep(SHARED_FOR_MS)).then(forget, forget);
	return await reading;
}
