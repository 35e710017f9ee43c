import { expect, it } from 'vitest';

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
	waitForStart,
} from '../support/n8n/trigger.mts';
import { seenBefore } from '../support/texts.mts';

describeQueueMode(
	(harness) => {
		/** The URL of a published trigger at each webhook processor. */
		const urlsOf = async (id: string) => {
			const { api } = harness.n8n.main;
			const at = async (url: string) => await triggerUrlOf({ api, url }, id);
			return await Promise.all(harness.n8n.webhookUrls.map(at));
		};

		it('a workflow goes on by its own trigger, whose URL the workers must be given', async () => {
			const { n8n, sandbox, credential } = harness;
			const { api } = n8n.main;
			const example = await readExample('submit-and-continue-by-trigger', credential);
			removeCap(example, 'Start Batch');
			const id = await api.importWorkflow(example);
			await api.activate(id);
			const refused = await api.runWorkflow(id);
			expect(refused.nodeError('Start Batch')?.description).toContain('choose By URL');
			expect(sandbox.ledger.entries).toEqual([]);

			const [url = ''] = await urlsOf(id);
			setWebhook(example, 'Start Batch', url);
			const submitted = await api.runWorkflow(example);
			expect(submitted.error).toBeUndefined();
			const started = await waitForStart(api, id);
			expect(started.json('Contact Data Trigger')).toHaveLength(3);
			expect(started.json('Table')[0]).toMatchObject({ name: 'Amelia Hart' });
		});

		it('each of two webhook processors knows what the other has started the workflow with', async () => {
			const { n8n, sandbox, credential } = harness;
			const { api } = n8n.main;
			const id = await saveListener(api, credential, 'in-turn');
			await api.activate(id);
			/** How many ids n8n has saved as those that the trigger has seen. */
			const countSeen = async () => {
				const { staticData } = await api.rest<{ staticData: unknown }>('GET', `workflows/${id}`);
				const [, seen = ''] = /"seen":"([^"]*)"/.exec(JSON.stringify(staticData)) ?? [];
				return seen.split(' ').filter(Boolean).length;
			};
			const urls = await urlsOf(id);
			expect(urls).toHaveLength(2);
			const lookups: string[] = [];
			for (const url of [...urls, ...urls]) {
				lookups.push(await startLookup(sandbox, url));
				await waitForStart(api, id, lookups.length);
				// n8n saves it when the workflow has begun.
				await expect.poll(countSeen).toBe(lookups.length);
			}
			for (const url of urls) {
				for (const lookup of lookups) {
					const seen = { status: 200, message: seenBefore };
					expect(await notify(url, { id: lookup })).toEqual(seen);
				}
			}
			expect(await startsOf(api, id)).toHaveLength(lookups.length);
		});
	},
	{ webhookProcessors: 2 },
);
