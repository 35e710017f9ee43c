import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import type { RowOutput, Output } from '../../../nodes/ContactData/input/rows.ts';
import { failureOf, invalidResult } from '../../../nodes/ContactData/input/rows.ts';
import type { Form } from '../../../nodes/ContactData/input/settings.ts';
import { optionalColumns } from '../../../nodes/ContactData/input/settings.ts';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import type { Lookup } from '../../../nodes/ContactData/lookups/types.ts';
import { columnsOf, toJson } from '../../../nodes/ContactData/results/columns.ts';
import { rowsFor, settingsFor } from '../../support/rows.mts';
import { searchOf } from '../../support/searches.mts';

const { emailFinder, emailVerifier, phoneFinder } = lookups;
const START = { task: 'start' } as const;

const formOf = (lookup: Lookup, size: Form['size'], more: Partial<Form>) =>
	settingsFor(lookup, size, { askedColumns: optionalColumns(lookup), ...more });

it.for<[Lookup, Form['size'], Partial<Form>, string]>([
	[
		emailFinder,
		'single',
		{},
		'fullname email found error qualification firstname lastname gender company_domain company_name custom search_id batch_id status',
	],
	[
		emailFinder,
		'bulk',
		{ askedColumns: [] },
		'fullname email found error qualification firstname lastname company_domain company_name search_id batch_id status',
	],
	[
		emailVerifier,
		'single',
		{},
		'email found error reason qualification custom search_id batch_id status',
	],
	[
		phoneFinder,
		'bulk',
		{ askedColumns: [] },
		'socialprofile_url number found error country qualification firstname lastname company_domain company_name search_id batch_id status',
	],
	[
		phoneFinder,
		'single',
		{ choice: 'nameAndCompany', askedColumns: [] },
		'firstname lastname number found error country qualification socialprofile_url company_domain company_name search_id batch_id status',
	],
	[
		emailFinder,
		'single',
		START,
		'fullname company_domain company_name search_id credits status error custom',
	],
	[
		emailVerifier,
		'bulk',
		{ ...START, askedColumns: [] },
		'batch_id size credits status error email found reason qualification',
	],
	[
		phoneFinder,
		'bulk',
		{ ...START, askedColumns: [] },
		'batch_id size credits status error socialprofile_url firstname lastname company_domain company_name',
	],
])('$0.name $1 %j', ([lookup, size, more, columns]) => {
	expect(columnsOf(formOf(lookup, size, more)).join(' ')).toBe(columns);
});

describe.for(Object.values(lookups))('$name: what the columns say', (lookup) => {
	const search = searchOf(lookup.name, 'ada');
	const [row] = rowsFor(lookup, [search]).map((read) => ({ ...read, custom: 'mine' }));
	const form = formOf(lookup, 'single', {});
	const result = (json: IDataObject): Output => ({ kind: 'result', json });
	const problem = { message: 'No', description: 'Fix it.' };
	const told = { ...form, ...START };

	it.for<[string, Output, IDataObject, Form?]>([
		['a result', result({ id: 'a', status: 'completed', found: true }), { search_id: 'a' }],
		['one with an error of the service', result({ error: 'x', found: false }), { error: null }],
		['what still runs', result({ id: 'a', status: 'ongoing' }), { status: 'ongoing' }],
		['a failure', failureOf({ problem, search }), { error: 'No. Fix it.', status: 'failed' }],
		[
			'a failure with an id',
			failureOf({ problem: { ...problem, remedy: 'read' }, ids: { id: 'a' }, search }),
			{ search_id: 'a', status: 'ongoing' },
		],
		['what is invalid', invalidResult(row, 'no @'), { status: 'completed', found: false }],
		['a receipt', result({ id: 'a', status: 'ongoing', credits: 2 }), { credits: 2 }, told],
	])(
		'of %s are all there, with what was asked, and custom data',
		([, output, expected, its = form]) => {
			const columns = toJson(its, { row, output });
			expect(Object.keys(columns)).toEqual(columnsOf(its));
			expect(columns).toMatchObject({ ...expected, ...search, custom: 'mine' });
		},
	);
});

it.for([1, 2])(
	'the receipt of a batch of one tells who was asked for, of two nobody: %i',
	(size) => {
		const form = formOf(emailFinder, 'bulk', START);
		const rows = rowsFor(
			emailFinder,
			['ada', 'bob'].map((word) => searchOf('emailFinder', word)),
		);
		const given: RowOutput = {
			row: { ...rows[0], custom: 'mine' },
			output: { kind: 'result', json: { batch_id: 'b', size } },
			ofItems: [0, 1],
		};
		const asked =
			size === 1 ? { fullname: 'ada Doe', custom: 'mine' } : { fullname: null, custom: null };
		expect(toJson(form, given)).toMatchObject({ ...asked, batch_id: 'b', size });
	},
);

it('a number told as a number is text, and what is neither is handed on', () => {
	const [row] = rowsFor(phoneFinder, [searchOf('phoneFinder', 'ada')]);
	const of = (lookup: Lookup, json: IDataObject) =>
		toJson(formOf(lookup, 'single', {}), { row, output: { kind: 'result', json } });
	expect(of(phoneFinder, { number: 15551234 }).number).toBe('15551234');
	const gender = { male: 0.1, female: 0.9 };
	expect(of(emailFinder, { info: { gender } }).gender).toEqual(gender);
});

it.for<[Lookup, IDataObject, IDataObject]>([
	[emailFinder, { email: 'a.hart@acme.com', qualification: 'invalid' }, { email: null }],
	[
		phoneFinder,
		{ number: '+331', country: 'FR', qualification: 'not_found' },
		{ number: null, country: null },
	],
	[emailVerifier, { email: 'ada@acme.com', qualification: 'invalid' }, { email: 'ada@acme.com' }],
])('what is not found is no column of a result: %#', ([lookup, answer, expected]) => {
	const json = { ...answer, found: false, status: 'completed', id: 's-1' };
	const [row] = rowsFor(lookup, [searchOf(lookup.name, 'ada')]);
	if (row === undefined) throw new Error('There is one');
	const one: RowOutput = { row, output: { kind: 'result', json } };
	expect(toJson(settingsFor(lookup, 'single'), one)).toMatchObject(expected);
	// As it is, with Simplify off.
	expect(toJson(settingsFor(lookup, 'single', { isSimple: false }), one)).toMatchObject(answer);
});
