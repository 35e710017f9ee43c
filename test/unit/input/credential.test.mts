import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { connect, readCredential } from '../../../nodes/ContactData/input/credential.ts';
import { correctBaseUrl, keyMissing, pasteTheKey } from '../../support/texts.mts';

const GOOD = { apiKey: ' k3y ', baseUrl: 'https://api.example.com/', requestsPerSecond: 20 };

async function credentialOf(credentials: IDataObject, execution: Partial<IExecuteFunctions> = {}) {
	const asked: string[] = [];
	// The only parts of n8n's context that reading the credential needs.
	const caller = {
		getCredentials: async (type: string) => {
			asked.push(type);
			return credentials;
		},
		getNode: () => ({ name: 'Contact Data' }),
		...execution,
	} as unknown as IExecuteFunctions;
	const credential = await readCredential(caller);
	expect(asked).toEqual(['contactDataApi']);
	return credential;
}

it('is read from the credential, and holds the key nowhere', async () => {
	const { account } = await credentialOf(GOOD);
	expect(account).toMatchObject({ baseUrl: 'https://api.example.com', requestsPerSecond: 20 });
	expect(account.fingerprint).toBe(
		createHash('sha256').update('https://api.example.com\nk3y').digest('hex'),
	);
	expect(JSON.stringify(account)).not.toContain('k3y');
});

it('hands on what was read, and shows it to nobody', async () => {
	const credential = await credentialOf(GOOD);
	expect(credential.asRead?.()).toEqual({
		credentialsDecrypted: { id: '', name: '', type: 'contactDataApi', data: GOOD },
	});
	expect(inspect(credential, { depth: null, showHidden: true })).not.toContain('k3y');
});

it.for([
	['reads it anew for each request in an execution', true],
	['reads it once outside an execution', false],
] as const)('%s, and hands it to n8n', async ([, inExecution]) => {
	const given: unknown[] = [];
	let readings = 0;
	const caller = {
		getCredentials: async () => ({ ...GOOD, reading: ++readings }),
		getNode: () => ({ name: 'Contact Data' }),
		...(inExecution && { getExecutionCancelSignal: () => undefined }),
		helpers: {
			httpRequestWithAuthentication: async (...args: unknown[]) => void given.push(args[2]),
		},
	} as unknown as IExecuteFunctions;
	const { signal } = new AbortController();
	const connection = await connect(caller);
	for (let n = 0; n < 2; n++) await connection.send({ url: '' }, signal);
	const used = inExecution ? [2, 3] : [1, 1];
	expect(given).toMatchObject(
		used.map((reading) => ({ credentialsDecrypted: { data: { ...GOOD, reading } } })),
	);
	expect(readings).toBe(used[1]);
});

it('takes the key out of texts', async () => {
	const { account } = await credentialOf(GOOD);
	expect(account.redact('k3y and k3y')).toBe('[API key] and [API key]');
});

it.for(['n3w', ' n3w ', '', undefined])(
	'takes out of texts also a key that it is changed to while the execution runs: %j',
	async (apiKey) => {
		let readings = 0;
		const caller = {
			getCredentials: async () => (readings++ === 0 ? GOOD : { ...GOOD, apiKey }),
			getNode: () => ({ name: 'Contact Data' }),
			getExecutionCancelSignal: () => undefined,
			helpers: { httpRequestWithAuthentication: async () => {} },
		} as unknown as IExecuteFunctions;
		const connection = await connect(caller);
		expect(connection.account.redact('k3y n3w')).toBe('[API key] n3w');
		await connection.send({ url: '' }, new AbortController().signal);
		const shown = apiKey?.trim() === 'n3w' ? '[API key]' : 'n3w';
		expect(connection.account.redact('k3y n3w')).toBe(`[API key] ${shown}`);
	},
);

it.for([
	[0.5, 0.5],
	['3', 3],
	[0, 10],
	[-1, 10],
	['many', 10],
	[undefined, 10],
])('a credential with %j requests per second is used at %j', async ([given, taken]) => {
	const { account } = await credentialOf({ ...GOOD, requestsPerSecond: given });
	expect(account.requestsPerSecond).toBe(taken);
});

describe('a credential is refused', () => {
	it.for([undefined, '', ' \n ', 7])('with the key %j', async (apiKey) => {
		await expect(credentialOf({ ...GOOD, apiKey })).rejects.toMatchObject({
			name: 'NodeOperationError',
			message: keyMissing,
			description: pasteTheKey,
		});
	});

	it.for([undefined, 'http://api.example.com'])('with the base URL %j', async (baseUrl) => {
		await expect(credentialOf({ ...GOOD, baseUrl })).rejects.toThrow(/^The 'Base URL' .* must/);
		await expect(credentialOf({ ...GOOD, baseUrl })).rejects.toMatchObject({
			name: 'NodeOperationError',
			description: correctBaseUrl,
		});
	});
});
