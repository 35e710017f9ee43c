import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { shownError, useBench } from '../../support/n8nCore/contactData.mts';
import { cannotBeSearched, nameMissing, noName } from '../../support/texts.mts';

// A run that stops at bad items sends nothing. It says of how many, which, why, and the ways on.

const bench = useBench();

const NAMED = { fullname: '={{ $json.name }}', companyDomain: '={{ $json.domain }}' };
const errorOf = async (
	items: IDataObject[],
	parameters: INodeParameters = NAMED,
	operation = 'submit',
) => {
	const run = await bench().run('emailFinder', operation, { parameters, items });
	bench().expectNothingSubmitted();
	return shownError(run, bench().sandbox.apiKey);
};
const at = (domain: string, name: string, more = {}) => ({ domain, name, ...more });

it.for(['submitAndWait', 'submitBulkAndWait', 'submit', 'submitBulk'])(
	'%s: the first item and its value, the others each with its own reason',
	async (operation) => {
		const items = [
			at('a.example', 'Ada Hart'),
			at('b.example', '#N/A'),
			at('c.example', '#N/A'),
			at('d.example', 'n/a'),
			at('', 'Eve Orr'),
		];
		const { message, description, itemIndex } = await errorOf(items, NAMED, operation);
		expect(message).toContain(cannotBeSearched(4, 5));
		expect(message).toContain(`The first is item 2, b.example: 'Full Name' ${noName} "#N/A"`);
		expect(description).toMatch(/Fill in the name\./);
		expect(description).toContain(
			`Also item 3, c.example; item 4, d.example: 'Full Name' is "n/a"; item 5, Eve Orr: 'Company Domain' and`,
		);
		expect(description).toMatch(/Nothing was sent. Fix them, .* 'On Error' .* Continue/);
		expect(itemIndex).toBeUndefined();
	},
);

it('five of them, by the number of their row in the sheet', async () => {
	const rows = Array.from({ length: 9 }, (_, n) => at('a.example', '', { row_number: n + 8 }));
	const items = [at('a.example', 'Ada Hart', { row_number: 7 }), ...rows];
	const { message, description } = await errorOf(items);
	expect(message).toContain(`The first is row 8, a.example: ${nameMissing}`);
	const others = [9, 10, 11, 12].map((row) => `row ${row}, a.example`).join('; ');
	expect(description).toContain(`Also ${others}; 4 more. Nothing was sent.`);
});

it('all of them, each for a reason of its own: Continue would search none', async () => {
	const { message, description } = await errorOf([at('a.example', '7'), at('a.example', '')]);
	expect(message).toContain(cannotBeSearched(2, 2));
	expect(description).not.toContain('On Error');
});

it.for([
	['website', '\'Company Domain\' is "website" in all 3 items', 'Drag the column into the field.'],
	[
		'{{ $json.domain }}',
		'\'Company Domain\' is "{{ $json.domain }}" in all 3 items',
		'switch the field from Fixed to Expression.',
	],
	[
		'$json.domain',
		'\'Company Domain\' is "$json.domain" in all 3 items',
		'switch the field from Fixed to Expression.',
	],
] as const)('what was typed for all of them: %s', async ([companyDomain, said, fix]) => {
	const items = ['Ada Hart', 'Bea Low', 'Cleo May'].map((name) => ({ name }));
	const { message, description } = await errorOf(items, { ...NAMED, companyDomain });
	expect(message).toBe(said);
	expect(description).toMatch(new RegExp(`${fix.replaceAll('.', '\\.')} Nothing was sent\\.$`));
});

it('the only one, without a count', async () => {
	const { message, description } = await errorOf([at('a.example', '7')]);
	expect(message).toMatch(new RegExp(`^'Full Name' ${noName} "7"`));
	expect(description).toContain("Correct 'Full Name', or remove the row.");
	const empty = await errorOf([at('a.example', '')]);
	expect(empty.description).toMatch(/The item has no value there\. Drag .* Nothing was sent\.$/);
});

it('lists, each of which is an item', async () => {
	const good = { fullname: 'Ada Hart', company_domain: 'acme.com' };
	const lists = [
		[good, good, good],
		[good, { ...good, fullname: 'N/A' }],
	];
	const parameters = { inputMode: 'array', searches: '={{ $json.list }}' };
	const { message } = await errorOf(
		lists.map((list) => ({ list })),
		parameters,
		'submitBulk',
	);
	expect(message).toContain(cannotBeSearched(1, 2));
	expect(message).toContain('item 2, acme.com: Entry 2 of ');
});
