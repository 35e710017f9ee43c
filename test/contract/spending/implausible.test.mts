import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { skipTime, useFastClock } from '../../support/clock.mts';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import type { RunNodeResult } from '../../support/n8nCore/execute.mts';
import { people } from '../../support/people.mts';
import { cannotBeKept, doesNotCover } from '../../support/texts.mts';
import { addresses, MAIL } from './money.mts';

// What an answer says that it charged, and cannot be true.

const bench = useBench();
useFastClock();

const CONTINUE = { onError: 'continueRegularOutput' } as const;
const DAY_MS = 86_400_000;

const FIND = { fullname: '={{ $json.fullname }}', companyDomain: 'acme.com' };
const SUBMITS = ['submit', 'submitBulk'] as const;

/** A new account, at which a search costs so much. */
function account(price: number) {
	const { service, baseUrl } = bench().sandbox;
	const name = randomUUID();
	const prices = { emailFinderSingle: price, emailFinderBulk: price };
	const apiKey = service.addAccount(name, { prices, credits: 1e6, requestsPerSecond: 1_000 });
	const credentials = { contactDataApi: { apiKey, baseUrl, requestsPerSecond: 1_000 } };
	return { credentials, held: service.account(name) };
}
type Credentials = ReturnType<typeof account>['credentials'];

/** Lets every answer, or so many of them, tell this charge. */
const say = (charge: unknown, times = Infinity) =>
	bench().sandbox.faults.add({
		on: 'POST *',
		kind: 'changed',
		change: (body) => ({ ...body, credits_used: charge }),
		times,
	});

const find = async (
	operation: string,
	credentials: Credentials,
	maxCredits: number,
	count: number,
	mark = 'number',
) =>
	await bench().run('emailFinder', operation, {
		parameters: FIND,
		items: people(count, mark),
		options: { maxCredits },
		credentials,
		settings: CONTINUE,
	});

const charged = () => bench().sandbox.ledger.totals().charged;

const IMPLAUSIBLE = [-1, -1e308, 1e-6, 0.009, 1e308, 10_001, 'one', null, true, [1], { amount: 1 }];

describe.for(SUBMITS)('%s', (operation) => {
	it.for(IMPLAUSIBLE)(
		'a charge of $0 under Max Credits 1: no more than 1 is paid',
		async (charge) => {
			const { credentials } = account(1);
			say(charge);
			const results = jsonOf(await find(operation, credentials, 1, 10));
			expect(charged()).toBeLessThanOrEqual(1);
			const errors = results.map(({ error }) => error).filter((error) => error !== undefined);
			expect(errors).toHaveLength(9);
			expect(new Set(errors)).toEqual(
				new Set([
					`'Max Credits' of 1 ${cannotBeKept}, because the price of one email search is not known yet`,
				]),
			);
		},
	);

	it.for(IMPLAUSIBLE)(
		'a charge of %j is forgotten: the next run learns the price',
		async (charge) => {
			const { credentials } = account(1);
			const told = say(charge);
			jsonOf(await find(operation, credentials, 0, 1, 'before'));
			told.remove();
			const results = jsonOf(await find(operation, credentials, 20, 10));
			expect(results.filter(({ error }) => error !== undefined)).toEqual([]);
			expect(charged()).toBe(11);
		},
	);
});

describe('a verification, whose price is documented', () => {
	const verify = async (credentials: Credentials, maxCredits: number, count: number) =>
		await bench().run('emailVerifier', 'submit', {
			parameters: MAIL,
			items: addresses(count),
			options: { maxCredits },
			credentials,
			settings: CONTINUE,
		});

	it.for([-1, 1e-6, 0.01, 0, 1e308, 9_000, '1', null])(
		'costs what it did, after a charge of %j',
		async (charge) => {
			const { credentials } = account(1);
			say(charge, 1);
			jsonOf(await verify(credentials, 0, 1));
			const refused = jsonOf(await verify(credentials, 1, 40));
			expect(refused[0]?.error).toMatch(
				new RegExp(`^'Max Credits' of 1 ${doesNotCover} .* at 0.25 credits`),
			);
			const all = jsonOf(await verify(credentials, 10, 40));
			expect(all.filter(({ error }) => error !== undefined)).toEqual([]);
			expect(charged()).toBe(0.25 + 10);
		},
	);
});

describe('a price that is told', () => {
	it.for([80, 9_000])('and is too high (%i) is learned again after a day', async (price) => {
		const { credentials, held } = account(price);
		jsonOf(await find('submit', credentials, 0, 1, 'before'));
		held.prices.emailFinderSingle = 1;
		const refused = jsonOf(await find('submit', credentials, 60, 5));
		expect(refused[0]?.error).toMatch(new RegExp(`^'Max Credits' of 60 ${doesNotCover}`));
		skipTime(DAY_MS);
		const results = jsonOf(await find('submit', credentials, 60, 5));
		expect(results.filter(({ error }) => error !== undefined)).toEqual([]);
		expect(charged()).toBe(price + 5);
	});
});

/** What the hint says of the run, without what it says of the account. */
const summaryOf = ({ hints: [hint] }: RunNodeResult) => hint?.message.split(' The account has ')[0];

describe('the summary', () => {
	it.for([
		[-5, 'at least 0 credits spent'],
		[1e308, 'at least 0 credits spent'],
		[0, '0 credits spent'],
		[2, '2 credits spent'],
	] as const)('of a charge of %j says: %s', async ([charge, said]) => {
		say(charge);
		const run = await bench().run('emailFinder', 'submitAndWait', {
			parameters: FIND,
			items: people(1),
		});
		expect(summaryOf(run)).toBe(`Found 1 of 1, ${said}.`);
	});

	it.for([
		[0.015, 'at least 0 credits spent'],
		[15_000, '15,000 credits spent'],
		[20_001, 'at least 0 credits spent'],
	] as const)('of a charge of %j for a batch of two says: %s', async ([charge, said]) => {
		say(charge);
		const run = await bench().run('emailFinder', 'submitBulkAndWait', {
			parameters: FIND,
			items: people(2),
		});
		expect(summaryOf(run)).toBe(`Found 2 of 2, ${said}.`);
	});

	it.for([
		[-5, ''],
		[1e308, ''],
		[0, ''],
		[1, ', 1 refunded'],
		[2, ', 2 refunded'],
		[2.5, ''],
	] as const)('of a refund of %j says:%s', async ([refunded, said]) => {
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
		expect(summaryOf(run)).toBe(`Found 2 of 2, 2 credits spent${said}.`);
	});
});
