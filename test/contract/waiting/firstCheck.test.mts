import { expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { useBench } from '../../support/n8nCore/contactData.mts';
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
