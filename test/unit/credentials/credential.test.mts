import { describe, expect, test } from 'vitest';
import { ContactDataApi } from '../../../credentials/ContactDataApi.credentials.ts';
import { normalizeBaseUrl } from '../../../credentials/baseUrl.ts';

describe('base URL', () => {
	test.for([
		['https://api.example.com', 'https://api.example.com'],
		[' https://api.example.com/v2// ', 'https://api.example.com/v2'],
		['http://localhost:3000/', 'http://localhost:3000'],
		['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
		['http://[::1]:3000', 'http://[::1]:3000'],
	])('"%s" is taken as "%s"', ([given, normalized]) => {
		expect(normalizeBaseUrl(given)).toBe(normalized);
	});

	test.for([
		'http://api.example.com',
		'http://localhost.example.com',
		'http://127.0.0.1.example.com',
	])('"%s" is refused: the key would go unencrypted', (given) => {
		expect(() => normalizeBaseUrl(given)).toThrow(/'Base URL' .* https:\/\/, because http/);
	});

	test.for([
		'http://127.0.0.1@api.example.com',
		'https://ada@api.example.com',
		'https://ada:s3cret@api.example.com',
		'https://:s3cret@api.example.com',
	])('"%s" is refused: it holds a login, which is not repeated', (given) => {
		expect(() => normalizeBaseUrl(given)).toThrow(/must not contain a user name or a password/);
		expect(() => normalizeBaseUrl(given)).not.toThrow(/ada|s3cret/);
	});

	test.for(['', 'api.example.com', 'ftp://api.example.com', 'https://', undefined, 7])(
		'%o is refused: no https URL',
		(given) => {
			expect(() => normalizeBaseUrl(given)).toThrow(/'Base URL' .* must be a URL/);
		},
	);
});

describe('authenticate', () => {
	const { authenticate } = new ContactDataApi();
	const credentials = { apiKey: 'k3y', baseUrl: 'https://api.example.com' };
	const request = { url: 'https://api.example.com/account/info', headers: { accept: '*/*' } };

	test('adds the key to the headers and forbids redirects', async () => {
		expect(await authenticate(credentials, request)).toEqual({
			...request,
			headers: { accept: '*/*', 'x-api-key': 'k3y' },
			disableFollowRedirect: true,
		});
	});

	test('adds no key where it would go unencrypted', async () => {
		const insecure = { ...credentials, baseUrl: 'http://api.example.com' };
		await expect(authenticate(insecure, request)).rejects.toThrow('unencrypted');
	});
});
