import { expect, it } from 'vitest';
import { contactData, triggeredChain, webhookTrigger } from '../support/n8n/workflows.mts';
import { useHarness } from '../support/n8n/harness.mts';
import { expectPaidOnce, FIND } from './paid.mts';

const harness = useHarness();

it('pays once for a webhook that fires three times for one lead', async () => {
	const { n8n, sandbox, credential } = harness;
	const path = 'three-times';
	const lead = contactData('Find', credential, { ...FIND, fullname: 'mustfind ada' });
	// It answers when the workflow is over.
	const webhook = webhookTrigger(path, { responseMode: 'lastNode' });
	const id = await n8n.api.importWorkflow(triggeredChain(path, webhook, lead));
	await n8n.api.activate(id);
	const call = async () => (await fetch(`${n8n.url}webhook/${path}`, { method: 'POST' })).status;
	expect(await Promise.all([call(), call(), call()])).toEqual([200, 200, 200]);
	expectPaidOnce(sandbox, 1);
});
