import type { IExecuteFunctions, INode } from 'n8n-workflow';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { connectForGood } from '../../../nodes/ContactData/input/credential.ts';
import { toAccount } from '../../../nodes/ContactData/service/account.ts';

const ACCOUNT = toAccount('k3y', 'https://api.example.com', 10);
const { signal } = new AbortController();

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

/** A connection of an execution that was stopped, and what n8n was told to sign with it. */
function connect(credentials: INode['credentials'] = { contactDataApi: { id: 'c1', name: '' } }) {
	const signed: Array<{ apiKey: unknown; isStopped: boolean | undefined }> = [];
	const key = { now: 'k3y', isThere: true, readings: 0 };
	const context = {
		getNode: () => ({ name: 'Contact Data', credentials }),
		getExecutionCancelSignal: () => AbortSignal.abort(),
		async getCredentials() {
			key.readings++;
			if (!key.isThere) throw new Error('The database does not answer');
			return { apiKey: key.now, baseUrl: ACCOUNT.baseUrl };
		},
		helpers: {
			async httpRequestWithAuthentication(
				this: IExecuteFunctions,
				...[, , given]: Array<{ credentialsDecrypted: { data: { apiKey: unknown } } }>
			) {
				const { apiKey } = given?.credentialsDecrypted.data ?? {};
				signed.push({ apiKey, isStopped: this.getExecutionCancelSignal()?.aborted });
			},
		},
	} as unknown as IExecuteFunctions;
	return { connection: connectForGood(context, ACCOUNT), signed, key };
}

it('goes on when the execution is stopped', async () => {
	const { connection, signed } = connect();
	await connection.send({ url: '' }, signal);
	expect(signed).toEqual([{ apiKey: 'k3y', isStopped: false }]);
});

it('follows a change of the credential after a minute, and reads it no more often', async () => {
	const { connection, signed, key } = connect();
	await connection.send({ url: '' }, signal);
	key.now = 'an0ther';
	await vi.advanceTimersByTimeAsync(59_999);
	await connection.send({ url: '' }, signal);
	await vi.advanceTimersByTimeAsync(1);
	await connection.send({ url: '' }, signal);
	expect(signed.map(({ apiKey }) => apiKey)).toEqual(['k3y', 'k3y', 'an0ther']);
});

it('reads the credential once for all that are sent at the same time', async () => {
	const { connection, signed, key } = connect();
	await Promise.all([1, 2, 3].map(async () => await connection.send({ url: '' }, signal)));
	expect(signed).toHaveLength(3);
	expect(key.readings).toBe(1);
});

it('reads the credential again at once where that failed', async () => {
	const { connection, signed, key } = connect();
	key.isThere = false;
	await expect(connection.send({ url: '' }, signal)).rejects.toThrow('does not answer');
	key.isThere = true;
	await connection.send({ url: '' }, signal);
	expect(signed).toHaveLength(1);
});

it('knows its credential, where n8n has told which it is', () => {
	expect(connect().connection.credentialId).toBe('c1');
	expect(connect({}).connection.credentialId).toBe('');
	expect(connect({ contactDataApi: { id: null, name: '' } }).connection.credentialId).toBe('');
});
