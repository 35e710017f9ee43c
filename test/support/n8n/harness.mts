import { afterAll, afterEach, beforeAll, beforeEach, expect, inject } from 'vitest';

import type { CredentialJson, CredentialRef } from './api.mts';
import { type N8n, startN8n } from './n8n.mts';
import { findKeys, holdsKey } from './secrets.mts';
import { type Sandbox, startSandbox } from '../sandbox/server.mts';

/** The n8n and the sandbox of a test file. */
export interface Harness {
	readonly n8n: N8n;
	readonly sandbox: Sandbox;
	/** A saved credential with the sandbox's URL and key. */
	readonly credential: CredentialRef;
}

/**
 * Starts an n8n with the packed package, and a sandbox, for the tests of this file. The sandbox is
 * as new before each test; the workflows and executions in n8n stay. At the end the API key must be
 * nowhere in what n8n has left, nor in any URL or body that n8n sent.
 *
 * @param env more environment for n8n
 */
export function useHarness(env: Record<string, string> = {}): Harness {
	const harness: { -readonly [Field in keyof Harness]?: Harness[Field] } = {};
	beforeAll(async () => {
		harness.sandbox = await startSandbox();
		harness.n8n = await startN8n({ tarball: inject('tarball'), env });
		harness.credential = await harness.n8n.api.importCredential(credentialFor(harness.sandbox));
	});
	beforeEach(() => harness.sandbox?.reset());
	afterEach(() => expectNoKeySent(harness.sandbox));
	afterAll(async () => {
		const { n8n } = harness;
		const places = n8n === undefined ? [] : await findKeys(n8n);
		await n8n?.stop();
		await harness.sandbox?.close();
		expect(places).toEqual([]);
	});
	return harness as Harness;
}

/** Asserts that the key is in no URL and no body that a sandbox got: it has a header of its own. */
export function expectNoKeySent(sandbox: Sandbox | undefined): void {
	expect(sandbox?.requests.filter(holdsKey) ?? []).toEqual([]);
	expect(sandbox?.deliveries.filter(holdsKey) ?? []).toEqual([]);
}

/** The credential for an account of a sandbox. */
export function credentialFor(
	{ baseUrl, apiKey }: Pick<Sandbox, 'baseUrl' | 'apiKey'>,
	name = 'Sandbox',
): CredentialJson {
	return { name, type: 'contactDataApi', data: { apiKey, baseUrl, requestsPerSecond: 10 } };
}
