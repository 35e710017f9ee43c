import type { INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { isMissing } from '../../support/n8nCore/missing.mts';
import { publishFirst } from '../../support/texts.mts';

// What the editor no longer offers to a tool, but a workflow was saved with.

const bench = useBench();
useFastClock();

const URL = 'https://n8n.example/webhook/contact-data';

async function start(webhook: INodeParameters, operation = 'submit') {
	return await bench().run('emailVerifier', operation, {
		tool: 'requested',
		parameters: { email: 'mustfind.saved@acme.example' },
		options: { webhook, includeInputFields: true, onTimeout: 'error' },
	});
}

it.for(['submit', 'submitBulk'])('a saved Webhook is notified (%s)', async (operation) => {
	const run = await start({ __rl: true, mode: 'url', value: URL }, operation);
	expect(jsonOf(run)).toMatchObject([{ status: 'ongoing' }]);
	expect(bench().posts).toMatchObject([{ body: { settings: { webhook: URL } } }]);
});

it.for([
	['list', "'Webhook' is empty"],
	['url', "'Webhook' is empty"],
	['trigger', publishFirst],
] as const)('a saved Webhook that leads nowhere spends nothing (%s)', async ([mode, error]) => {
	const run = await start({ __rl: true, mode, value: '' });
	expect(jsonOf(run)[0]?.error).toContain(error);
	bench().expectNothingSubmitted();
});

it.for(['submitAndWait', 'submit'])(
	'where the model chooses the operation, a list of another one is not paid for (%s)',
	async (operation) => {
		const email = 'mustfind.asked@acme.example';
		const run = await bench().run('emailVerifier', "={{ $fromAI('operation') }}", {
			tool: 'requested',
			items: [{ operation }],
			parameters: { email, inputMode: 'array', verifications: '["mustfind.other@acme.example"]' },
		});
		if (isMissing('operations that a model chooses')) return bench().expectNothingSubmitted();
		expect(jsonOf(run)).toMatchObject([{ email }]);
		expect(bench().posts).toMatchObject([{ body: { email } }]);
	},
);
