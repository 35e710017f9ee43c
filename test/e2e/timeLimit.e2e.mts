import { describe, expect, it } from 'vitest';

import { useHarness } from '../support/n8n/harness.mts';
import { chain, contactData, items } from '../support/n8n/workflows.mts';
import { people } from '../support/people.mts';
import { FIND } from './paid.mts';

const harness = useHarness();

const idsCharged = () => harness.sandbox.ledger.entries.map(({ id }) => id);

describe("a wait ends before the workflow's time limit, and its IDs come out", () => {
	const find = (executionTimeout: number, parameters: object) => {
		const workflow = chain(
			'Time limit',
			items('People', people(2)),
			contactData('Find', harness.credential, {
				...FIND,
				options: { timeout: 7200 },
				...parameters,
			}),
		);
		return { ...workflow, settings: { ...workflow.settings, executionTimeout } };
	};

	it('with ongoing items, while it is paused', { tags: 'long', timeout: 330_000 }, async () => {
		harness.sandbox.configure({ single: 600_000 });
		const { api } = harness.n8n;
		const id = await api.startWorkflow(find(205, { waitMode: 'suspend' }));
		await api.waitForStatus(id, (status) => status === 'waiting');
		const run = await api.waitForEnd(id, { timeoutMs: 300_000 });
		expect(run.status).toBe('success');
		expect(run.json('Find').map((item) => item.status)).toEqual(['ongoing', 'ongoing']);
		expect(run.json('Find').map((item) => item.search_id)).toEqual(idsCharged());
	});
});
