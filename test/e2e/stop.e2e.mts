import { expect, it } from 'vitest';

import { useHarness } from '../support/n8n/harness.mts';
import { callbackUrl, looksOf, park, withService, workflow } from './parked.mts';

const harness = useHarness();

it.for(['poll', 'suspend'])(
	'a waiting execution is stopped, and the ids are kept (%s)',
	async (mode) => {
		await withService(harness, { single: 300_000 }, async (sandbox, credential) => {
			const { api } = harness.n8n;
			const toRun = workflow(credential, 3, { waitMode: mode });
			const id = mode === 'suspend' ? await park(harness, toRun) : await api.startWorkflow(toRun);
			// A parked execution is looked at rarely.
			const looksBefore = mode === 'poll' ? 6 : 1;
			await sandbox.waitFor(() => looksOf(sandbox).length >= looksBefore, 60_000);
			await api.stopExecution(id);
			const execution = await api.waitForEnd(id);
			expect(execution.status).toBe('canceled');
			const paid = sandbox.ledger.entries.map((entry) => entry.id);
			const kept = mode === 'suspend' ? execution.record.data : harness.n8n.logs();
			for (const one of paid) expect(kept).toContain(one);

			const looks = () =>
				looksOf(sandbox).filter(({ query }) => paid.includes(query.id ?? '')).length;
			const before = looks();
			// Another run gives the time in which it would be looked at.
			sandbox.configure({ single: 5_000 });
			await api.runWorkflow(
				workflow(credential, 1, { waitMode: 'poll', companyDomain: 'other.example' }),
			);
			// The process does not learn that a parked execution was stopped.
			expect(looks() - before).toBeLessThanOrEqual(mode === 'suspend' ? paid.length : 0);
			if (mode === 'suspend') {
				const { status } = await fetch(callbackUrl(sandbox), { method: 'POST' });
				expect(status).not.toBe(200);
				expect((await api.getExecution(id)).status).toBe('canceled');
			}
		});
	},
);
