import { expect, it } from 'vitest';
import type { IDataObject } from 'n8n-workflow';
import type { ScenarioName } from '../../support/sandbox/scenarios/index.mts';
import { jsonOf, pairedWith, useBench } from '../../support/n8nCore/contactData.mts';
import { LOOKUP_NAMES, lookupOf, parametersOf } from '../../support/searches.mts';

const bench = useBench({ keepRequests: 100 });

const COUNT = 7_000;
/** Of so many, a second item asks for the same: searches of a batch and items are not one to one. */
const TWICE = 20;

/** How the services may tell results; each is of one kind. */
const SCENARIOS: ScenarioName[] = [
	...(['resultsShuffled', 'customInEcho', 'verifierPositions'] as const),
	...(['phoneNotFoundListed', 'echoAsSent'] as const),
];

const numbered = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));

/** Asserts that each item got the result of its own search, whatever the service did with it. */
function expectEachItsOwn(
	items: Array<{ n: number }>,
	results: IDataObject[],
	echo: (result: IDataObject) => IDataObject,
) {
	expect(results).toHaveLength(items.length);
	const wrong = items.filter(({ n }, position) => {
		const result = results[position] ?? {};
		return !new RegExp(`number${n}\\b`, 'i').test(JSON.stringify(echo(result)));
	});
	expect(wrong).toEqual([]);
}

it.for(LOOKUP_NAMES)(
	'%s: thousands of items in as few batches as may be, and each gets its own result',
	async (resource) => {
		const lookup = lookupOf(resource);
		bench().sandbox.service.account().credits = COUNT * 50;
		bench().sandbox.configure({ scenarios: SCENARIOS });
		const items = [...numbered(COUNT), ...numbered(TWICE)];
		// By what the service says of whom it is: a column may hold what was asked.
		const parameters = { ...parametersOf(resource, '("number" + $json.n)'), simplify: false };
		const given = { parameters, items };
		const run = await bench().run(resource, 'submitBulkAndWait', given);
		const results = jsonOf(run);
		expectEachItsOwn(items, results, (result) => lookup.echo(result));
		expect(run.items.flatMap(pairedWith)).toEqual(items.map((_, position) => position));
		for (const { found, qualification } of results) {
			expect(found).toBe(qualification === 'valid' || qualification === 'found');
		}

		const sizes = bench().sandbox.ledger.entries.map(({ searches }) => searches.length);
		expect(sizes).toHaveLength(Math.ceil(COUNT / lookup.batchLimit));
		expect(Math.max(...sizes)).toBe(lookup.batchLimit);
		expect(bench().sandbox.ledger.totals().searches).toBe(COUNT);
		expect(new Set(results.map(({ batch_id }) => batch_id)).size).toBe(sizes.length);
	},
);
