import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { isRecord } from '../../../../nodes/ContactData/common/values.ts';
import { jsonOf, useBench } from '../../../support/n8nCore/contactData.mts';
import { COMPANIES } from './companies.mts';
import { DOMAINS } from './domains.mts';
import { FULL_NAMES, SOME_NAMES } from './names.mts';
import { PROFILES } from './profiles.mts';
import {
	as,
	broken,
	inLists,
	inListsOfTwo,
	NOTHING,
	NUMBER,
	OF_ALL,
	ofWebPage,
	type Row,
} from './rows.mts';
import { sentSearches } from './sent.mts';

// What the cells of real lists hold, and what becomes of it: it is sent, or refused before it is paid for.

const bench = useBench();

const EMAILS: Row[] = [
	NUMBER,
	['zo\ufffd@acme.com', broken],
	['o&#39;neill@acme.com', as("o'neill@acme.com")],
	['zo&euml;@acme.com', ofWebPage],
	['zo&#235;@acme.com', as('zoë@acme.com')],
	...inLists('ada@acme.com'),
	[[{ email: 'ada@acme.com', name: 'Ada' }], as('ada@acme.com')],
	[[{ address: 'ada@acme.com', name: 'Ada' }], as('ada@acme.com')],
	[{ id: 'c', text: 'Ada', value: '{"email":"ada@acme.com","text":"Ada"}' }, as('ada@acme.com')],
	...inListsOfTwo('ada@acme.com', 'bea@acme.com', 'emails'),
];

interface Field {
	label: string;
	resource: string;
	/** What the service calls it. */
	name: string;
	parameters: INodeParameters;
	rows: Row[];
}

const VALUE = '={{ $json.value }}';
const BY_NAME = { identifyBy: 'nameAndCompany', companyDomain: 'acme.example' };
const FIELDS: Field[] = [
	{
		label: 'Full Name',
		resource: 'emailFinder',
		name: 'fullname',
		parameters: { fullname: VALUE, companyDomain: 'acme.example' },
		rows: FULL_NAMES,
	},
	{
		label: 'First Name',
		resource: 'phoneFinder',
		name: 'firstname',
		parameters: { ...BY_NAME, firstname: VALUE, lastname: 'Hart' },
		rows: SOME_NAMES,
	},
	{
		label: 'Last Name',
		resource: 'phoneFinder',
		name: 'lastname',
		parameters: { ...BY_NAME, firstname: 'Ada', lastname: VALUE },
		rows: SOME_NAMES,
	},
	{
		label: 'Company Name',
		resource: 'emailFinder',
		name: 'company_name',
		parameters: { fullname: 'Ada Hart', companyName: VALUE },
		rows: COMPANIES,
	},
	{
		label: 'Company Domain',
		resource: 'emailFinder',
		name: 'company_domain',
		parameters: { fullname: 'Ada Hart', companyDomain: VALUE },
		rows: DOMAINS,
	},
	{
		label: 'Profile URL',
		resource: 'phoneFinder',
		name: 'socialprofile_url',
		parameters: { socialProfileUrl: VALUE },
		rows: PROFILES,
	},
	{
		label: 'Email',
		resource: 'emailVerifier',
		name: 'email',
		parameters: { email: VALUE },
		rows: EMAILS,
	},
];

/** A row as its test is called; JSON has no patterns. */
function tell([value, fate]: Row): string {
	const given = String(JSON.stringify(value)).slice(0, 80);
	return `${given} ${'sent' in fate ? `is sent as "${fate.sent}"` : `is refused: ${String(fate.refused)}`}`;
}

const itemOf = ([value]: Row): IDataObject => ({ value }) as IDataObject;

describe.for(FIELDS)("'$label'", ({ label, resource, name, parameters, rows: own }) => {
	// An empty cell is a verification's result.
	const rows = [...OF_ALL, ...(name === 'email' ? [] : NOTHING), ...own];
	it.for(rows.map((row) => [tell(row), row] as const))('%s', async ([, [value, fate]]) => {
		const run = await bench().run(resource, 'submit', {
			parameters,
			options: { dryRun: true },
			items: [itemOf([value, fate])],
		});
		const [json] = jsonOf(run);
		if ('sent' in fate) {
			expect(json).toMatchObject({ action: 'submit', [name]: fate.sent });
			return;
		}
		expect(json?.action).toBe('invalid');
		expect(json?.reason).toContain(`'${label}'`);
		expect(json?.reason).toMatch(fate.refused);
		if (fate.advice === undefined) return;
		const [refused] = jsonOf(
			await bench().run(resource, 'submit', {
				parameters: { ...parameters, simplify: false },
				items: [itemOf([value, fate])],
				settings: { onError: 'continueRegularOutput' },
			}),
		);
		expect(refused?.description).toMatch(fate.advice);
	});

	it('what is refused is not sent, and what is sent is as told', async () => {
		await bench().run(resource, 'submitBulk', {
			parameters,
			items: rows.map(itemOf),
			settings: { onError: 'continueRegularOutput' },
		});
		const texts = sentSearches(bench()).map((entry) =>
			String(isRecord(entry) ? entry[name] : entry).toLowerCase(),
		);
		const expected = rows.flatMap(([, fate]) => ('sent' in fate ? [fate.sent.toLowerCase()] : []));
		expect(texts.length).toBeGreaterThan(0);
		expect(texts.filter((text) => !expected.includes(text))).toEqual([]);
	});
});
