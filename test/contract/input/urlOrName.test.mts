import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { couldNotBeUsed, noName, noProfilePage } from '../../support/texts.mts';

// Phone searches by Profile URL or Name, of lists that are not all of one kind.

const bench = useBench();
useFastClock();

const CONTINUE = { onError: 'continueRegularOutput' } as const;
const url = (who: string) => `https://www.linkedin.com/in/${who}`;

const EITHER = {
	identifyBy: 'urlOrName',
	socialProfileUrl: '={{ $json.url }}',
	firstname: '={{ $json.first }}',
	lastname: '={{ $json.last }}',
	companyDomain: '={{ $json.domain }}',
	companyName: '={{ $json.company }}',
};
const NAMED = { first: 'Ada', last: 'Hart', domain: 'acme.example' };
const BY_NAME = { firstname: 'Ada', lastname: 'Hart', company_domain: 'acme.example' };

const ROWS: Array<[what: string, item: IDataObject, sent: IDataObject | string]> = [
	['a profile', { url: url('ada') }, { socialprofile_url: url('ada') }],
	['a profile and a name', { url: url('ada'), ...NAMED }, { socialprofile_url: url('ada') }],
	['a profile and no name', { url: url('ada'), first: '#N/A' }, { socialprofile_url: url('ada') }],
	['no profile', { url: '', ...NAMED }, BY_NAME],
	['a page of a company', { url: 'https://linkedin.com/company/acme', ...NAMED }, BY_NAME],
	['n/a as profile', { url: 'n/a', ...NAMED }, BY_NAME],
	['neither', { url: '' }, "'Profile URL' is empty"],
	['an unusable profile, no name', { url: 'https://linkedin.com/company/acme' }, noProfilePage],
	['no profile, half a name', { url: '', first: 'Ada' }, 'empty'],
	['no profile, no real name', { ...NAMED, first: 'undefined' }, noName],
];
it.for(ROWS)('%s', async ([, item, sent]) => {
	const [output] = jsonOf(
		await bench().run('phoneFinder', 'submit', {
			parameters: EITHER,
			items: [item],
			settings: CONTINUE,
		}),
	);
	if (typeof sent !== 'string') expect(bench().posts).toMatchObject([{ body: sent }]);
	else {
		bench().expectNothingSubmitted();
		expect(output).toMatchObject({ error: expect.stringContaining(sent) as string });
	}
});

describe('profiles that could not be used', () => {
	const items = [
		{ url: url('mustfind-ada') },
		{ url: 'https://linkedin.com/company/acme', ...NAMED },
		{ url: 'n/a', ...NAMED, first: 'Bea' },
	];

	it.for([
		[true, `2 phone searches go without a value ${couldNotBeUsed}`],
		[false, "2 phone searches went without 'Profile URL', which could not be used"],
	] as const)('are counted (dry run: %s)', async ([dryRun, told]) => {
		const options = { dryRun, maxCredits: 1_000 };
		const given = { parameters: EITHER, items, options };
		const run = await bench().run('phoneFinder', 'submitBulkAndWait', given);
		expect(jsonOf(run)).toHaveLength(3);
		expect(run.hints.map(({ message }) => message).join()).toContain(told);
	});
});
