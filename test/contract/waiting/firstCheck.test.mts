import { expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, textIn, useBench } from '../../support/n8nCore/contactData.mts';
import { MAIL, addresses } from '../spending/money.mts';

const bench = useBench();
useFastClock();

it.for(['submitAndWait', 'submitBulkAndWait'])(
	"%s looks for the first time after the seconds of 'First Check After'",
	async (operation) => {
		const begunAt = Date.now();
		await bench().run('emailVerifier', operation, {
			parameters: MAIL,
			options: { pollInterval: 30 },
			items: addresses(1),
		});
		expect(bench().looks).toHaveLength(1);
		expect(Math.floor((Date.now() - begunAt) / 1_000)).toBe(30);
	},
);

it('a wait for an earlier ID looks at once: it may have ended long ago', async () => {
	const started = await bench().run('emailVerifier', 'submit', {
		parameters: MAIL,
		items: addresses(1),
	});
	bench().sandbox.service.finish();
	const begunAt = Date.now();
	await bench().run('emailVerifier', 'getResult', {
		parameters: { lookupId: textIn(jsonOf(started)[0], 'id') },
		options: { waitForResult: true },
	});
	expect(bench().looks).toHaveLength(1);
	expect(Math.floor((Date.now() - begunAt) / 1_000)).toBe(0);
});
