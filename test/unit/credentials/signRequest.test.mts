import type { IHttpRequestOptions } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { ContactDataApi } from '../../../credentials/ContactDataApi.credentials.ts';
import { keyOnlyForBaseUrl } from '../../support/texts.mts';

// Which requests of whatever node get the API key, and what becomes of them.

const { authenticate } = new ContactDataApi();

const BASE_URL = 'https://api.example.com/v2';
const INFO = 'https://api.example.com/v2/account/info';

async function sign(request: IHttpRequestOptions, baseUrl = BASE_URL) {
	return await authenticate({ apiKey: ' k3y ', baseUrl }, request);
}

it('a request to the service gets the key, and may not be redirected', async () => {
	const request = { url: INFO, headers: { accept: '*/*' }, maxRedirects: 21 };
	expect(await sign(request)).toStrictEqual({
		...request,
		headers: { accept: '*/*', 'x-api-key': 'k3y' },
		disableFollowRedirect: true,
	});
	expect(request).toStrictEqual({ url: INFO, headers: { accept: '*/*' }, maxRedirects: 21 });
});

it.for<[string, IHttpRequestOptions, baseUrl?: string]>([
	['in capitals, with its port', { url: 'HTTPS://API.EXAMPLE.COM:443/x' }],
	['with a query that names another', { url: 'https://api.example.com?u=https://evil.example' }],
	['as a path', { url: '/x', baseURL: 'https://api.example.com' }],
	['as a path without slash', { url: 'x', baseURL: 'https://api.example.com/v2/' }],
	['at its port', { url: 'https://api.example.com:8443/x' }, 'https://api.example.com:8443'],
	['with umlauts', { url: 'https://bücher.example/x' }, 'https://xn--bcher-kva.example'],
])('so does one %s', async ([, request, baseUrl]) => {
	expect((await sign(request, baseUrl)).headers).toStrictEqual({ 'x-api-key': 'k3y' });
});

it.for<[url: string, more?: Partial<IHttpRequestOptions>]>([
	['https://evil.example/x?t=s3cret'],
	['http://api.example.com/x'],
	['https://api.example.com:8443/x'],
	['https://api.example.com.evil.example'],
	['https://evilapi.example.com'],
	['https://api.example.com:443@evil.example/x'],
	['https://evil.example\\@api.example.com/x'],
	['https:\\\\evil.example/x'],
	['ht\ntps://evil.example/x'],
	['blob:https://api.example.com/x'],
	['//api.example.com/x'],
	['/x'],
	[''],
	['/x', { baseURL: 'https://evil.example' }],
	[INFO, { baseURL: 'evil' }],
	['//evil.example/x', { baseURL: BASE_URL }],
	['http:x', { baseURL: BASE_URL }],
])('a request to somebody else is refused: %j %j', async ([url, more]) => {
	const request = { url, ...more };
	await expect(sign(request)).rejects.toThrow(`${keyOnlyForBaseUrl} (https://api.example.com)`);
	await expect(sign(request)).rejects.not.toThrow('s3cret');
});

it('a credential that cannot be used signs nothing', async () => {
	await expect(sign({ url: INFO }, 'http://api.example.com')).rejects.toThrow('unencrypted');
});
