import { afterAll, describe, expect, it } from 'vitest';

import type { CredentialRef, WorkflowJson } from '../support/n8n/api.mts';
import { useHarness } from '../support/n8n/harness.mts';
import { lacks } from '../support/n8n/lacks.mts';
import { findQueuePrograms, startQueueServers } from '../support/n8n/queueServers.mts';
import { ownPort } from '../support/ports.mts';
import { withService, workflow } from './parked.mts';

// n8n's new engine, which a workflow must ask for. It has a database of its own, a PostgreSQL.

const programs = await findQueuePrograms();
const servers = 'missing' in programs ? undefined : await startQueueServers(programs);
afterAll(async () => await servers?.stop());
if ('missing' in programs) {
	console.log(`n8n's new engine is not tested without ${programs.missing}.`);
}

/** Longer than a test: it says when the lookups are over. */
const UNTIL_TOLD_MS = 240_000;

function onNewEngine(credential: CredentialRef, count: number, waitMode: string): WorkflowJson {
	const { settings, ...rest } = workflow(credential, count, { waitMode });
	return { ...rest, settings: { ...settings, engineType: 'v2' } };
}

describe.skipIf(servers === undefined || lacks('the new engine'))("n8n's new engine", async () => {
	const { DB_POSTGRESDB_PORT: port } = servers?.env ?? {};
	const harness = useHarness({
		N8N_ENABLED_MODULES: 'engine-v2',
		N8N_ENGINE_DATABASE_URL: `postgres://n8n@127.0.0.1:${port}/postgres`,
		N8N_ENGINE_HOST: '127.0.0.1',
		N8N_ENGINE_PORT: String(await ownPort()),
		N8N_ENGINE_CONTROL_PLANE_PORT: String(await ownPort()),
	});

	it.each(['poll', 'suspend'])('runs a node that waits by %s', async (waitMode) => {
		await withService(harness, { single: 2_000 }, async (sandbox, credential) => {
			const execution = await harness.n8n.api.runWorkflow(onNewEngine(credential, 3, waitMode));
			expect(execution.status).toBe('success');
			expect(execution.id).toMatch(/^[0-9a-f-]{36}$/);
			expect(execution.json('Find')).toHaveLength(3);
			for (const item of execution.json('Find'))
				expect(item).toMatchObject({ status: 'completed' });
			expect(execution.json('After').map(({ n }) => n)).toEqual(['0', '1', '2']);
			expect(sandbox.ledger.entries).toHaveLength(3);
		});
	});

	it('submits nothing again after n8n was killed', async () => {
		await withService(harness, { single: UNTIL_TOLD_MS }, async (sandbox, credential) => {
			const { n8n } = harness;
			await n8n.api.startWorkflow(onNewEngine(credential, 3, 'poll'));
			await sandbox.waitFor(() => sandbox.ledger.entries.length === 3);
			await n8n.kill();
			await n8n.restart();
			sandbox.configure({ single: 500 });
			const execution = await n8n.api.runWorkflow(onNewEngine(credential, 1, 'poll'));
			expect(execution.status).toBe('success');
			expect(sandbox.ledger.entries).toHaveLength(4);
		});
	});
});
