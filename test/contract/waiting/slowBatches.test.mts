import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { addresses, expectChargedOnce, MAIL } from '../spending/money.mts';

// Thousands of searches at once take a service long: to charge them, and to write down their results.

const bench = useBench();
useFastClock();

const SLOW_MS = [70_000, 200_000];

it('one look that hangs costs a minute', async () => {
	bench().sandbox.faults.add({ kind: 'hang', on: 'GET /email/verify/bulk', times: 1 });
	const begunAt = Date.now();
	const given = { parameters: MAIL, items: addresses(3) };
	const run = await bench().run('emailVerifier', 'submitBulkAndWait', given);
	expect(jsonOf(run)).toHaveLength(3);
	expect(Date.now() - begunAt).toBeLessThan(65_000);
});

describe.for(SLOW_MS)('a service that needs %i ms', (ms) => {
	it.for(['submitBulk', 'submitBulkAndWait'])('%s: to take a batch', async (operation) => {
		bench().sandbox.faults.add({ kind: 'delay', ms, on: 'POST *' });
		const given = { parameters: MAIL, items: addresses(3) };
		const results = jsonOf(await bench().run('emailVerifier', operation, given));
		expect(results[0]?.batch_id).toBe(bench().sandbox.ledger.entries[0]?.id);
		expectChargedOnce(bench(), 3);
	});

	it('for the results of a batch', async () => {
		const on = 'GET /email/verify/bulk';
		bench().sandbox.faults.add({ kind: 'delay', ms, on, times: Infinity });
		const given = { parameters: MAIL, items: addresses(3) };
		const run = await bench().run('emailVerifier', 'submitBulkAndWait', given);
		expect(jsonOf(run).map(({ found }) => found)).toEqual([true, true, true]);
	});

	it.for([true, false])(
		'for the results of a batch of earlier: waiting %j',
		async (waitForResult) => {
			const given = { parameters: MAIL, items: addresses(3) };
			const [receipt] = jsonOf(await bench().run('emailVerifier', 'submitBulk', given));
			bench().sandbox.service.finish();
			const on = 'GET /email/verify/bulk';
			bench().sandbox.faults.add({ kind: 'delay', ms, on, times: Infinity });
			const run = await bench().run('emailVerifier', 'getBulkResult', {
				parameters: { batchId: receipt?.batch_id as string },
				options: { waitForResult },
			});
			expect(jsonOf(run).map(({ found }) => found)).toEqual([true, true, true]);
		},
	);
});
