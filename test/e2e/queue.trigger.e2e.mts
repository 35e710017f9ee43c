import { describe, expect, it } from 'vitest';

import { readExample } from '../support/n8n/examples.mts';
import { describeQueueMode } from '../support/n8n/queueHarness.mts';
import {
	notify,
	removeCap,
	saveListener,
	setWebhook,
	startLookup,
	startsOf,
	triggerUrlOf,
	type TriggerStage,
	waitForStart,
} from '../support/n8n/trigger.mts';
import { seenBefore } from '../support/texts.mts';

const SEEN = { status: 200, message: seenBefore };

describeQueueMode(
	(harness) => {
		const stage = (): TriggerStage => ({
			...harness,
			n8n: { ...harness.n8n, api: harness.n8n.main.api },
		});

		it('a workflow goes on by its own trigger, whose URL the workers must be given', async () => {
			const { n8n, sandbox, credential } = stage();
			const { api } = n8n;
			const example = await readExample('submit-and-continue-by-trigger', credential);
			removeCap(example, 'Start Batch');
			const id = await api.importWorkflow(example);
			await api.activate(id);
			const refused = await api.runWorkflow(id);
			expect(refused.nodeError('Start Batch')?.description).toContain('choose By URL');
			expect(sandbox.ledger.entries).toEqual([]);

			setWebhook(example, 'Start Batch', await triggerUrlOf(n8n, id));
			const submitted = await api.runWorkflow(example);
			expect(submitted.error).toBeUndefined();
			const started = await waitForStart(api, id);
			expect(started.json('Contact Data Trigger')).toHaveLength(3);
			expect(started.json('Table')[0]).toMatchObject({ name: 'Amelia Hart' });
		});

		describe('two webhook processors', () => {
			/** The URLs of a published listener, one at each processor. */
			async function publish(webhookId: string): Promise<{ id: string; urls: string[] }> {
				const { api } = stage().n8n;
				const id = await saveListener(stage(), webhookId);
				await api.activate(id);
				const at = async (webhookUrl: string) => await triggerUrlOf({ api, webhookUrl }, id);
				return { id, urls: await Promise.all(harness.n8n.webhookUrls.map(at)) };
			}

			/** How many ids n8n has saved as those that the trigger has seen. */
			async function countSeen(id: string): Promise<number> {
				const { staticData } = await stage().n8n.api.rest<{ staticData: unknown }>(
					'GET',
					`workflows/${id}`,
				);
				const [, seen = ''] = /"seen":"([^"]*)"/.exec(JSON.stringify(staticData)) ?? [];
				return seen.split(' ').filter(Boolean).length;
			}

			it('each knows what the other has started the workflow with', async () => {
				const { n8n, sandbox } = stage();
				const { id, urls } = await publish('in-turn');
				expect(urls).toHaveLength(2);
				const lookups: string[] = [];
				for (const url of [...urls, ...urls]) {
					lookups.push(await startLookup(sandbox, url));
					await waitForStart(n8n.api, id, lookups.length);
					// n8n saves it when the workflow has begun.
					await expect.poll(async () => await countSeen(id)).toBe(lookups.length);
				}
				for (const url of urls) {
					for (const lookup of lookups) expect(await notify(url, { id: lookup })).toEqual(SEEN);
				}
				expect(await startsOf(n8n.api, id)).toHaveLength(lookups.length);
			});

			// n8n gives a node nothing that two processes share at once: see the README's limits.
			it('start the workflow twice at most, when both are notified at the same moment', async () => {
				const { n8n, sandbox } = stage();
				const { id, urls } = await publish('at-once');
				const lookup = await startLookup(sandbox, 'http://127.0.0.1:9/');
				await sandbox.waitFor(() => sandbox.deliveries.length === 1);
				const both = [...urls, ...urls, ...urls].map(
					async (url) => await notify(url, { id: lookup }),
				);
				for (const { status } of await Promise.all(both)) expect(status).toBe(200);
				await waitForStart(n8n.api, id);
				for (const url of urls) expect(await notify(url, { id: lookup })).toEqual(SEEN);
				expect((await startsOf(n8n.api, id)).length).toBeLessThanOrEqual(2);
			});
		});
	},
	{ webhookProcessors: 2 },
);
