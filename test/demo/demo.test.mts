import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { openElsewhere } from '../support/elsewhere.mts';
import { LOGIN } from '../support/n8n/api.mts';
import { SetupError } from '../support/n8n/install.mts';
import { startSandbox } from '../support/sandbox/server.mts';
import { readFlags } from './flags.mts';
import { locksFor, openService } from './service.mts';

// What the demo does with a real key.

const KEY = 'a-real-key';

beforeEach(() => {
	vi.spyOn(console, 'log').mockReturnValue();
});
afterEach(() => {
	vi.restoreAllMocks();
});

const flagsFor = (baseUrl: string, key: string | undefined = KEY) =>
	readFlags(['--base-url', baseUrl], { CONTACT_DATA_API_KEY: key });

it.for([
	['http://api.example', 'unencrypted'],
	['https://user:secret@api.example', 'a user name or a password'],
	['https://api.example?key=1', 'must not contain "?"'],
	['ftp://api.example', 'https://'],
	['api.example', 'https://'],
])('takes no base URL that the credential refuses: %s', ([baseUrl, why]) => {
	expect(() => flagsFor(baseUrl)).toThrow(SetupError);
	expect(() => flagsFor(baseUrl)).toThrow(why);
	expect(() => flagsFor(baseUrl)).not.toThrow(KEY);
});

it('takes no key that the credential refuses, and needs one', () => {
	expect(() => flagsFor('https://api.example', 'kéy')).toThrow('API Key');
	expect(() => flagsFor('https://api.example', '')).toThrow('CONTACT_DATA_API_KEY');
	const { real } = flagsFor(' https://api.example/v1/ ', ` ${KEY} `);
	expect(real).toEqual({ baseUrl: 'https://api.example/v1', apiKey: KEY });
});

it('follows no redirect: another host would get the key', async () => {
	const elsewhere = await openElsewhere();
	const server = createServer((_, response) => {
		response.writeHead(302, { location: `${elsewhere.url}account/info` }).end();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	await expect(openService(flagsFor(`http://127.0.0.1:${port}`))).rejects.toThrow('302');
	expect(elsewhere.visits).toEqual([]);
	await new Promise((resolve) => server.close(resolve));
	await elsewhere.close();
});

it('locks the n8n that holds a real key with secrets that nobody can read here', async () => {
	const sandbox = await startSandbox();
	const { baseUrl, apiKey } = sandbox;
	const real = await openService(flagsFor(baseUrl, apiKey));
	const [one, other] = [locksFor(real), locksFor(real)];
	for (const { login, env } of [one, other]) {
		expect(login.password).toMatch(/^(?=.*[A-Z])(?=.*\d).{20,64}$/);
		expect(login.password).not.toBe(LOGIN.password);
		expect(env?.N8N_ENCRYPTION_KEY).toMatch(/^.{20,}$/);
	}
	expect(one.login.password).not.toBe(other.login.password);
	expect(one.env?.N8N_ENCRYPTION_KEY).not.toBe(other.env?.N8N_ENCRYPTION_KEY);
	expect(locksFor({ sandbox })).toEqual({ login: LOGIN, env: undefined });
	await sandbox.close();
});
