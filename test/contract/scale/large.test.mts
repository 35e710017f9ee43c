import { expect, it } from 'vitest';
import type { IDataObject } from 'n8n-workflow';
import { asRecord } from '../../../nodes/ContactData/common/values.ts';
import type { LookupName } from '../../../nodes/ContactData/lookups/index.ts';
import type { ScenarioName } from '../../support/sandbox/scenarios/index.mts';
import { jsonOf, pairedWith, useBench } from '../../support/n8nCore/contactData.mts';
import { LOOKUP_NAMES } from '../../support/searches.mts';

const bench = useBench({ keepRequests: 100 });

const COUNT = 7_000;
/** Of so many, a second item asks for the same: searches of a batch and items are not one to one. */
const TWICE = 20;

/** What a result says of the item that it belongs to: the number in its name. */
const CASES: Record<
	LookupName,
	{
		/** How the service may tell its results. */
		scenarios: ScenarioName[];
		limit: number;
		parameters: Record<string, string>;
		numberIn: (result: IDataObject) => unknown;
	}
> = {
	emailFinder: {
		scenarios: ['resultsShuffled', 'customInEcho'],
		limit: 5000,
		parameters: { fullname: '=Ada Number{{ $json.n }}', companyDomain: 'acme.com' },
		numberIn: ({ raw_params }) => asRecord(raw_params)?.fullname,
	},
	emailVerifier: {
		scenarios: ['resultsShuffled', 'verifierPositions'],
		limit: 5000,
		parameters: { email: '=Ada Number{{ $json.n }}@acme.com'.replace(' ', '.') },
		numberIn: ({ email }) => email,
	},
	phoneFinder: {
		scenarios: ['resultsReversed', 'phoneNotFoundListed', 'echoAsSent'],
		limit: 3000,
		parameters: { socialProfileUrl: '=https://social.example/in/Number{{ $json.n }}' },
		numberIn: ({ params }) => asRecord(params)?.linkedin_url ?? asRecord(params)?.socialprofile_url,
	},
};

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

it.for(LOOKUP_NAMES)(
	'%s: thousands of items in as few batches as may be, and each gets its own result',
	async (resource) => {
		const { scenarios, limit, parameters, numberIn } = CASES[resource];
		bench().sandbox.service.account().credits = COUNT * 50;
		bench().sandbox.configure({ scenarios });
		const items = [...numbered(COUNT), ...numbered(TWICE)];
		// By what the service says of whom it is: a column may hold what was asked.
		const given = { parameters: { ...parameters, simplify: false }, items };
		const run = await bench().run(resource, 'submitBulkAndWait', given);
		const results = jsonOf(run);
		expectEachItsOwn(items, results, numberIn);
		expect(run.items.flatMap(pairedWith)).toEqual(items.map((_, position) => position));
		for (const { found, qualification } of results) {
			expect(found).toBe(qualification === 'valid' || qualification === 'found');
		}

		const sizes = bench().sandbox.ledger.entries.map(({ searches }) => searches.length);
		expect(sizes).toHaveLength(Math.ceil(COUNT / limit));
		expect(Math.max(...sizes)).toBe(limit);
		expect(bench().sandbox.ledger.totals().searches).toBe(COUNT);
		expect(new Set(results.map(({ batch_id }) => batch_id)).size).toBe(sizes.length);
	},
);
