import { inspect } from 'node:util';
import type { IExecuteFunctions, INode, IWebhookFunctions } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
	connect,
	connectForCallback,
	connectForGood,
} from '../../../nodes/ContactData/run/credential.ts';
import { toAccount } from '../../../nodes/ContactData/service/request.ts';
import { keyMissing } from '../../support/texts.mts';

const GOOD = { apiKey: ' k3y ', baseUrl: 'https://api.example.com/', requestsPerSecond: 20 };
const { signal } = new AbortController();

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The parts of n8n's context that a connection needs, with a credential that may change. */
function contextWith(credential: object, id = 'usual') {
	const state = { credential, readings: 0 };
	const sent: Array<{ apiKey: unknown; isStopped: boolean | undefined }> = [];
	const credentials: INode['credentials'] = { contactDataApi: { id, name: '' } };
	const context = {
		getNode: () => ({ name: 'Contact Data', id: 'node', credentials }),
		getExecutionCancelSignal: () => AbortSignal.abort(),
		getInputData: () => [{ json: {} }],
		getCredentials: async () => {
			state.readings++;
			return await Promise.resolve(state.credential);
		},
		helpers: {
			async httpRequestWithAuthentication(
				this: IExecuteFunctions,
				...[, , given]: Array<{ credentialsDecrypted: { data: { apiKey: unknown } } }>
			) {
				const { apiKey } = given?.credentialsDecrypted.data ?? {};
				sent.push({ apiKey, isStopped: this.getExecutionCancelSignal()?.aborted });
				await Promise.resolve();
			},
		},
	} as unknown as IExecuteFunctions;
	return { context, state, sent };
}

const accountOf = async (credential: object) =>
	(await connect(contextWith(credential).context)).account;

it('the account of a credential shows its key to nobody', async () => {
	const account = await accountOf(GOOD);
	expect(account).toMatchObject({ baseUrl: 'https://api.example.com', requestsPerSecond: 20 });
	expect(inspect(account, { depth: null, showHidden: true })).not.toContain('k3y');
});

it('a run signs all its requests with the key that it has read at its start', async () => {
	const { context, state, sent } = contextWith(GOOD);
	const connection = await connect(context);
	state.credential = { ...GOOD, apiKey: 'an0ther' };
	for (const method of ['GET', 'POST'] as const) await connection.send({ url: '', method }, signal);
	expect(state.readings).toBe(1);
	expect(sent.map(({ apiKey }) => apiKey)).toEqual([' k3y ', ' k3y ']);
});

it.for([
	[0.5, 0.5],
	['3', 3],
	[0, 10],
	[-1, 10],
	['many', 10],
	[undefined, 10],
])('a credential with %j requests per second is used at %j', async ([given, taken]) => {
	const account = await accountOf({ ...GOOD, requestsPerSecond: given });
	expect(account.requestsPerSecond).toBe(taken);
});

describe('callbacks', () => {
	let workflows = 0;

	/** A callback; of another node, user, … where that is given. */
	function callbackOf(
		{ context }: ReturnType<typeof contextWith>,
		{ workflow = `${workflows}`, node = 'node', mode = 'trigger', user = '' } = {},
	) {
		const own = { getWorkflow: () => ({ id: workflow }), getMode: () => mode };
		const caller = {
			...context,
			...own,
			getNode: () => ({ ...context.getNode(), id: node }),
			getExecutionContext: () => (user === '' ? undefined : { credentials: user }),
		} as unknown as IWebhookFunctions;
		return connectForCallback(caller);
	}

	beforeEach(() => void workflows++);

	it('of five seconds share one reading, those after it make another', async () => {
		const caller = contextWith(GOOD);
		await Promise.all([callbackOf(caller), callbackOf(caller)]);
		expect(caller.state.readings).toBe(1);
		await vi.advanceTimersByTimeAsync(5_000);
		await callbackOf(caller);
		expect(caller.state.readings).toBe(2);
	});

	it('share a failure with nobody who comes later', async () => {
		const caller = contextWith({ ...GOOD, apiKey: '' });
		await expect(callbackOf(caller)).rejects.toThrow(keyMissing);
		caller.state.credential = GOOD;
		await expect(callbackOf(caller)).resolves.toBeDefined();
	});

	it.for([
		{ workflow: 'another' },
		{ node: 'another' },
		{ mode: 'manual' },
		{ user: 'another' },
		{ credential: 'another' },
	])('share no key with those of %j', async ({ credential, ...other }) => {
		const [one, another] = [contextWith(GOOD), contextWith(GOOD, credential)];
		await Promise.all([callbackOf(one), callbackOf(another, other)]);
		expect(another.state.readings).toBe(1);
	});
});

describe('a connection that outlives its execution', () => {
	it('goes on when the execution is stopped, and follows a change of the credential soon', async () => {
		const { context, state, sent } = contextWith({ ...GOOD, apiKey: 'k3y' }, 'c1');
		const connection = connectForGood(context, toAccount('k3y', GOOD.baseUrl, 10));
		expect(connection.credentialId).toBe('c1');
		await Promise.all([1, 2, 3].map(async () => await connection.send({ url: '' }, signal)));
		expect(state.readings).toBe(1);
		state.credential = { ...GOOD, apiKey: 'an0ther' };
		await vi.advanceTimersByTimeAsync(5_000);
		await connection.send({ url: '' }, signal);
		expect(new Set(sent.map(({ isStopped }) => isStopped))).toEqual(new Set([false]));
		expect(sent.map(({ apiKey }) => apiKey)).toEqual(['k3y', 'k3y', 'k3y', 'an0ther']);
	});
});
