import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, pairedWith, shownError, useBench } from '../../support/n8nCore/contactData.mts';

// What becomes of a value that is not there: of nothing to do, an empty cell, and a column that the
// expression calls otherwise.

const bench = useBench();
useFastClock();

const CONTINUE = { onError: 'continueRegularOutput' } as const;
const MAIL = { email: '={{ $json.email }}' };
const FIRST_AND_LAST = {
	nameFormat: 'firstAndLastName',
	firstname: '={{ $json.first }}',
	lastname: '={{ $json.last }}',
	companyDomain: 'acme.com',
};

describe('nothing to do: no search, no error, no items', () => {
	it.for<[resource: string, operation: string, parameters: INodeParameters]>([
		['emailVerifier', 'submit', MAIL],
		['emailFinder', 'submitBulkAndWait', { fullname: '={{ $json.a }}', companyDomain: '' }],
		['emailFinder', 'submitAndWait', { ...FIRST_AND_LAST, companyDomain: '={{ $json.b }}' }],
		['phoneFinder', 'getResult', { lookupId: '={{ $json.id }}' }],
		['emailFinder', 'getBulkResult', { batchId: '={{ $json.batch_id }}' }],
		['emailVerifier', 'submitBulk', { inputMode: 'array', verifications: '={{ $json.data }}' }],
	])('one item without fields: %s %s', async ([resource, operation, parameters]) => {
		const run = await bench().run(resource, operation, { parameters, items: [{}] });
		expect(jsonOf(run)).toEqual([]);
		expect(run.hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^Nothing to do/),
		]);
		expect(bench().sandbox.requests).toEqual([]);
	});

	it('an empty list beside others', async () => {
		const run = await bench().run('emailVerifier', 'submitBulkAndWait', {
			parameters: { inputMode: 'array', verifications: '={{ $json.data }}' },
			items: [{ data: [] }, { data: ['mustfind@acme.com'] }],
		});
		expect(run.items.map(pairedWith)).toEqual([[1]]);
	});

	it.for<[string, INodeParameters, IDataObject[]]>([
		['a field that is left empty in the editor', { fullname: '', companyDomain: '' }, [{}]],
		[
			'a field that is filled in for all',
			{ fullname: '={{ $json.n }}', companyDomain: '' },
			[{ a: 1 }],
		],
		['two items', { fullname: '={{ $json.n }}', companyDomain: '' }, [{}, {}]],
	])('is not %s', async ([, parameters, items]) => {
		const run = await bench().run('emailFinder', 'submitAndWait', { parameters, items });
		expect(shownError(run, bench().sandbox.apiKey).message).toContain("'Full Name'");
	});

	it('is not a search by a value that no item gives', async () => {
		const parameters = { email: '={{ "mustfind@acme.com" }}' };
		const run = await bench().run('emailVerifier', 'submitAndWait', { parameters, items: [{}] });
		expect(jsonOf(run)).toMatchObject([{ found: true }]);
	});
});

describe('an empty cell', () => {
	const CELLS = ['', ' ', null, undefined, { error: '#ERROR!' }];
	it.for(CELLS)('%j of a verification is `invalid`, free', async (email) => {
		const items = [{ email: 'mustfind@acme.com' }, { email }] as IDataObject[];
		for (const operation of ['submitAndWait', 'submitBulkAndWait']) {
			const run = await bench().run('emailVerifier', operation, { parameters: MAIL, items });
			expect(jsonOf(run)).toMatchObject([
				{ found: true, reason: null },
				{ found: false, qualification: 'invalid', reason: 'empty' },
			]);
			expect(jsonOf(run)[1]?.email ?? '').toMatch(/^ ?$/);
		}
		expect(bench().sandbox.ledger.totals().searches).toBe(1);
	});

	it('in every item is the fault of the field, which is said', async () => {
		for (const resource of ['emailVerifier', 'phoneFinder']) {
			const run = await bench().run(resource, 'submitBulkAndWait', {
				parameters: { email: '={{ $json.mail }}', socialProfileUrl: '={{ $json.profile }}' },
				items: [{ a: 1 }, { a: 2 }, { a: 3 }],
			});
			const { message, description } = shownError(run, bench().sandbox.apiKey);
			expect(message).toMatch(/^'(Email|Profile URL)' is empty in all 3 items$/);
			expect(description).toContain('No item has a value there. Drag the column');
		}
		bench().expectNothingSubmitted();
	});
});

it.for([
	['profileUrl', {}, "'Profile URL' is"],
	['urlOrName', {}, "'Profile URL' is"],
	['nameAndCompany', {}, "'First Name', 'Last Name', 'Company Domain' and 'Company Name' are"],
	['nameAndCompany', { first: 'Ada' }, "'Last Name', 'Company Domain' and 'Company Name' are"],
] as const)(
	'of a phone search, what is missing is of what was chosen: Identify By %s of %j',
	async ([identifyBy, item, missing]) => {
		const run = await bench().run('phoneFinder', 'submit', {
			parameters: {
				identifyBy,
				socialProfileUrl: '={{ $json.url }}',
				firstname: '={{ $json.first }}',
				lastname: '={{ $json.last }}',
			},
			items: [{ row: 1, ...item }],
		});
		expect(shownError(run, bench().sandbox.apiKey).message).toBe(`${missing} empty`);
	},
);

