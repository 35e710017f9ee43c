import { afterAll, afterEach, beforeAll, beforeEach, expect, inject } from 'vitest';

import { exitOnSignals } from '../cli/bootstrap.mjs';
import type { CredentialJson, CredentialRef } from './api.mts';
import { startN8n, type N8n } from './n8n.mts';
import { findKeys, holdsKey } from './secrets.mts';
import { startSandbox, type Sandbox } from '../sandbox/server.mts';

/** The n8n and the sandbox of a test file. */
export interface Harness {
	readonly n8n: N8n;
	readonly sandbox: Sandbox;
	/** A saved credential with the sandbox's URL and key. */
	readonly credential: CredentialRef;
}

/** The n8n that this process starts for the first file that asks for nothing special. */
let shared: Promise<N8n> | undefined;
/** Where keys were found, with the folder of their n8n. */
const shown = new Set<string>();

/**
 * Gives the tests of this file an n8n with the packed package, and a sandbox. The sandbox is as new
 * before each test; the workflows and executions in n8n stay. n8n is shared by the files of a
 * process: each leaves nothing that listens or runs. At the end the API key must be nowhere in what
 * n8n has left, nor in any URL or body that n8n sent.
 *
 * @param env more environment for n8n, which is then of this file alone
 */
export function useHarness(env?: Record<string, string>): Harness {
	const harness: { -readonly [Field in keyof Harness]?: Harness[Field] } = {};
	beforeAll(async () => {
		harness.sandbox = await startSandbox();
		harness.n8n = await (env === undefined ? sharedN8n() : start(env));
		harness.credential = await harness.n8n.api.importCredential(credentialFor(harness.sandbox));
	});
	beforeEach(async () => {
		const { n8n, sandbox, credential } = harness;
		if (n8n === undefined || sandbox === undefined || credential === undefined) return;
		sandbox.reset();
		await n8n.api.updateCredential(credential, credentialFor(sandbox));
	});
	afterEach(() => expectNoKeySent(harness.sandbox));
	afterAll(async () => {
		const { n8n, sandbox } = harness;
		try {
			// A failed test may have left it down.
			if (env === undefined && n8n?.isRunning()) await n8n.api.clear();
			expect(n8n === undefined ? [] : await newKeys(n8n)).toEqual([]);
		} finally {
			if (env !== undefined) await n8n?.stop();
			await sandbox?.close();
		}
	});
	return harness as Harness;
}

async function start(env?: Record<string, string>): Promise<N8n> {
	return await startN8n({ tarball: inject('tarball'), env });
}

/** Where keys are that no file before has shown: nothing is removed from an n8n that files share. */
async function newKeys(n8n: N8n): Promise<string[]> {
	const places = await findKeys(n8n);
	const added = places.filter((place) => !shown.has(`${n8n.dataDir} ${place}`));
	for (const place of added) shown.add(`${n8n.dataDir} ${place}`);
	return added;
}

/** As the last file has left it, and running. */
async function sharedN8n(): Promise<N8n> {
	if (shared === undefined) {
		// Vitest ends the process by a signal: n8n and its folder go with an orderly exit only.
		exitOnSignals();
		// The next file tries again.
		shared = start().catch((error: unknown) => {
			shared = undefined;
			throw error;
		});
	}
	const n8n = await shared;
	if (!n8n.isRunning()) await n8n.restart();
	return n8n;
}

/** Asserts that the key is in no URL and no body that a sandbox got: it has a header of its own. */
export function expectNoKeySent(sandbox: Sandbox | undefined): void {
	expect(sandbox?.requests.filter(holdsKey) ?? []).toEqual([]);
	expect(sandbox?.deliveries.filter(holdsKey) ?? []).toEqual([]);
}

/** The credential for an account of a sandbox. @param more of its fields */
export function credentialFor(
	{ baseUrl, apiKey }: Pick<Sandbox, 'baseUrl' | 'apiKey'>,
	name = 'Sandbox',
	more: CredentialJson['data'] = {},
): CredentialJson {
	return {
		name,
		type: 'contactDataApi',
		data: { apiKey, baseUrl, requestsPerSecond: 10, ...more },
	};
}
