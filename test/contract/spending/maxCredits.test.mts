import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { shownError, type Given, useBench } from '../../support/n8nCore/contactData.mts';
import { people } from '../../support/people.mts';
import { doesNotCover, nothingChargedForIt } from '../../support/texts.mts';
import { addresses, expectChargedOnce, FIND, MAIL, newAccount } from './money.mts';

// Max Credits and the balance, where the price is documented: what does not fit is not begun.

const bench = useBench();
useFastClock();

const verify = async (operation: string, count: number, given: Given = {}) =>
	await bench().run('emailVerifier', operation, {
		parameters: MAIL,
		items: addresses(count),
		...given,
	});

describe('Max Credits', () => {
	it.for(['submit', 'submitBulk'])(
		'%s: refuses verifications that cost too much, with the figures',
		async (operation) => {
			const run = await verify(operation, 10, { options: { maxCredits: 2 } });
			const { message, description } = shownError(run, bench().sandbox.apiKey);
			expect(message).toMatch(
				new RegExp(`'Max Credits' of 2 ${doesNotCover} 10 .* 0\\.25 credits .*2\\.5 credits`),
			);
			expect(description).toContain(nothingChargedForIt);
			bench().expectNothingSubmitted();
		},
	);

	it('stops when the service charges more than it documents', async () => {
		const { credentials } = newAccount(bench(), { emailVerifierSingle: 1 });
		const options = { maxCredits: 10 };
		const settings = { onError: 'continueRegularOutput' } as const;
		await verify('submit', 40, { credentials, options, settings });
		const { charged } = bench().sandbox.ledger.totals();
		expect(charged).toBeGreaterThanOrEqual(10);
		// What was under way when the first receipts came.
		expect(charged).toBeLessThan(25);
	});

	it('counts what earlier tries were charged', async () => {
		const { credentials } = newAccount(bench(), { emailFinderSingle: 3 });
		bench().sandbox.faults.add({ kind: 'status', status: 418, on: 'POST *', skip: 1 });
		const given = { parameters: FIND, options: { maxCredits: 8 }, credentials };
		const first = await bench().run('emailFinder', 'submit', { ...given, items: people(2) });
		expect(String(first.error)).not.toContain(doesNotCover);
		const { contextData } = first;
		const again = { ...given, items: people(3), contextData };
		const second = await bench().run('emailFinder', 'submit', again);
		expect(String(second.error)).toContain(doesNotCover);
		expectChargedOnce(bench(), 1);
	});
});

// A limit that an expression was to give, and did not, is no reason to spend without one.
describe('Max Credits that comes to nothing', () => {
	const limited = (maxCredits: unknown, limit?: unknown): Given => ({
		items: addresses(2).map((item, n) => ({ ...people(2)[n], ...item, limit: limit as string })),
		options: { maxCredits } as INodeParameters,
	});
	const BY_FIELD = '={{ $json.limit }}';
	const isEmpty = /'Max Credits' is empty/;

	it.for<[string, string, unknown, unknown]>([
		['a field that is missing', 'submitBulkAndWait', '={{ $json.noSuchField }}', 1],
		['null', 'submit', BY_FIELD, null],
		['a blank text', 'submit', BY_FIELD, '  '],
		['an emptied field of the editor', 'submit', '', 1],
	])('is an error before anything is sent: %s', async ([, operation, maxCredits, limit]) => {
		const run = await verify(operation, 0, limited(maxCredits, limit));
		const { message, description } = shownError(run, bench().sandbox.apiKey);
		expect(message).toMatch(isEmpty);
		expect(description).toContain("Give a number, or remove 'Max Credits'");
		bench().expectNothingSubmitted();
	});

	it.for<[unknown, unknown]>([
		[0, undefined],
		[BY_FIELD, '0'],
	])('lets nothing be spent where it is %j, with %j in the item', async ([maxCredits, limit]) => {
		for (const resource of ['emailVerifier', 'emailFinder']) {
			const given = { parameters: { ...MAIL, ...FIND }, ...limited(maxCredits, limit) };
			const run = await bench().run(resource, 'submit', given);
			const { message, description } = shownError(run, bench().sandbox.apiKey);
			expect(message).toMatch(/^'Max Credits' of 0 /);
			// The option was added with 0 once, which meant no limit.
			expect(description).toContain('up to version 0.3.0 it meant no limit');
		}
		bench().expectNothingSubmitted();
	});
});

describe('the balance', () => {
	it('is compared before anything is sent, with the figures', async () => {
		bench().sandbox.service.account().credits = 1;
		const run = await verify('submitBulkAndWait', 5);
		expect(shownError(run, bench().sandbox.apiKey).message).toMatch(
			new RegExp(`balance of 1 credit ${doesNotCover} 5 .*1\\.25 credits`),
		);
		bench().expectNothingSubmitted();
	});
});
