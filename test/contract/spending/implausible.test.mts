import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { people } from '../../support/people.mts';
import { cannotBeKept, doesNotCover } from '../../support/texts.mts';
import { addresses, FIND, FINDING_AT, MAIL, newAccount } from './money.mts';

// What an answer says that it charged, and cannot be true.

const bench = useBench();
useFastClock();

const CONTINUE = { onError: 'continueRegularOutput' } as const;
type Credentials = ReturnType<typeof newAccount>['credentials'];

/** Lets every answer, or so many of them, tell this charge. */
const say = (charge: unknown, times = Infinity) =>
	bench().sandbox.faults.add({
		on: 'POST *',
		kind: 'changed',
		change: (body) => ({ ...body, credits_used: charge }),
		times,
	});

const charged = () => bench().sandbox.ledger.totals().charged;

describe.for(['submit', 'submitBulk'])('%s, told a charge that cannot be true', (operation) => {
	const find = async (credentials: Credentials, maxCredits: number, count: number, mark?: string) =>
		await bench().run('emailFinder', operation, {
			parameters: FIND,
			items: people(count, mark),
			options: { maxCredits },
			credentials,
			settings: CONTINUE,
		});

	it.for([-1, 1e-6, 1e308, 'one', null])(
		'%j: pays no more than Max Credits, and forgets it for the next run',
		async (charge) => {
			const { credentials } = newAccount(bench(), FINDING_AT(1));
			const told = say(charge);
			const [, ...others] = jsonOf(await find(credentials, 1, 10, 'before'));
			expect(others).toHaveLength(9);
			for (const { error } of others) expect(error).toContain(cannotBeKept);
			expect(charged()).toBe(1);

			told.remove();
			const results = jsonOf(await find(credentials, 20, 10));
			expect(results.filter(({ error }) => typeof error === 'string')).toEqual([]);
			expect(charged()).toBe(11);
		},
	);
});

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
		const [refused] = await verify(40, { maxCredits: 1 });
		expect(refused?.error).toMatch(new RegExp(`of 1 ${doesNotCover} .* 0\\.25 credits`));
		const all = await verify(40, { maxCredits: 10 });
		expect(all.filter(({ error }) => typeof error === 'string')).toEqual([]);
		expect(charged()).toBe(0.25 + 10);
	},
);

describe('the hint of a run', () => {
	it.for([
		['submitAndWait', 1, -5, 'At least 0 credits spent'],
		['submitAndWait', 1, 2, '2 credits spent'],
		['submitBulkAndWait', 2, 15_000, '15,000 credits spent'],
		['submitBulkAndWait', 2, 20_001, 'At least 0 credits spent'],
	] as const)(
		'of %s of %i that is told a charge of %j',
		async ([operation, count, charge, said]) => {
			say(charge);
			const run = await bench().run('emailFinder', operation, {
				parameters: FIND,
				items: people(count),
			});
			expect(run.hints[0]?.message).toContain(`. ${said}.`);
		},
	);

	it.for([
		[-5, '2 credits spent.'],
		[1, '2 credits spent, 1 refunded.'],
		[2.5, '2 credits spent.'],
	] as const)('that is told a refund of %j', async ([refunded, said]) => {
		say(2);
		bench().sandbox.faults.add({
			on: 'GET /email/find/bulk',
			kind: 'changed',
			change: (body) => ({ ...body, stats: { credits_cost: { refunded } } }),
		});
		const run = await bench().run('emailFinder', 'submitBulkAndWait', {
			parameters: FIND,
			items: people(2),
		});
		expect(run.hints[0]?.message).toContain(said);
	});
});
