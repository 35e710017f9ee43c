import { describe, expect, it } from 'vitest';
import { jsonOf, useBench } from '../../../support/n8nCore/contactData.mts';
import { noName, notReadable, couldNotBeUsed } from '../../../support/texts.mts';
import { sentSearches } from './sent.mts';

// What cannot be used, beside what makes a search without it.

const bench = useBench();

/** Beside a company by its other name, what cannot be used is left out, and counted. */
describe('a company of which one of two values cannot be used', () => {
	const parameters = {
		fullname: '={{ $json.name }}',
		companyDomain: '={{ $json.domain }}',
		companyName: '={{ $json.company }}',
	};
	const ITEMS = [
		{ name: 'Ada Hart', domain: 'https://fb.com/acme', company: 'Acme' },
		{ name: 'Bea Low', domain: 'n/a', company: 'Bolt' },
		{ name: 'Cleo May', domain: '-', company: 'Cube' },
		{ name: 'Gil Roe', domain: 'm\ufffdller.de', company: 'Müller' },
		{ name: 'Dora Nil', domain: 'dune.example', company: '#N/A' },
		{ name: 'Eve Orr', domain: 'echo.example', company: 'Echo' },
		{ name: 'Fay Poe', company: 'Fox' },
	];
	const SENT = [
		{ fullname: 'Ada Hart', company_name: 'Acme' },
		{ fullname: 'Bea Low', company_name: 'Bolt' },
		{ fullname: 'Cleo May', company_name: 'Cube' },
		{ fullname: 'Gil Roe', company_name: 'Müller' },
		{ fullname: 'Dora Nil', company_domain: 'dune.example' },
		{ fullname: 'Eve Orr', company_domain: 'echo.example', company_name: 'Echo' },
		{ fullname: 'Fay Poe', company_name: 'Fox' },
	];
	const HINT = ` 5 email searches go without a value ${couldNotBeUsed}: `;
	it.for(['submitAndWait', 'submitBulk'])('%s searches by the other', async (operation) => {
		const run = await bench().run('emailFinder', operation, { parameters, items: ITEMS });
		expect(run.error).toBeUndefined();
		const sent = sentSearches(bench());
		expect(sent).toHaveLength(SENT.length);
		expect(sent).toEqual(expect.arrayContaining(SENT));
	});

	it('a dry run says so, too', async () => {
		const given = { parameters, items: ITEMS, options: { dryRun: true } };
		const run = await bench().run('emailFinder', 'submitBulk', given);
		const none = { company_domain: null, company_name: null };
		expect(jsonOf(run)).toMatchObject(SENT.map((search) => ({ ...none, ...search })));
		expect(run.hints.map(({ message }) => message).join()).toContain(HINT);
	});

	it('does not count what is read of an earlier search', async () => {
		const given = { parameters, items: ITEMS.slice(0, 2) };
		const found = await bench().run('emailFinder', 'submitAndWait', given);
		const options = { earlierId: '={{ $json.id }}', dryRun: true };
		const items = given.items.map((item, index) => ({
			...item,
			id: jsonOf(found)[index]?.search_id,
		}));
		const again = await bench().run('emailFinder', 'submitAndWait', { parameters, items, options });
		expect(jsonOf(again)).toHaveLength(2);
		expect(again.hints.map(({ message }) => message).join()).not.toContain(couldNotBeUsed);
	});

	it('beside a phone search by name', async () => {
		await bench().run('phoneFinder', 'submit', {
			parameters: {
				identifyBy: 'nameAndCompany',
				firstname: 'Ada',
				lastname: 'Hart',
				companyDomain: 'bit.ly/3xyz',
				companyName: 'Acme',
			},
		});
		expect(bench().posts.map(({ body }) => body)).toEqual([
			{ firstname: 'Ada', lastname: 'Hart', company_name: 'Acme' },
		]);
	});

	it.for([
		[{ domain: 'n/a', company: '#N/A' }, /^'Company Domain' must be/],
		[{ domain: 'n/a' }, /^'Company Domain' must be/],
		[{ domain: 'm\ufffdller.de' }, new RegExp(`^'Company Domain' ${notReadable}`)],
		[{ domain: 'n/a', company: 'Acme', name: 'N/A' }, new RegExp(`^'Full Name' ${noName}`)],
	] as const)('%j is refused all the same', async ([item, error]) => {
		const run = await bench().run('emailFinder', 'submit', {
			parameters,
			items: [{ name: 'Ada Hart', ...item }],
			settings: { onError: 'continueRegularOutput' },
		});
		expect(jsonOf(run)).toMatchObject([{ error: expect.stringMatching(error) as string }]);
		bench().expectNothingSubmitted();
	});
});
