import { afterAll, describe, expect, it } from 'vitest';

import { startFront } from '../support/n8n/front.mts';
import { useHarness } from '../support/n8n/harness.mts';
import { asksForN8n } from '../support/n8nCore/playedN8n.mts';
import { CALLBACK_PATH, park, withService, workflow } from './parked.mts';

// n8n is reached at a path of a proxy, which takes the path away.

const PREFIX = '/automation';
const front = await startFront(PREFIX, () => [harness.n8n.url]);
afterAll(() => front.close());

const harness = useHarness({ WEBHOOK_URL: front.url });

describe('behind a path prefix, a parked execution', () => {
	it.each([
		['is called back by the service', 'all'],
		['is called by its own process', 'none'],
	] as const)('%s', async (_, send) => {
		await withService(
			harness,
			{ single: 1_000, webhooks: { send } },
			async (sandbox, credential) => {
				front.paths.length = 0;
				const id = await park(harness, workflow(credential, 2));
				const execution = await harness.n8n.api.waitForEnd(id);
				expect(execution.status).toBe('success');
				expect(execution.json('After').map(({ n }) => n)).toEqual(['0', '1']);
				expect(sandbox.ledger.entries).toHaveLength(2);
				const called = front.paths.filter((path) => !asksForN8n(path));
				expect(called.length).toBeGreaterThan(0);
				for (const path of called) {
					expect(path).toMatch(CALLBACK_PATH);
					expect(path.startsWith(`${PREFIX}/webhook-waiting/${id}/`)).toBe(true);
				}
			},
		);
	});
});
