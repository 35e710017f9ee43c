import type { IDataObject } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, textIn, useBench } from '../../support/n8nCore/contactData.mts';
import type { ScenarioName } from '../../support/sandbox/scenarios/index.mts';
import { expectChargedOnce, SEARCH_BY_NAME } from '../spending/money.mts';

// An entry that a batch gives twice is one, and a second number of a person is no other person: who was not
// found is not found, paid for as it is, and no error.

const bench = useBench();
useFastClock();

const ITEMS = ['mustfind-one', 'notfound-two', 'mustfind-three'].map((who) => ({ who }));
const SECOND_NUMBER = '+49301234567';

type Change = (results: IDataObject[]) => IDataObject[];
const inARow: Change = (results) => results.flatMap((result) => [result, result]);
const allAgain: Change = (results) => [...results, ...results];
const secondNumber: Change = ([first, ...others]) =>
	first === undefined ? [] : [first, { ...first, number: SECOND_NUMBER }, ...others];

interface Case {
	title: string;
	resource: keyof typeof SEARCH_BY_NAME;
	scenarios?: ScenarioName[];
	change: Change;
	stats?: IDataObject;
}

const finder = { resource: 'emailFinder' } as const;
const verifier = { resource: 'emailVerifier' } as const;
const phone = { resource: 'phoneFinder' } as const;
const CASES: Case[] = [
	{ ...finder, title: 'each twice in a row', change: inARow },
	{ ...finder, title: 'the whole list twice', change: allAgain },
	{ ...finder, title: 'each twice by its index alone', scenarios: ['echoMissing'], change: inARow },
	{
		...verifier,
		title: 'each twice by its index alone',
		scenarios: ['verifierWithoutEmail'],
		change: allAgain,
	},
	{ ...phone, title: 'each twice, without counts', change: inARow, stats: { requested: 3 } },
	{
		...phone,
		title: 'each twice, and counted so',
		change: inARow,
		stats: { requested: 3, found: 4 },
	},
	{
		...phone,
		title: 'a second number, and counts numbers',
		change: secondNumber,
		stats: { requested: 3, found: 3 },
	},
];

/** Changes what finished batches list and count. */
function listTwice({ scenarios = [], change, stats }: Case): void {
	bench().sandbox.configure({ scenarios });
	bench().sandbox.faults.add({
		on: 'GET *',
		kind: 'changed',
		change: (body) =>
			Array.isArray(body.results)
				? { ...body, ...(stats && { stats }), results: change(body.results as IDataObject[]) }
				: body,
		times: Infinity,
	});
}

it.for(CASES)('$resource: a batch that lists $title', async (given) => {
	const { resource } = given;
	listTwice(given);
	const run = await bench().run(resource, 'submitBulkAndWait', {
		parameters: SEARCH_BY_NAME[resource],
		items: ITEMS,
		settings: { onError: 'continueRegularOutput' },
	});
	const results = jsonOf(run);
	expect(results.map(({ found, error }) => error ?? found)).toEqual([true, false, true]);
	if (given.change === secondNumber) expect(JSON.stringify(results[0])).toContain(SECOND_NUMBER);
	expectChargedOnce(bench(), 3);
});

it('Get Bulk Results: who was not found is not found, too, where a batch lists each twice', async () => {
	const given = { parameters: SEARCH_BY_NAME.emailFinder, items: ITEMS };
	const [receipt] = jsonOf(await bench().run('emailFinder', 'submitBulk', given));
	const parameters = { batchId: textIn(receipt, 'batch_id') };
	await new Promise((resolve) => setTimeout(resolve, 1_000));
	listTwice({ ...finder, title: '', change: inARow });
	const results = jsonOf(await bench().run('emailFinder', 'getBulkResult', { parameters }));
	const found = results.map((json) => [textIn(json, 'fullname').toLowerCase(), json.found]);
	expect(Object.fromEntries(found)).toEqual({
		'mustfind-one doe': true,
		'notfound-two doe': false,
		'mustfind-three doe': true,
	});
});
