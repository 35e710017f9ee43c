import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { expect } from 'vitest';
import { isRecord } from '../../../nodes/ContactData/common/values.ts';
import { ContactDataTrigger } from '../../../nodes/ContactData/ContactDataTrigger.node.ts';
import { lookupEvents, type LookupEvent } from '../../../nodes/ContactData/lookups/index.ts';
import { LOOKUPS } from '../../support/sandbox/lookups/index.mts';
import type { Sandbox } from '../../support/sandbox/server.mts';
import type { Kind } from '../../support/sandbox/types.mts';
import { expectNoKey, type Bench } from '../../support/n8nCore/contactData.mts';
import type { ServiceInProcess } from '../../support/n8nCore/inProcess.mts';
import { bodyOf } from '../../support/searches.mts';
import {
	callWebhook,
	type CallWebhookOptions,
	type CallWebhookResult,
} from '../../support/n8nCore/webhook.mts';

export const trigger = new ContactDataTrigger();

export const KINDS: Kind[] = [...LOOKUPS.values()].map(({ kind }) => kind);
/** What one call may cause at once: two ids are asked for as each kind. */
export const MAX_READS = 2 * KINDS.length;
/** How often one call asks where that may help. */
export const ROUNDS = 4;

/** How many results the lookup of `submit` has; one of them is found. */
export function listedOf(kind: Kind): number {
	const { size, lookup } = eventOf(kind);
	return size === 'bulk' && lookup.unlistedResult === undefined ? 2 : 1;
}

const WORDS = { found: 'mustfind', notFound: 'notfound' };

export function eventOf(kind: Kind): LookupEvent {
	const event = lookupEvents.find(({ name }) => name === kind);
	if (event === undefined) throw new Error(`The node knows no ${kind}`);
	return event;
}

/**
 * Starts a lookup at the sandbox, without a node, and gives its id. A batch has one search more, which
 * is not found.
 */
export async function submit(
	sandbox: Sandbox,
	kind: Kind,
	{ found = 'found', ...more }: IDataObject & { found?: keyof typeof WORDS } = {},
	apiKey = sandbox.apiKey,
): Promise<string> {
	const event = eventOf(kind);
	const words = event.size === 'single' ? [WORDS[found]] : [WORDS[found], WORDS.notFound];
	const answer = await fetch(`${sandbox.baseUrl}${event.lookup.path}/${event.size}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
		body: JSON.stringify({ ...bodyOf(event, words), ...more }),
	});
	return idIn(await answer.json());
}

/** The same without a connection, of one search that is found. */
export function submitInProcess(
	{ service, credentials }: ServiceInProcess,
	kind: Kind,
	apiKey = credentials.contactDataApi.apiKey,
): string {
	const event = eventOf(kind);
	const { body } = service.handle({
		method: 'POST',
		path: `${event.lookup.path}/${event.size}`,
		query: {},
		headers: { 'x-api-key': apiKey },
		body: bodyOf(event, [WORDS.found]),
	});
	return idIn(body);
}

function idIn(receipt: unknown): string {
	if (!isRecord(receipt) || typeof receipt.id !== 'string')
		throw new Error(`Not accepted: ${JSON.stringify(receipt)}`);
	return receipt.id;
}

export type NotifyOptions = Omit<CallWebhookOptions, 'node' | 'parameters'> & {
	parameters?: INodeParameters;
};

/** A notification to the trigger. Asserts that it is answered, and the key nowhere to be seen. */
export async function notify(
	{ credentials }: Pick<Bench, 'credentials'>,
	body: unknown,
	options: NotifyOptions = {},
): Promise<CallWebhookResult> {
	const call = await callWebhook({ credentials, ...options, body, node: trigger });
	expect(call.error).toBeUndefined();
	expect(call.response).toBeDefined();
	// n8n answers once it has started the workflow, and only then.
	expect(call.noWebhookResponse).toBe(call.workflowData === undefined);
	expectNoKey(call, credentials.contactDataApi.apiKey);
	return call;
}

/** The JSON of the items that a notification starts the workflow with; none if it does not. */
export function started({ workflowData }: CallWebhookResult): IDataObject[] {
	return (workflowData ?? []).flat().map(({ json }) => json);
}

/** Asserts an answer that starts nothing. */
export function expectAnswer(call: CallWebhookResult, status: number, message: string): void {
	expect(call.response).toMatchObject({ status, body: { message } });
	expect(call.workflowData).toBeUndefined();
}
