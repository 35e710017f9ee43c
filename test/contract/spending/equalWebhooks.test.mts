import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, pairedWith, type Given, useBench } from '../../support/n8nCore/contactData.mts';
import { expectChargedOnce, MAIL } from './money.mts';

// Equal searches that ask for notifications at different URLs.

const bench = useBench();
useFastClock();

const ONE = 'https://one.example/hook';
const TWO = 'https://two.example/hook';
const CALL_BACK = { webhook: { __rl: true, mode: 'url', value: '={{ $json.hook }}' } };

const ask = (mail: string, hook: string): IDataObject => ({ mail: `${mail}@acme.com`, hook });

const startAll = async (operation: string, items: IDataObject[], given: Given = {}) =>
	await bench().run('emailVerifier', operation, {
		parameters: MAIL,
		options: CALL_BACK,
		items,
		...given,
	});

/** Where the service notifies of each submission. */
const webhooks = () =>
	bench().posts.map(({ body }) => (body as { settings?: IDataObject }).settings?.webhook);

describe.for(['submit', 'submitBulk'])(
	'%s pays once for equal searches with different webhooks',
	(operation) => {
		it('and gives the service the first one', async () => {
			const items = [ask('ada', ONE), ask('ADA', TWO), ask(' ada', TWO)];
			const run = await startAll(operation, items);
			expectChargedOnce(bench(), 1);
			expect(webhooks()).toEqual([ONE]);
			expect(run.items.flatMap(pairedWith)).toEqual([0, 1, 2]);
			expect(new Set(jsonOf(run).map(({ id }) => id)).size).toBe(1);
		});
	},
);

it('batches of different webhooks stay apart, with an equal search in the first of them only', async () => {
	const items = [ask('ada', ONE), ask('eve', TWO), ask('ada', TWO)];
	const run = await startAll('submitBulk', items);
	expect(bench().posts.map(({ body }) => body)).toMatchObject([
		{ verifications: ['ada@acme.com'], settings: { webhook: ONE } },
		{ verifications: ['eve@acme.com'], settings: { webhook: TWO } },
	]);
	expect(run.items.map(pairedWith)).toEqual([[0, 2], [1]]);
});