describe('a column that the expression calls otherwise', () => {
	const lacks = async (expression: string, item: IDataObject) => {
		const run = await bench().run('emailFinder', 'submitAndWait', {
			parameters: { fullname: expression, companyDomain: 'acme.com' },
			items: [item],
		});
		return shownError(run, bench().sandbox.apiKey);
	};

	it.for([
		['={{ $json["Full Name"] }}', 'Full Name '],
		["={{ $json['Full Name'] }}", '\ufeffFull Name'],
		['={{ $json.fullName }}', 'fullname'],
		['={{ $json?.full_name }}', 'Full Name'],
		['={{ $json.name ?? $json[`full name`] }}', 'Full  Name'],
	] as const)('%s where it is called %j', async ([expression, column]) => {
		const { message, description } = await lacks(expression, { [column]: 'Ada Hart' });
		expect(message).toBe("'Full Name' is empty");
		expect(description).toContain(`it is called ${JSON.stringify(column)}`);
	});

	it.for([
		['={{ $json.fullname }}', { fullname: '', FullName: 'Ada Hart' }],
		['={{ $json.fullname }}', { FullName: '' }],
		['={{ $json.fullname }}', { name: 'Ada Hart' }],
	] as const)('is not named for %s in %j', async ([expression, item]) => {
		expect((await lacks(expression, item)).description).not.toContain('it is called');
	});

	it('of an ID of an Earlier Search is no new purchase', async () => {
		const given = {
			parameters: { email: 'mustfind@acme.com' },
			options: { earlierId: '={{ $json.id }}' },
		};
		const items = [{ ID: 'a1' }];
		const run = await bench().run('emailVerifier', 'submitAndWait', { ...given, items });
		const { message, description } = shownError(run, bench().sandbox.apiKey);
		expect(message).toContain("'ID of an Earlier Search' is empty");
		expect(description).toContain('it is called "ID"');
		bench().expectNothingSubmitted();
	});

	it('of a Search ID', async () => {
		const run = await bench().run('emailVerifier', 'getResult', {
			parameters: { lookupId: '={{ $json.id }}' },
			items: [{ ID: 'a1' }],
		});
		expect(shownError(run, bench().sandbox.apiKey).description).toContain('it is called "ID"');
	});
});

describe('First and Last Name', () => {
	const parameters = FIRST_AND_LAST;

	it('are sent joined by one space', async () => {
		const items = [{ first: ' Mustfind ', last: 'van  Dijk' }];
		const run = await bench().run('emailFinder', 'submitAndWait', { parameters, items });
		expect(jsonOf(run)).toMatchObject([{ found: true }]);
		expect(bench().posts).toMatchObject([
			{ body: { fullname: 'Mustfind van Dijk', company_domain: 'acme.com' } },
		]);
	});

	it.for([
		[{ first: 'Ada' }, "'Last Name' is empty"],
		[{ last: 'Hart' }, "'First Name' is empty"],
		[{}, "'First Name' and 'Last Name' are both empty"],
		[{ first: 'First Name', last: 'Hart' }, "'First Name' must be a name"],
		[{ first: 'Ada', last: '#N/A' }, "'Last Name' must be a name"],
	] as const)('%j is an error of its item', async ([item, problem]) => {
		const items = [item, { first: 'Mustfind', last: 'Low' }];
		const given = { parameters, items, settings: CONTINUE };
		const run = await bench().run('emailFinder', 'submitBulkAndWait', given);
		expect(jsonOf(run)).toMatchObject([
			{ error: expect.stringContaining(problem) as string },
			{ found: true },
		]);
	});

	it('may stand in a list in place of fullname', async () => {
		const list = [
			{ firstname: 'Mustfind', lastname: 'Hart', company_domain: 'acme.com' },
			{ fullname: 'Mustfind Low', firstname: 'Bea', company_domain: 'acme.com' },
			{ firstname: 'Cleo', company_domain: 'acme.com' },
		];
		const run = await bench().run('emailFinder', 'submitBulkAndWait', {
			parameters: { inputMode: 'array', searches: '={{ $json.list }}' },
			items: [{ list }],
			settings: CONTINUE,
		});
		expect(bench().posts).toMatchObject([
			{ body: { searches: [{ fullname: 'Mustfind Hart' }, { fullname: 'Mustfind Low' }] } },
		]);
		expect(jsonOf(run)[2]).toMatchObject({
			error: expect.stringContaining("'Last Name' is empty") as string,
		});
	});

	it('hidden, they are not looked at', async () => {
		const run = await bench().run('emailFinder', 'submitAndWait', {
			parameters: { ...parameters, nameFormat: 'fullName', fullname: 'Mustfind Hart' },
			items: [{}],
		});
		expect(jsonOf(run)).toMatchObject([{ found: true }]);
	});
});

describe('a list of one value', () => {
	it('is an ID', async () => {
		const bought = await bench().run('emailVerifier', 'submitAndWait', {
			parameters: { email: 'mustfind@acme.com' },
		});
		const { search_id: id } = jsonOf(bought)[0] ?? {};
		for (const given of [[id], JSON.stringify([id])]) {
			const read = await bench().run('emailVerifier', 'getResult', {
				parameters: { lookupId: '={{ $json.id }}' },
				items: [{ id: given }] as IDataObject[],
			});
			expect(jsonOf(read)).toMatchObject([{ search_id: id, found: true }]);
		}
	});
});
