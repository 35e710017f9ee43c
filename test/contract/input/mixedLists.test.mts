import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { couldNotBeUsed, noName, noProfilePage } from '../../support/texts.mts';

// Lists that are not all of one kind: profiles beside names, and lists with more columns than are sent.

const bench = useBench();
useFastClock();

const CONTINUE = { onError: 'continueRegularOutput' } as const;
const url = (who: string) => `https://www.linkedin.com/in/${who}`;

describe('phone searches by Profile URL or Name', () => {
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
		[
			'a profile and no name',
			{ url: url('ada'), first: '#N/A' },
			{ socialprofile_url: url('ada') },
		],
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

	it('the hint counts the profiles that could not be used', async () => {
		const items = [
			{ url: url('mustfind-ada') },
			{ url: 'https://linkedin.com/company/acme', ...NAMED },
			{ url: 'n/a', ...NAMED, first: 'Bea' },
		];
		const run = await bench().run('phoneFinder', 'submitBulkAndWait', {
			parameters: EITHER,
			items,
		});
		expect(jsonOf(run)).toHaveLength(3);
		expect(run.hints.map(({ message }) => message).join()).toContain(
			`2 phone searches go without 'Profile URL', ${couldNotBeUsed}`,
		);
	});
});

describe('lists in one item', () => {
	const list = async (resource: string, field: string, entries: unknown[], settings = {}) =>
		await bench().run(resource, 'submitBulkAndWait', {
			parameters: { inputMode: 'array', [field]: '={{ $json.list }}' },
			items: [{ list: entries }],
			settings,
		});

	it('columns that are not searched by are not sent', async () => {
		const entries = ['ada', 'bea'].map((who, row) => ({
			row_number: row + 2,
			Notes: 'x',
			fullname: `mustfind ${who}`,
			company_domain: 'acme.example',
		}));
		expect(jsonOf(await list('emailFinder', 'searches', entries))).toHaveLength(2);
		expect(bench().posts).toEqual([
			{
				path: '/email/find/bulk',
				body: {
					searches: entries.map(({ fullname, company_domain }) => ({ fullname, company_domain })),
				},
			},
		]);
	});

	it('verifications may be objects with email', async () => {
		const entries = [{ email: 'mustfind.a@x.example', row_number: 2 }, 'mustfind.b@x.example'];
		expect(jsonOf(await list('emailVerifier', 'verifications', entries))).toMatchObject([
			{ found: true },
			{ found: true },
		]);
	});

	const ENTRIES = [
		{ fullname: 'mustfind ada', company_domain: 'acme.example' },
		{ fullname: '#N/A', company_domain: 'acme.example' },
		{ fullname: 'mustfind bea', company_domain: 'acme.example' },
	];

	it('one bad entry is an error of that entry, where On Error goes on', async () => {
		const items = jsonOf(await list('emailFinder', 'searches', ENTRIES, CONTINUE));
		expect(items).toMatchObject([
			{ found: true },
			{ error: expect.stringContaining("Entry 2 of 'Searches'") as string, item: 0 },
			{ found: true },
		]);
	});

	it('else nothing is sent', async () => {
		const run = await list('emailFinder', 'searches', ENTRIES);
		expect(run.error).toMatchObject({
			message: expect.stringContaining("Entry 2 of 'Searches'") as string,
		});
		bench().expectNothingSubmitted();
	});
});

it('Custom Data per Item of a finder may be an object', async () => {
	const run = await bench().run('emailFinder', 'submitBulkAndWait', {
		parameters: { fullname: '={{ $json.name }}', companyDomain: 'acme.example' },
		items: [{ name: 'mustfind ada', row: 7 }],
		options: { itemCustom: '={{ { row: $json.row } }}' },
	});
	expect(jsonOf(run)).toMatchObject([{ custom: { row: 7 } }]);
});
