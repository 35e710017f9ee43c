import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { shownError, type Given, useBench } from '../../support/n8nCore/contactData.mts';
import { nameAndCompanyMissing } from '../../support/texts.mts';

// What is far too long, or in far too many levels.

const bench = useBench();
useFastClock();

const LEVELS = 10_000;
const DEEP = `${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`;
const LISTS = '['.repeat(LEVELS) + ']'.repeat(LEVELS);
const LONG = 'x'.repeat(10 * 1024 ** 2);
const deepItem = () => ({ value: JSON.parse(DEEP) as IDataObject });

const PERSON = { fullname: 'mustfind ada', companyDomain: 'acme.example' };
const list = (searches: string): INodeParameters => ({ inputMode: 'array', searches });

interface Case extends Given {
	what: string;
	operation: string;
	says: RegExp;
}

const cases: Case[] = [
	{
		what: 'an entry',
		operation: 'submitBulk',
		parameters: list(`[${DEEP}]`),
		says: new RegExp(`^Entry 1 of 'Searches': ${nameAndCompanyMissing}$`),
	},
	{
		what: 'lists in a list',
		operation: 'submitBulk',
		parameters: list(LISTS),
		says: /^Entry 1 of '\w+' is a list$/,
	},
	{
		what: '10 MB as a list',
		operation: 'submitBulk',
		parameters: list(LONG),
		says: /not valid JSON/,
	},
	{ what: '10 MB as an id', operation: 'getResult', parameters: { lookupId: LONG }, says: /./ },
];

it.for(cases)(
	'$what: the error says so, and nothing is sent',
	async ({ operation, says, ...given }) => {
		const run = await bench().run('emailFinder', operation, given);
		const { message, description } = shownError(run, bench().sandbox.apiKey);
		expect(message).toMatch(says);
		expect(message.length + description.length).toBeLessThan(2_000);
		bench().expectNothingSubmitted();
	},
);

it('10 MB of custom data are sent, and what lies deep in an item is none of ours', async () => {
	const options = { custom: JSON.stringify({ LONG }), includeInputFields: true };
	const run = await bench().run('emailFinder', 'submit', {
		parameters: PERSON,
		items: [deepItem()],
		options,
	});
	expect(run.error).toBeUndefined();
	expect(run.items).toMatchObject([{ json: { search_id: bench().sandbox.ledger.entries[0]?.id } }]);
});
