// @module-tag long
import { describe, expect, it } from 'vitest';

import { exampleNames, readExample } from '../support/n8n/examples.mts';
import { useHarness } from '../support/n8n/harness.mts';
import { lacks } from '../support/n8n/lacks.mts';
import { chain, items } from '../support/n8n/workflows.mts';
import { runAgent } from './agent.mts';
import { isTaken, noBrowser, useEditor } from './browser.mts';
import { toolResult } from './model.mts';

if (noBrowser) console.warn(`The tests of the pictures are skipped: ${noBrowser}.`);

const LEADS = [
	{ name: 'Amelia Hart', company: 'northfreight.example' },
	{ name: 'Lukas Brandt', company: 'brandtbau.example' },
	{ name: 'Nora Notfound', company: 'fjordline.example' },
];

// What the README and the examples tell to do, done in the editor. `TAKE_PICTURES` takes its pictures.
describe.skipIf(noBrowser)('what is told, in a real browser', async () => {
	// No callback comes from there: it is what the pictures show.
	const harness = useHarness(isTaken ? { WEBHOOK_URL: 'https://n8n.example.com/' } : undefined);
	const editor = useEditor(harness);

	it("the README's first workflow, step by step", async () => {
		const { page } = editor;
		const id = await harness.n8n.api.importWorkflow(chain('My leads', items('Leads', LEADS)));
		await editor.goTo(`workflow/${id}`);
		const node = (name: string) => page.getByTestId('canvas-node').filter({ hasText: name });
		await page.getByTestId('execute-workflow-button').click();
		await page.getByText('Workflow executed successfully').waitFor();
		await page.locator('.el-notification__closeBtn').click();
		await editor.takeFrame(1_500);

		await node('Leads').click();
		const found = await editor.searchNodes('find emails');
		await found.getByText('Contact Data', { exact: true }).waitFor();
		await editor.takeFrame(1_500);
		await found.getByText('Contact Data', { exact: true }).click();
		await page.getByText('Find many emails', { exact: true }).click();

		await editor.field('fullname').waitFor();
		await editor.takeFrame(1_500);
		await editor.dragColumn('name', 'fullname');
		await editor.dragColumn('company', 'companyDomain');
		await editor.takeFrame(2_000);
		await editor.field('maxCredits').scrollIntoViewIfNeeded();
		expect(await editor.field('maxCredits').inputValue()).toBe('100');
		await editor.takeFrame(2_000);

		await page.getByTestId('node-execute-button').click();
		const output = page.getByTestId('output-panel');
		await output.getByText('Found 2 of 3, 1 not found. 3 credits spent, 1 refunded.').waitFor();
		const table = output.locator('table');
		for (const text of ['amelia.hart@northfreight.example', 'fjordline.example']) {
			await table.getByText(text).first().waitFor();
		}
		await editor.takeFrame(4_000);
		await editor.takeFilm('first-workflow');
	});

	it.for(await exampleNames())(
		'the example %s, with nothing of ours left to fill in',
		async (name) => {
			const { page } = editor;
			const example = await readExample(name, harness.credential);
			const id = await harness.n8n.api.importWorkflow(example);
			await editor.goTo(`workflow/${id}`);
			const ours = example.nodes.filter(({ type }) => type.startsWith('n8n-nodes-contact-data.'));
			for (const { name: ourName } of ours) {
				const node = page.getByTestId('canvas-node').filter({ hasText: ourName }).first();
				await node.waitFor();
				expect(await node.getByTestId('node-issues').count()).toBe(0);
			}
			await page.getByTestId('zoom-to-fit').click();
			await editor.takePicture(`examples/${name}`);
		},
	);

	it.skipIf(lacks('logs beside a finished execution'))(
		"an agent's call of the tool, with what it asked for and what it was told",
		async () => {
			const { page } = editor;
			const person = { Full_Name: 'Amelia Hart', Company_Domain: 'northfreight.example' };
			const { execution } = await runAgent(harness, (request) =>
				toolResult(request) === undefined
					? { tool: 'Find_Email', arguments: person }
					: { text: 'Amelia Hart is at amelia.hart@northfreight.example.' },
			);
			await editor.goTo(`workflow/${execution.workflowId}/executions/${execution.id}`);
			await page.getByText('Logs', { exact: true }).click();
			await page.getByTestId('logs-overview-body').getByText('Find Email').click();
			const told = page.getByTestId('log-details').getByText('amelia.hart@northfreight.example');
			await told.first().waitFor();
			await page.getByTestId('zoom-to-fit').click();
			// The header of the execution lies over the canvas.
			await page.getByTestId('zoom-out-button').click();
			await editor.takePicture('agent');
		},
	);
});
