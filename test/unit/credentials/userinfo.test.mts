import type { IExecuteFunctions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { ContactDataApi } from '../../../credentials/ContactDataApi.credentials.ts';
import { normalizeBaseUrl } from '../../../credentials/baseUrl.ts';
import { readCredential } from '../../../nodes/ContactData/input/credential.ts';

const NAME = 'mary';
const PASSWORD = 's3cret-w0rd';

const LOGINS = [
	`https://${NAME}:${PASSWORD}@api.example.com`,
	` https://${NAME}:${PASSWORD}@api.example.com/v2/ `,
	`https://${NAME}@api.example.com`,
	`https://:${PASSWORD}@api.example.com`,
	`https://${NAME}:@api.example.com`,
	`https://${encodeURIComponent('ma@ry')}:${PASSWORD}@api.example.com`,
	`HTTPS://${NAME}:${PASSWORD}@API.EXAMPLE.COM`,
	`https:${NAME}:${PASSWORD}@api.example.com`,
	`https:/\\${NAME}:${PASSWORD}@api.example.com`,
	`http://${NAME}:${PASSWORD}@localhost:3000`,
	`http://${NAME}:${PASSWORD}@127.0.0.1:3000`,
	`http://${NAME}@[::1]:3000`,
	// Somebody else's host, which looks like this machine.
	`http://127.0.0.1:${PASSWORD}@api.example.com`,
];
/** Refused for another reason too, whichever is told. */
const OTHERWISE_WRONG = [
	`http://${NAME}:${PASSWORD}@api.example.com`,
	`ftp://${NAME}:${PASSWORD}@api.example.com`,
	`${NAME}:${PASSWORD}@api.example.com`,
	`https://${NAME}:${PASSWORD}@`,
	`https://${NAME}:${PASSWORD}@api.example.com:port`,
];
const SECRETS = new RegExp(`${NAME}|${PASSWORD}`);

/** All that an error shows or holds. */
function textOf(error: unknown): string {
	if (!(error instanceof Error)) throw new Error('No error');
	const { message, stack, cause } = error;
	return [
		message,
		stack,
		cause instanceof Error ? textOf(cause) : '',
		JSON.stringify(error),
	].join();
}

function refusalOf(baseUrl: string): string {
	try {
		normalizeBaseUrl(baseUrl);
	} catch (error) {
		return textOf(error);
	}
	throw new Error('It was taken');
}

describe('a base URL with a login', () => {
	it.for(LOGINS)('is refused for it, and not repeated: %s', (baseUrl) => {
		const refusal = refusalOf(baseUrl);
		expect(refusal).toMatch(/'Base URL' .*(user ?name|login|password)/i);
		expect(refusal).not.toMatch(SECRETS);
	});

	it.for(OTHERWISE_WRONG)('is not repeated: %s', (baseUrl) => {
		expect(refusalOf(baseUrl)).not.toMatch(SECRETS);
	});

	it('is not an @ in its path', () => {
		const baseUrl = 'https://api.example.com/@team';
		expect(normalizeBaseUrl(baseUrl)).toBe(baseUrl);
	});

	it.for(LOGINS)('gets no key from the credential: %s', async (baseUrl) => {
		const { authenticate } = new ContactDataApi();
		const request = { url: 'https://api.example.com/account/info' };
		const thrown = await authenticate({ apiKey: 'k3y', baseUrl }, request).catch(
			(error: unknown) => error,
		);
		expect(textOf(thrown)).not.toMatch(SECRETS);
	});

	it.for(LOGINS)('is refused by a node before anything is sent, in words: %s', async (baseUrl) => {
		// The only parts of n8n's context that reading the credential needs.
		const caller = {
			getCredentials: async () => ({ apiKey: 'k3y', baseUrl, requestsPerSecond: 10 }),
			getNode: () => ({ name: 'Contact Data' }),
		} as unknown as IExecuteFunctions;
		const thrown = await readCredential(caller).catch((error: unknown) => error);
		expect(thrown).toMatchObject({ name: 'NodeOperationError' });
		expect(textOf(thrown)).toMatch(/'Base URL' .*(user ?name|login|password)/i);
		expect(textOf(thrown)).not.toMatch(SECRETS);
	});
});
