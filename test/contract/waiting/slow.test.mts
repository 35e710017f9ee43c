import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, shownError, textIn, useBench } from '../../support/n8nCore/contactData.mts';
import { noAnswerInTime } from '../../support/texts.mts';
import { addresses, expectChargedOnce, MAIL } from '../spending/money.mts';

// A service that needs long: thousands of searches at once take it minutes to charge, and to write
// down their results.

const bench = useBench();
useFastClock();

const MS = 200_000;

it('one look that hangs costs a minute', async () => {
	bench().sandbox.faults.add({ kind: 'hang', on: 'GET /email/verify/bulk', times: 1 });
	const begunAt = Date.now();
	const given = { parameters: MAIL, items: addresses(3) };
	const run = await bench().run('emailVerifier', 'submitBulkAndWait', given);
	expect(jsonOf(run)).toHaveLength(3);
	expect(Date.now() - begunAt).toBeLessThan(65_000);
});

it('a wait ends at its timeout while an answer still comes byte by byte', async () => {
	const { sandbox } = bench();
	// A timeout for silence never strikes here.
	sandbox.faults.add({ on: 'GET /email/*', kind: 'trickle', bytesPerSecond: 1, times: Infinity });
	const begin = Date.now();
	const run = await bench().run('emailVerifier', 'submitAndWait', {
		parameters: { email: 'mustfind@acme.com' },
		options: { timeout: 1 },
	});
	// With five seconds for the last looks.
	expect(Date.now() - begin).toBeLessThanOrEqual(1_000 + 5_000);
	const shown = shownError(run, sandbox.apiKey);
	expect(shown.message).toContain(sandbox.ledger.entries[0]?.id);
	expect(shown.message).toContain(noAnswerInTime);
});

describe('a service that needs minutes', () => {
	it('to take a batch, and for each look at its results', async () => {
		bench().sandbox.faults.add({ kind: 'delay', ms: MS, on: 'POST *' });
		const on = 'GET /email/verify/bulk';
		bench().sandbox.faults.add({ kind: 'delay', ms: MS, on, times: Infinity });
		const given = { parameters: MAIL, items: addresses(3) };
		const run = await bench().run('emailVerifier', 'submitBulkAndWait', given);
		expect(jsonOf(run).map(({ found }) => found)).toEqual([true, true, true]);
		expectChargedOnce(bench(), 3);
	});

	it('for the results of an earlier batch that is waited for', async () => {
		const given = { parameters: MAIL, items: addresses(3) };
		const [receipt] = jsonOf(await bench().run('emailVerifier', 'submitBulk', given));
		bench().sandbox.service.finish();
		const on = 'GET /email/verify/bulk';
		bench().sandbox.faults.add({ kind: 'delay', ms: MS, on, times: Infinity });
		const run = await bench().run('emailVerifier', 'getBulkResult', {
			parameters: { batchId: textIn(receipt, 'batch_id') },
			options: { waitForResult: true },
		});
		expect(jsonOf(run).map(({ found }) => found)).toEqual([true, true, true]);
	});
});

it('a wait for an earlier ID looks at once: it may have ended long ago', async () => {
	const given = { parameters: MAIL, items: addresses(1) };
	const [receipt] = jsonOf(await bench().run('emailVerifier', 'submit', given));
	bench().sandbox.service.finish();
	const begunAt = Date.now();
	await bench().run('emailVerifier', 'getResult', {
		parameters: { lookupId: textIn(receipt, 'search_id') },
		options: { waitForResult: true },
	});
	expect(bench().looks).toHaveLength(1);
	expect(Date.now() - begunAt).toBeLessThan(1_000);
});
