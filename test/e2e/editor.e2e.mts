import type { INode } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { readExample } from '../support/n8n/examples.mts';
import { contactDataTrigger } from '../support/n8n/trigger.mts';
import { chain, contactData, items, triggeredChain } from '../support/n8n/workflows.mts';
import { noBrowser, useEditor } from './browser.mts';
import { useHarness } from '../support/n8n/harness.mts';

/** What people look for, who do not know the node. */
const SOUGHT = [
	'bounce',
	'email finder',
	'email lookup',
	'email verification',
	'find email',
	'lead enrichment',
	'phone',
	'phone number',
	'prospecting',
	'validate email',
	'verify email',
];

if (noBrowser) console.warn(`The tests of the editor are skipped: ${noBrowser}.`);

describe.skipIf(noBrowser)('the editor in a real browser', () => {
	const harness = useHarness();
	const editor = useEditor(harness);

	it('tests a new credential, and says what is wrong with it', async () => {
		const { page } = editor;
		await editor.goTo('home/credentials');
		await page.getByTestId('add-resource-credential').click();
		await page.getByTestId('new-credential-type-select').locator('input').fill('contact data');
		await page
			.getByTestId('new-credential-type-select-option')
			.filter({ visible: true })
			.first()
			.click();
		await page.getByTestId('new-credential-type-button').click();

		await editor.field('apiKey').fill('wrong');
		await editor.field('baseUrl').fill(harness.sandbox.baseUrl);
		// After a file that kept n8n busy its answer can take longer than a click waits.
		const tested = page.waitForResponse('**/rest/credentials/test', { timeout: 120_000 });
		await page.getByTestId('credential-save-button').click();
		await tested;
		await page.getByText('More details').click();
		await page.getByText('The service does not know this API key.').waitFor();

		await editor.field('apiKey').fill(harness.sandbox.apiKey);
		await page.getByTestId('credential-save-button').click();
		await page.getByText('Connection tested successfully').waitFor();
	});

	it('is found in the nodes panel, filled in, and executed', async () => {
		const { page } = editor;
		const leads = items('Leads', [{ lead: 1 }]);
		const id = await harness.n8n.api.importWorkflow(chain('Panel', leads));
		await editor.goTo(`workflow/${id}`);
		await page.getByTestId('canvas-node').filter({ hasText: 'Leads' }).click();
		for (const words of SOUGHT) {
			const found = await editor.searchNodes(words);
			await expect
				.poll(async () => (await found.allTextContents()).slice(0, 3), { message: words })
				.toContain('Contact Data');
		}
		await page.getByTestId('node-creator-item-name').getByText('Contact Data').click();
		await page.getByText('Find email', { exact: true }).click();

		await editor.field('fullname').fill('Amelia Hart');
		await editor.field('companyDomain').fill('northfreight.example');
		await page.getByTestId('node-execute-button').click();
		const output = page.getByTestId('output-panel');
		await output.getByText('Found 1 of 1. 1 credit spent.').waitFor();
		await output.locator('table').getByText('amelia.hart@northfreight.example').waitFor();
	});

	it('says what to do about Custom API Call, which n8n offers in every node', async () => {
		const { page } = editor;
		const find = { resource: 'emailFinder', operation: 'submitAndWait' };
		const id = await harness.n8n.api.importWorkflow(
			chain('Custom', contactData('Find', harness.credential, find)),
		);
		await editor.openNode(id, 'Find');
		await editor.choose(page.getByTestId('parameter-input-operation'), 'Custom API Call');
		await page.getByTestId('node-execute-button').click();
		await page.getByText('This node makes no custom API calls').first().waitFor();
		await editor.takePicture('custom-api-call');
		expect(harness.sandbox.ledger.entries).toEqual([]);
	});

	it('takes the trigger of the workflow as webhook, with nothing else to fill in', async () => {
		const { page } = editor;
		const start = { resource: 'emailVerifier', operation: 'submit', email: 'ada@acme.com' };
		const id = await harness.n8n.api.importWorkflow(
			chain('Webhook', contactData('Verify', harness.credential, start)),
		);
		await editor.openNode(id, 'Verify');
		await editor.addOption('Webhook');
		await page.getByTestId('rlc-mode-selector').click();
		await page.getByTestId('mode-trigger').click();
		await page.getByText('The Contact Data Trigger of this workflow is notified.').waitFor();
		await editor.closeNode();
		// Early 2.x does not save by itself.
		await page.keyboard.press('Control+s');
		const saved = async () => {
			const { nodes } = await harness.n8n.api.rest<{ nodes: INode[] }>('GET', `workflows/${id}`);
			return nodes.find(({ name }) => name === 'Verify')?.parameters.options;
		};
		await expect
			.poll(saved, { timeout: 30_000 })
			.toMatchObject({ webhook: { mode: 'trigger', value: '' } });
		expect(await page.getByTestId('node-issues').count()).toBe(0);
	});

	it('says what to do while the trigger listens for a test event', async () => {
		const { page } = editor;
		const trigger = contactDataTrigger(harness.credential);
		const id = await harness.n8n.api.importWorkflow(triggeredChain('Listening', trigger));
		await editor.openNode(id, 'Contact Data Trigger');
		await page.getByTestId('parameter-input-events').getByText('Phone Search Finished').waitFor();
		await page.getByText('To go live, publish the workflow.').waitFor();
		await page.getByText('Listen for one finished search').waitFor();
		await page.getByText('When will this node trigger my flow?').click();
		await page.getByText('Each time that the service notifies it: at the test URL').waitFor();
		await page.getByTestId('trigger-execute-button').first().click();
		await page.getByText('Listening for test event').waitFor();
		await editor.closeNode();
		await page
			.getByText("Waiting for you to start a search whose option 'Webhook' is the test URL")
			.waitFor();
	});

	it('runs the example and shows its results', async () => {
		const { page } = editor;
		const example = await readExample('find-and-verify-leads', harness.credential);
		const id = await harness.n8n.api.importWorkflow(example);
		await editor.goTo(`workflow/${id}`);
		await page.getByTestId('execute-workflow-button').click();
		await page.getByText('Workflow executed successfully').waitFor();
		await page.locator('.el-notification__closeBtn').click();
		const find = page.getByTestId('canvas-node').filter({ hasText: 'Find Emails' });
		await find.getByText('Find Many: Email Finder').waitFor();
		await page.getByTestId('zoom-to-fit').click();
		await editor.takePicture('workflow');
		await find.dblclick();
		await page.getByTestId('output-panel').getByText('Found 4 of 5').waitFor();
		await editor.takePicture('node');
	});
});
