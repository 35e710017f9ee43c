import type { IHttpRequestOptions, IRequestOptions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { ContactDataApi } from '../../../credentials/ContactDataApi.credentials.ts';
import { keyOnlyForBaseUrl } from '../../support/texts.mts';

// Which requests of whatever node get the API key, and what becomes of them.

const { authenticate } = new ContactDataApi();

const BASE_URL = 'https://api.example.com/v2';
const INFO = 'https://api.example.com/v2/account/info';

async function sign(request: Partial<IHttpRequestOptions> | IRequestOptions, baseUrl = BASE_URL) {
	// As n8n does: the requests of its older helper have `uri`.
	return await authenticate({ apiKey: ' k3y ', baseUrl }, request as IHttpRequestOptions);
}

describe('a request to the service', () => {
	it('gets the key, and may not be redirected', async () => {
		const request = { url: INFO, headers: { accept: '*/*' }, maxRedirects: 21 };
		expect(await sign(request)).toStrictEqual({
			...request,
			headers: { accept: '*/*', 'x-api-key': 'k3y' },
			disableFollowRedirect: true,
		});
		expect(request).toStrictEqual({ url: INFO, headers: { accept: '*/*' }, maxRedirects: 21 });
	});

	it.for<[string, IHttpRequestOptions]>([
		['of another path', { url: 'https://api.example.com/' }],
		['in capitals', { url: 'HTTPS://API.EXAMPLE.COM/x' }],
		['with its port', { url: 'https://api.example.com:443/x' }],
		['with a login', { url: 'https://mary:pw@api.example.com/x' }],
		['with a query that names another', { url: 'https://api.example.com?u=https://evil.example' }],
		['as a path', { url: '/x', baseURL: 'https://api.example.com' }],
		['as a path without slash', { url: 'x', baseURL: 'https://api.example.com/v2/' }],
	])('%s', async ([, request]) => {
		expect((await sign(request)).headers).toStrictEqual({ 'x-api-key': 'k3y' });
	});

	it.for([
		['https://bücher.example', 'https://XN--BCHER-KVA.example/x'],
		['https://xn--bcher-kva.example', 'https://bücher.example/x'],
		['https://api.example.com:8443', 'https://api.example.com:8443/x'],
		['https://[2001:db8::1]', 'https://[2001:0DB8:0:0:0:0:0:1]/x'],
		['http://[::1]:3000', 'http://[0:0::1]:3000/x'],
		['http://127.0.0.1:3000', 'http://127.1:3000/x'],
	])('at %s, asked as %s', async ([baseUrl, url]) => {
		expect((await sign({ url: url ?? '' }, baseUrl)).headers).toStrictEqual({ 'x-api-key': 'k3y' });
	});

	it('on this machine passes no proxy, whichever the request names', async () => {
		const proxy = { host: 'proxy.example', port: 3128 };
		for (const [baseUrl, itself] of [
			['http://localhost:3000', { protocol: 'http', host: 'localhost', port: 3000 }],
			['http://127.0.0.1', { protocol: 'http', host: '127.0.0.1', port: 80 }],
			['http://[::1]:3000', { protocol: 'http', host: '[::1]', port: 3000 }],
		] as const) {
			expect((await sign({ url: baseUrl, proxy }, baseUrl)).proxy).toStrictEqual(itself);
		}
		expect((await sign({ url: INFO, proxy })).proxy).toStrictEqual(proxy);
	});
});

describe('a request to somebody else is refused', () => {
	it.for([
		'https://evil.example/x?t=s3cret',
		'http://api.example.com/x',
		'https://api.example.com:8443/x',
		'https://api.example.com./x',
		'https://api.example.com.evil.example',
		'https://evilapi.example.com',
		'https://api.example.com@evil.example/x',
		'https://api.example.com:443@evil.example/x',
		'https://evil.example\\@api.example.com/x',
		'https://evil.example#@api.example.com/x',
		'https:\\\\evil.example/x',
		'https:evil.example/x',
		'\thttps://evil.example/x',
		'ht\ntps://evil.example/x',
		'https://аpi.example.com/x',
		'https://[::ffff:10.0.0.1]/x',
		'blob:https://api.example.com/x',
		'//api.example.com/x',
		'/x',
		'',
	])('%j', async (url) => {
		await expect(sign({ url })).rejects.toThrow(`${keyOnlyForBaseUrl} (https://api.example.com)`);
		await expect(sign({ url })).rejects.not.toThrow('s3cret');
	});

	it.for<[string, Partial<IHttpRequestOptions>]>([
		['a path at another base', { url: '/x', baseURL: 'https://evil.example' }],
		['a base that is no URL', { url: INFO, baseURL: 'evil' }],
		['an address over the right base', { url: 'https://evil.example', baseURL: BASE_URL }],
		['a host over the right base', { url: '//evil.example/x', baseURL: BASE_URL }],
		['the same with backslashes', { url: '\\\\evil.example/x', baseURL: BASE_URL }],
		['another scheme over the right base', { url: 'http:x', baseURL: BASE_URL }],
		['no address', {}],
	])('%s', async ([, request]) => {
		await expect(sign(request)).rejects.toThrow('The API key is only sent to');
	});
});

it('a credential that cannot be used signs nothing', async () => {
	await expect(sign({ url: INFO }, 'http://api.example.com')).rejects.toThrow('unencrypted');
});
