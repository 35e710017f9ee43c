import { describe, expect, it } from 'vitest';
import { jsonOf, shownError, useBench } from '../../support/n8nCore/contactData.mts';
import { addresses, expectChargedOnce, MAIL } from './money.mts';

// A limit that an expression was to give, and did not, is no reason to spend without one.

const bench = useBench();

const verify = async (operation: string, maxCredits: unknown, limit?: unknown, settings = {}) =>
	await bench().run('emailVerifier', operation, {
		parameters: MAIL,
		options: { maxCredits: maxCredits as string },
		items: addresses(2).map((item) => ({ ...item, limit: limit as string })),
		settings,
	});

const BY_FIELD = '={{ $json.limit }}';

describe('Max Credits that comes to nothing', () => {
	it.for(['submitAndWait', 'submit', 'submitBulkAndWait', 'submitBulk'])(
		'stops %s before anything is sent, and says so',
		async (operation) => {
			const run = await verify(operation, '={{ $json.noSuchField }}');
			const shown = shownError(run, bench().sandbox.apiKey);
			expect(shown.message).toBe("'Max Credits' is empty");
			expect(shown.description).toMatch(/\b0\b.*no limit/);
			bench().expectNothingSubmitted();
		},
	);

	it.for<[string, unknown, unknown]>([
		['null', BY_FIELD, null],
		['an empty text', BY_FIELD, ''],
		['a blank text', BY_FIELD, '  '],
		['undefined', '={{ undefined }}', 1],
		['an emptied field of the editor', '', 1],
	])('is an error: %s', async ([, maxCredits, limit]) => {
		const run = await verify('submit', maxCredits, limit);
		expect(shownError(run, bench().sandbox.apiKey).message).toBe("'Max Credits' is empty");
		bench().expectNothingSubmitted();
	});

	it('is not said to be an expression where it is none', async () => {
		const { description } = shownError(await verify('submit', ''), bench().sandbox.apiKey);
		expect(description).toMatch(/^It is empty for the first item\. /);
	});

	it('is an error of each item under Continue', async () => {
		const run = await verify('submit', BY_FIELD, null, { onError: 'continueRegularOutput' });
		const error = "'Max Credits' is empty";
		expect(jsonOf(run)).toMatchObject([{ error }, { error }]);
		bench().expectNothingSubmitted();
	});
});

describe('Max Credits is no limit', () => {
	it('where it is not among the options', async () => {
		const run = await bench().run('emailVerifier', 'submit', {
			parameters: MAIL,
			items: addresses(2),
		});
		expect(jsonOf(run)).toHaveLength(2);
	});

	it.for<[unknown, unknown]>([
		[0, undefined],
		[BY_FIELD, 0],
		[BY_FIELD, '0'],
	])('where it is %j, with %j in the item', async ([maxCredits, limit]) => {
		expect(jsonOf(await verify('submit', maxCredits, limit))).toHaveLength(2);
		expectChargedOnce(bench(), 2);
	});
});
