import { describe, expect, it } from 'vitest';
import type { IDataObject } from 'n8n-workflow';
import { asRecord } from '../../../nodes/ContactData/common/values.ts';
import type { ScenarioName } from '../../support/sandbox/scenarios/index.mts';
import { jsonOf, pairedWith, useBench } from '../../support/n8nCore/contactData.mts';

const bench = useBench({ keepRequests: 100 });

const COUNT = 12_000;

/** What a result says of the item that it belongs to: the number in its name. */
const CASES: Array<{
	resource: string;
	limit: number;
	parameters: Record<string, string>;
	numberIn: (result: IDataObject) => unknown;
}> = [
	{
		resource: 'emailFinder',
		limit: 5000,
		parameters: { fullname: '=Ada Number{{ $json.n }}', companyDomain: 'acme.com' },
		numberIn: ({ raw_params }) => asRecord(raw_params)?.fullname,
	},
	{
		resource: 'emailVerifier',
		limit: 5000,
		parameters: { email: '=Ada Number{{ $json.n }}@acme.com'.replace(' ', '.') },
		numberIn: ({ email }) => email,
	},
	{
		resource: 'phoneFinder',
		limit: 3000,
		parameters: { socialProfileUrl: '=https://social.example/in/Number{{ $json.n }}' },
		numberIn: ({ params }) => asRecord(params)?.linkedin_url ?? asRecord(params)?.socialprofile_url,
	},
];

const numbered = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));

/** Asserts that each item got the result of its own search, whatever the service did with it. */
function expectEachItsOwn(
	items: Array<{ n: number }>,
	results: IDataObject[],
	numberIn: (result: IDataObject) => unknown,
) {
	expect(results).toHaveLength(items.length);
	const wrong = items.filter(({ n }, position) => {
		const result = results[position] ?? {};
		return !new RegExp(`number${n}(@|$)`, 'i').test(String(numberIn(result)));
	});
	expect(wrong).toEqual([]);
}

describe.for(CASES)('$resource', ({ resource, limit, parameters, numberIn }) => {
	it('takes 12,000 items in as few batches as may be', async () => {
		bench().sandbox.service.account().credits = COUNT * 50;
		bench().sandbox.configure({ scenarios: ['resultsShuffled'] });
		const items = numbered(COUNT);
		const run = await bench().run(resource, 'submitBulkAndWait', { parameters, items });
		const results = jsonOf(run);
		expectEachItsOwn(items, results, numberIn);
		expect(run.items.flatMap(pairedWith)).toEqual(items.map(({ n }) => n));

		const sizes = bench().sandbox.ledger.entries.map(({ searches }) => searches.length);
		expect(sizes).toHaveLength(Math.ceil(COUNT / limit));
		expect(Math.max(...sizes)).toBe(limit);
		expect(sizes.reduce((sum, size) => sum + size)).toBe(COUNT);
		expect(new Set(results.map(({ batch_id }) => batch_id)).size).toBe(sizes.length);
		const found = results.filter((result) => result.found === true).length;
		expect(run.hints[0]?.message).toMatch(new RegExp(`^\\w+ ${found} of ${COUNT}, `));
	});
});

const SCENARIOS: ScenarioName[][] = [
	['resultsReversed'],
	['resultsShuffled', 'indexFrom1', 'verifierPositions'],
	['resultsReversed', 'indexFrom1', 'phoneNotFoundListed', 'echoAsSent'],
	['resultsShuffled', 'customInEcho', 'generalCustomNever'],
];

describe.for(SCENARIOS.map((scenarios) => ({ scenarios })))(
	'whatever the service answers: $scenarios',
	({ scenarios }) => {
		it.for(CASES)('$resource: each item gets its own result', async (lookup) => {
			const { resource, parameters, numberIn } = lookup;
			bench().sandbox.configure({ scenarios });
			// Each number twice, so that searches of a batch and items are not one to one.
			const items = [...numbered(20), ...numbered(20)];
			const run = await bench().run(resource, 'submitBulkAndWait', {
				parameters,
				options: resource === 'emailVerifier' ? {} : { itemCustom: '=row {{ $itemIndex }}' },
				items,
			});
			const results = jsonOf(run);
			expectEachItsOwn(items, results, numberIn);
			expect(bench().sandbox.ledger.totals()).toMatchObject({ searches: 20 });
			const [entry] = bench().sandbox.ledger.entries;
			expect(new Set(results.map(({ batch_id }) => batch_id))).toEqual(new Set([entry?.id]));
			for (const { found, qualification } of results) {
				expect(found).toBe(qualification === 'valid' || qualification === 'found');
			}
		});
	},
);
