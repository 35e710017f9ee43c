import { describe, expect, it } from 'vitest';

import { readExample } from '../support/n8n/examples.mts';
import { useHarness } from '../support/n8n/harness.mts';
import {
	saveListener,
	startsOf,
	triggerUrlOf,
	type TriggerStage,
	waitForStart,
} from '../support/n8n/trigger.mts';
import { accountLacks, accountNotifies, triggerUrlUnknown } from '../support/texts.mts';
import { describeTrigger } from './triggerCases.mts';

const harness = useHarness();

const stage = (): TriggerStage => ({
	...harness,
	n8n: { ...harness.n8n, webhookUrl: harness.n8n.url },
});

describeTrigger(stage);

it("publishing tells in n8n's log how the trigger is notified", async () => {
	const { n8n, sandbox } = harness;
	const named = await saveListener(stage(), 'named');
	await n8n.api.activate(named);
	expect(n8n.logs()).toContain(
		`${accountLacks}${await triggerUrlOf(stage().n8n, named)} registered`,
	);
	const registered = await saveListener(stage(), 'registered');
	const url = await triggerUrlOf(stage().n8n, registered);
	sandbox.service.account().webhooks = [url];
	await n8n.api.activate(registered);
	expect(n8n.logs()).toContain(`${accountNotifies}${url} of every finished search`);
	expect(n8n.logs()).not.toContain(sandbox.apiKey);
});

describe('the trigger of the same workflow as webhook', () => {
	it('is known while it is published (the example)', async () => {
		const { n8n, sandbox, credential } = harness;
		const { api } = n8n;
		const id = await api.importWorkflow(
			await readExample('submit-and-continue-by-trigger', credential),
		);
		const expectRefused = async () => {
			const refused = await api.runWorkflow(id);
			expect(refused.nodeError('Start Batch')?.message).toContain(triggerUrlUnknown);
		};
		await expectRefused();
		expect(sandbox.ledger.entries).toEqual([]);

		await api.activate(id);
		expect((await api.runWorkflow(id)).error).toBeUndefined();
		const started = await waitForStart(api, id);
		const [batch] = sandbox.ledger.entries;
		expect(started.json('Table')).toHaveLength(5);
		expect(started.json('Table')[0]).toMatchObject({ name: 'Amelia Hart', batch: batch.id });
		expect(sandbox.deliveries.map(({ url }) => url)).toEqual([
			`${await triggerUrlOf(stage().n8n, id)}?event=emailFinderBulk`,
		]);

		await api.deactivate(id);
		await expectRefused();
		expect(sandbox.ledger.entries).toHaveLength(1);
		expect(await startsOf(api, id)).toHaveLength(1);
	});
});
