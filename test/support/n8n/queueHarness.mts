import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject } from 'vitest';

import type { CredentialRef } from './api.mts';
import { startQueueModeN8n, type QueueModeN8n, type QueueModeOptions } from './queue.mts';
import { findQueuePrograms } from './queueServers.mts';
import { holdsKey } from './secrets.mts';
import { startSandbox, type Sandbox } from '../sandbox/server.mts';
import { credentialFor, expectNoKeySent } from './harness.mts';

/** The n8n in queue mode and the sandbox of a test file. */
export interface QueueHarness {
	readonly n8n: QueueModeN8n;
	readonly sandbox: Sandbox;
	/** A saved credential with the sandbox's URL and key. */
	readonly credential: CredentialRef;
}

const programs = await findQueuePrograms();

/**
 * Describes tests that share an n8n in queue mode with the packed package, and a sandbox that is as
 * new before each test; at the end the API key must be in no log. Where a program for queue mode is
 * missing they are skipped, and it says so.
 */
export function describeQueueMode(
	define: (harness: QueueHarness) => void,
	options: QueueModeOptions = {},
): void {
	if ('missing' in programs) {
		console.log(`Queue mode is not tested without ${programs.missing}.`);
	}
	describe.skipIf('missing' in programs)('n8n in queue mode', () => {
		const harness: { -readonly [Field in keyof QueueHarness]?: QueueHarness[Field] } = {};
		beforeAll(async () => {
			if ('missing' in programs) return;
			harness.sandbox = await startSandbox();
			harness.n8n = await startQueueModeN8n(programs, inject('tarball'), options);
			const { api } = harness.n8n.main;
			harness.credential = await api.importCredential(credentialFor(harness.sandbox));
		});
		beforeEach(async () => {
			const { n8n, sandbox, credential } = harness;
			sandbox?.reset();
			if (n8n === undefined || sandbox === undefined || credential === undefined) return;
			await n8n.main.api.updateCredential(credential, credentialFor(sandbox));
		});
		afterEach(() => expectNoKeySent(harness.sandbox));
		afterAll(async () => {
			const logs = harness.n8n?.logs() ?? '';
			await harness.n8n?.stop();
			await harness.sandbox?.close();
			expect(holdsKey(logs)).toBe(false);
		});
		define(harness as QueueHarness);
	});
}
