import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { expect } from 'vitest';
import { ContactDataTrigger } from '../../../nodes/ContactData/ContactDataTrigger.node.ts';
import { LOOKUPS } from '../../support/sandbox/lookups/index.mts';
import type { Sandbox } from '../../support/sandbox/server.mts';
import type { Kind } from '../../support/sandbox/types.mts';
import { expectNoKey, type Bench } from '../../support/n8nCore/contactData.mts';
import {
	callWebhook,
	type CallWebhookOptions,
	type CallWebhookResult,
} from '../../support/n8nCore/webhook.mts';

export const trigger = new ContactDataTrigger();

export const KINDS: Kind[] = [
	'emailFinderSingle',
	'emailFinderBulk',
	'emailVerifierSingle',
	'emailVerifierBulk',
	'phoneFinderSingle',
	'phoneFinderBulk',
];

/** How many results the lookup of `submit` has, and how many of them are found. */
export const RESULTS: Record<Kind, { listed: number; found: number }> = {
	emailFinderSingle: { listed: 1, found: 1 },
	emailFinderBulk: { listed: 2, found: 1 },
	emailVerifierSingle: { listed: 1, found: 1 },
	emailVerifierBulk: { listed: 2, found: 1 },
	phoneFinderSingle: { listed: 1, found: 1 },
	phoneFinderBulk: { listed: 1, found: 1 },
};

type Found = 'found' | 'notFound';

function searchOf(kind: Kind, found: Found): IDataObject | string {
	const name = found === 'found' ? 'mustfind' : 'notfound';
	if (kind.startsWith('emailFinder'))
		return { fullname: `${name} person`, company_domain: 'acme.example' };
	if (kind.startsWith('phone'))
		return { firstname: name, lastname: 'person', company_domain: 'acme.example' };
	const email = `${name}@acme.example`;
	return kind === 'emailVerifierSingle' ? { email } : email;
}

/** The body of a POST: a batch has one search that is found, and one that is not. */
function payloadOf(kind: Kind, found: Found): IDataObject {
	const search = searchOf(kind, found);
	if (typeof search === 'object' && kind.endsWith('Single')) return search;
	const list = [search, searchOf(kind, 'notFound')];
	return kind === 'emailVerifierBulk' ? { verifications: list } : { searches: list };
}

/** Starts a lookup at the sandbox, without a node, and gives its id. */
export async function submit(
	sandbox: Sandbox,
	kind: Kind,
	{ found = 'found', ...more }: IDataObject & { found?: Found } = {},
	apiKey = sandbox.apiKey,
): Promise<string> {
	const path = [...LOOKUPS.values()].find((lookup) => lookup.kind === kind)?.path;
	const answer = await fetch(`${sandbox.baseUrl}${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
		body: JSON.stringify({ ...payloadOf(kind, found), ...more }),
	});
	const receipt: unknown = await answer.json();
	if (typeof receipt !== 'object' || receipt === null || !('id' in receipt))
		throw new Error(`Not accepted: ${JSON.stringify(receipt)}`);
	return String(receipt.id);
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
	// n8n saves the static data of a call that starts the workflow only if the node has answered.
	expect(call.noWebhookResponse).toBe(true);
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
