import type { INode, IWebhookFunctions } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { connectForCallback } from '../../../nodes/ContactData/input/callbackCredential.ts';
import { keyMissing } from '../../support/texts.mts';

let readings = 0;
let apiKey: string | undefined;
let tests = 0;
let workflowId = '';

beforeEach(() => {
	vi.useFakeTimers();
	readings = 0;
	apiKey = 'k3y';
	// What one test has read is not another's.
	workflowId = `workflow ${++tests}`;
});
afterEach(() => vi.useRealTimers());

interface Callback {
	workflowId?: string;
	nodeId?: string;
	mode?: string;
	user?: string;
	/** What n8n keeps in the node about its credentials. */
	credentials?: INode['credentials'];
}

const READ_MS = 50;

const credential = (id: string) => ({ contactDataApi: { id, name: '' } });

/** The parts of n8n's context that reading the account of a callback needs. */
async function call(callback: Callback = {}) {
	const { nodeId = 'node', mode = 'trigger', user } = callback;
	const context = {
		getWorkflow: () => ({ id: callback.workflowId ?? workflowId }),
		getNode: () => ({
			name: 'Contact Data',
			id: nodeId,
			credentials: 'credentials' in callback ? callback.credentials : credential('usual'),
		}),
		getMode: () => mode,
		getExecutionContext: () => (user === undefined ? undefined : { credentials: user }),
		getCredentials: async () => {
			readings++;
			await new Promise((resolve) => setTimeout(resolve, READ_MS));
			return { apiKey, baseUrl: 'https://api.example.com', requestsPerSecond: 10 };
		},
	} as unknown as IWebhookFunctions;
	return (await connectForCallback(context)).account;
}

it('callbacks of a second share one reading, those after it make another', async () => {
	const first = Promise.all([call(), call()]);
	await vi.advanceTimersByTimeAsync(READ_MS);
	await first;
	await vi.advanceTimersByTimeAsync(999);
	apiKey = 'an0ther';
	expect((await call()).redact('k3y')).toBe('[API key]');
	expect(readings).toBe(1);

	await vi.advanceTimersByTimeAsync(1);
	const later = call();
	await vi.advanceTimersByTimeAsync(READ_MS);
	expect((await later).redact('an0ther')).toBe('[API key]');
	expect(readings).toBe(2);
});

it('a failure is shared by nobody who comes later', async () => {
	apiKey = undefined;
	const failing = Promise.allSettled([call(), call()]);
	await vi.advanceTimersByTimeAsync(READ_MS);
	expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
	apiKey = 'k3y';
	const next = call();
	await vi.advanceTimersByTimeAsync(READ_MS);
	await expect(next).resolves.toMatchObject({ requestsPerSecond: 10 });
	expect(readings).toBe(2);
});

it.for([undefined, {}])('what is wrong with the credentials %j n8n says', async (credentials) => {
	apiKey = undefined;
	const failing = expect(call({ credentials })).rejects.toThrow(keyMissing);
	await vi.advanceTimersByTimeAsync(READ_MS);
	await failing;
});

describe('nothing is shared with', () => {
	it.for<[string, Callback]>([
		['another workflow', { workflowId: 'another' }],
		['another node', { nodeId: 'another' }],
		['another credential', { credentials: credential('another') }],
		['another mode', { mode: 'manual' }],
		['another user', { user: 'another' }],
	])('%s', async ([, other]) => {
		const both = Promise.all([call(), call(other)]);
		await vi.advanceTimersByTimeAsync(READ_MS);
		await both;
		expect(readings).toBe(2);
	});
});
