import type { INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { people } from '../../support/people.mts';
import { cannotBeKept, doesNotCover } from '../../support/texts.mts';
import { addresses, FIND, FINDING_AT, MAIL, newAccount } from './money.mts';

// What an answer says that it charged, and cannot be true.

const bench = useBench();
useFastClock();

const CONTINUE = { onError: 'continueRegularOutput' } as const;
const ONE_BY_ONE = ['submitAndWait', 1] as const;
const BATCH = ['submitBulkAndWait', 2] as const;

/** Lets every answer, or so many of them, tell this charge. */
const say = (charge: unknown, times = Infinity) =>
	bench().sandbox.faults.add({
		on: 'POST *',
		kind: 'changed',
		change: (body) => ({ ...body, credits_used: charge }),
		times,
	});

const charged = () => bench().sandbox.ledger.totals().charged;

it.for([-1, 1e-6, 1e308, 'one', null])(
	'a charge of %j: no more than Max Credits is paid, and the next run forgets it',
	async (charge) => {
		const { credentials } = newAccount(bench(), FINDING_AT(1));
		const find = async (maxCredits: number, mark?: string) =>
			jsonOf(
				await bench().run('emailFinder', 'submit', {
					parameters: FIND,
					items: people(10, mark),
					options: { maxCredits },
					credentials,
					settings: CONTINUE,
				}),
			);
		const told = say(charge);
		const [, ...others] = await find(1, 'before');
		expect(others).toHaveLength(9);
		for (const { error } of others) expect(error).toContain(cannotBeKept);
		expect(charged()).toBe(1);

		told.remove();
		expect((await find(20)).filter(({ error }) => error !== null)).toEqual([]);
		expect(charged()).toBe(11);
	},
);

it.for([-1, 0, 9_000])(
	'a verification costs what is documented, after a charge of %j',
	async (charge) => {
		const { credentials } = newAccount(bench());
		const verify = async (count: number, options: INodeParameters) =>
			jsonOf(
				await bench().run('emailVerifier', 'submit', {
					parameters: MAIL,
					items: addresses(count),
					options,
					credentials,
					settings: CONTINUE,
				}),
			);
		say(charge, 1);
		await verify(1, {});
		const all = await verify(40, { maxCredits: 10 });
		expect(all.filter(({ error }) => error !== null)).toEqual([]);
		expect(charged()).toBe(0.25 + 10);
		const [refused] = await verify(1, { maxCredits: 0.2 });
		expect(refused?.error).toMatch(new RegExp(`of 0\\.2 ${doesNotCover} .* 0\\.25 credits`));
	},
);

it.for([
	[ONE_BY_ONE, -5, undefined, 'It is not known what was spent.'],
	[ONE_BY_ONE, 2, undefined, '2 credits spent.'],
	[BATCH, 15_000, undefined, '15,000 credits spent.'],
	[BATCH, 20_001, undefined, 'It is not known what was spent.'],
	[BATCH, 2, -5, '2 credits spent.'],
	[BATCH, 2, 1, '2 credits spent, 1 refunded.'],
	[BATCH, 2, 2.5, '2 credits spent.'],
] as const)('the hint of %j, told a charge of %j and a refund of %j', async (given) => {
	const [[operation, count], charge, refunded, said] = given;
	say(charge);
	bench().sandbox.faults.add({
		on: 'GET /email/find/bulk',
		kind: 'changed',
		change: (body) => ({ ...body, stats: { credits_cost: { refunded } } }),
	});
	const run = await bench().run('emailFinder', operation, {
		parameters: FIND,
		items: people(count),
	});
	expect(run.hints[0]?.message).toContain(said);
});
