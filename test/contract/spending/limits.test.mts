import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { jsonOf, shownError, useBench } from '../../support/n8nCore/contactData.mts';
import type { Given } from '../../support/n8nCore/contactData.mts';
import { people } from '../../support/people.mts';
import {
	cannotBeKept,
	doesNotCover,
	mayHaveBeenCharged,
	nothingChargedForIt,
} from '../../support/texts.mts';
import { addresses, expectChargedOnce, MAIL } from './money.mts';

const bench = useBench();

const CONTINUE = { onError: 'continueRegularOutput' } as const;

/** A new account with these prices: nothing is known of it in this process. */
function account(prices: Record<string, number>, credits = 100_000) {
	const { service, baseUrl } = bench().sandbox;
	const key = service.addAccount(randomUUID(), { prices, credits, requestsPerSecond: 1_000 });
	return { contactDataApi: { apiKey: key, baseUrl, requestsPerSecond: 1_000 } };
}

const find = async (operation: string, given: Given) =>
	await bench().run('emailFinder', operation, {
		parameters: { fullname: '={{ $json.fullname }}', companyDomain: 'acme.com' },
		...given,
	});

const call = async (operation: string, given: Given) =>
	await bench().run('phoneFinder', operation, {
		parameters: {
			socialProfileUrl: '=https://linkedin.com/in/{{ $json.fullname.replaceAll(" ", "-") }}',
		},
		...given,
	});

describe('Max Credits', () => {
	it.for(['submit', 'submitBulk'])(
		'%s: refuses verifications that cost too much, with the figures',
		async (operation) => {
			const run = await bench().run('emailVerifier', operation, {
				parameters: MAIL,
				items: addresses(10),
				options: { maxCredits: 2 },
			});
			expect(shownError(run, bench().sandbox.apiKey)).toMatchObject({
				message: `'Max Credits' of 2 ${doesNotCover} 10 email verifications at 0.25 credits each (2.5 credits)`,
				description: expect.stringMatching(
					new RegExp(`^${nothingChargedForIt} for it\\.`),
				) as string,
			});
			bench().expectNothingSubmitted();
		},
	);

	it('takes what just fits', async () => {
		const options = { maxCredits: 2.5 };
		const run = await bench().run('emailVerifier', 'submit', {
			parameters: MAIL,
			items: addresses(10),
			options,
		});
		expect(jsonOf(run)).toHaveLength(10);
		expectChargedOnce(bench(), 10);
	});

	it('counts equal searches once', async () => {
		const items = [...addresses(4), ...addresses(4)];
		const options = { maxCredits: 1 };
		expect(
			jsonOf(await bench().run('emailVerifier', 'submit', { parameters: MAIL, items, options })),
		).toHaveLength(8);
	});

	it('refuses phone searches that do not fit once the first one has told the price', async () => {
		const credentials = account({});
		const run = await call('submit', {
			items: people(3),
			options: { maxCredits: 100 },
			credentials,
		});
		const { message, description } = shownError(run, credentials.contactDataApi.apiKey);
		expect(message).toBe(
			`'Max Credits' of 100 ${doesNotCover} 2 phone searches at 50 credits each (100 credits)`,
		);
		const [entry] = bench().sandbox.ledger.entries;
		expect(description).toMatch(/; 50 credits are spent already\./);
		expect(description).toContain(entry?.id);
		expect(bench().sandbox.ledger.totals().charged).toBe(50);
	});

	it.for(['submit', 'submitBulk'])(
		'%s: is kept where the plan makes phone searches dearer',
		async (operation) => {
			const credentials = account({ phoneFinderSingle: 80, phoneFinderBulk: 80 });
			const run = await call(operation, {
				items: people(4),
				options: { maxCredits: 200 },
				credentials,
			});
			expect(shownError(run, credentials.contactDataApi.apiKey).message).toBe(
				`'Max Credits' of 200 ${doesNotCover} 3 phone searches at 80 credits each (240 credits)`,
			);
			expect(bench().sandbox.ledger.totals().charged).toBe(80);
		},
	);

	it('learns the price of a finder from its first answer, and leaves out what does not fit', async () => {
		const credentials = account({ emailFinderSingle: 3 });
		const run = await find('submit', {
			items: people(5),
			options: { maxCredits: 10 },
			credentials,
			settings: CONTINUE,
		});
		const results = jsonOf(run);
		expect(results.filter(({ status }) => status === 'ongoing')).toHaveLength(3);
		expect(results.slice(3)).toMatchObject([
			{ error: `'Max Credits' of 10 ${doesNotCover} 1 email search at 3 credits each (3 credits)` },
			{
				description: expect.stringMatching(
					/nothing charged for it; \d credits are spent already\./,
				) as string,
			},
		]);
		expect(bench().sandbox.ledger.totals().charged).toBe(9);

		// The next run knows the price, and refuses before it sends.
		const next = await find('submit', {
			items: people(5),
			options: { maxCredits: 10 },
			credentials,
		});
		expect(shownError(next, credentials.contactDataApi.apiKey).message).toBe(
			`'Max Credits' of 10 ${doesNotCover} 5 email searches at 3 credits each (15 credits)`,
		);
		expect(bench().sandbox.ledger.totals().charged).toBe(9);
	});

	it('says of what does not fit how much is gone', async () => {
		const run = await find('submit', {
			items: people(5),
			options: { maxCredits: 10 },
			credentials: account({ emailFinderSingle: 3 }),
			settings: CONTINUE,
		});
		const told = jsonOf(run).flatMap(
			({ description }) => (description as string | undefined) ?? [],
		);
		expect(told).toHaveLength(2);
		for (const text of told) expect(text).toContain('; 9 credits are spent already.');
	});

	it('starts one search to learn its price, and no more when the answer is lost', async () => {
		const credentials = account({ emailFinderSingle: 3 });
		bench().sandbox.faults.add({ kind: 'empty', on: 'POST *' });
		const run = await find('submit', {
			items: people(5),
			options: { maxCredits: 10 },
			credentials,
			settings: CONTINUE,
		});
		const [first, ...others] = jsonOf(run);
		expect(first.error).toMatch(mayHaveBeenCharged);
		expect(others).toHaveLength(4);
		for (const { error } of others) {
			expect(error).toBe(
				`'Max Credits' of 10 ${cannotBeKept}, because the price of one email search is not known yet`,
			);
		}
		expect(bench().sandbox.ledger.totals().searches).toBe(1);
	});

	it('counts what earlier tries were charged', async () => {
		const credentials = account({ emailFinderSingle: 3 });
		bench().sandbox.faults.add({ kind: 'status', status: 418, on: 'POST *', skip: 1 });
		const given = { items: people(3), options: { maxCredits: 8 }, credentials };
		const first = await find('submit', given);
		expect(first.error).toBeDefined();
		const charged = bench().sandbox.ledger.totals().charged;
		const second = await find('submit', { ...given, contextData: first.contextData });
		expect(second.error).toBeDefined();
		expect(bench().sandbox.ledger.totals().charged).toBe(charged);
	});
});

describe('the balance', () => {
	it('is compared before anything is sent, with the figures', async () => {
		bench().sandbox.service.account().credits = 1;
		const run = await bench().run('emailVerifier', 'submitBulkAndWait', {
			parameters: MAIL,
			items: addresses(5),
		});
		expect(shownError(run, bench().sandbox.apiKey).message).toBe(
			`The account's balance of 1 credit ${doesNotCover} 5 email verifications at 0.25 credits each (1.25 credits)`,
		);
		bench().expectNothingSubmitted();
	});

	it('that cannot be read keeps nothing from starting', async () => {
		bench().sandbox.faults.add({
			kind: 'status',
			status: 503,
			on: 'GET /account/info',
			times: Infinity,
		});
		const run = await bench().run('emailVerifier', 'submit', {
			parameters: MAIL,
			items: addresses(2),
		});
		expect(jsonOf(run)).toHaveLength(2);
	});
});
