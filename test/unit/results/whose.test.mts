import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import { searchKey } from '../../../nodes/ContactData/lookups/same.ts';
import type { Lookup, Search } from '../../../nodes/ContactData/lookups/types.ts';
import type { Belongs } from '../../../nodes/ContactData/results/whose.ts';
import { belongsTo, isOfAnotherId } from '../../../nodes/ContactData/results/whose.ts';

const { emailFinder, emailVerifier, phoneFinder } = lookups;

const of = (lookup: Lookup, search: Search, result: IDataObject, isDoubtful = false) =>
	belongsTo(lookup, { search, key: searchKey(lookup, search) }, result, isDoubtful);

it.for([
	['ada@acme.com', 'bob@acme.com', 'no'],
	['ada@acme.com', 'ADA@acme.com', 'yes'],
	['ada@bücher.example', 'ada@xn--bcher-kva.example', 'yes'],
	['ada@acme.com', ['bob@acme.com'], 'perhaps'],
	['ada@acme.com', null, 'perhaps'],
] as const)('a verification of %s that tells %j belongs to it: %s', ([email, told, expected]) => {
	expect(of(emailVerifier, { email }, { email: told })).toBe(expected);
});

it.for([
	['ada-hart', 'ada-hart', 'yes'],
	['ada-hart', 'ada-hart-1815', 'yes'],
	['ada-hart', 'adahart', 'yes'],
	['adahart', 'ada-b-hart', 'yes'],
	['ada-hart', 'grace-hopper', 'no'],
	['ACoAABxYzQ4BabcDEFghi_jk-123', 'grace-hopper', 'perhaps'],
	['ada-hart', '12345', 'perhaps'],
] as const)(
	'a search for /in/%s that repeats /in/%s belongs to it: %s',
	([asked, told, expected]) => {
		const at = (handle: string) => `https://www.linkedin.com/in/${handle}`;
		const search = { socialprofile_url: at(asked) };
		expect(of(phoneFinder, search, { params: { linkedin_url: at(told) } })).toBe(expected);
		const elsewhere = { linkedin_url: `https://network.example/people/${told}` };
		expect(of(phoneFinder, search, { params: elsewhere })).toBe('perhaps');
		expect(of(phoneFinder, search, { params: { firstname: 'Grace' } })).toBe('perhaps');
	},
);

it('an address that is found is none that was asked for', () => {
	const search = { fullname: 'Ada Byron', company_domain: 'acme.com' };
	expect(of(emailFinder, search, { email: 'grace@globex.com' })).toBe('perhaps');
});

describe('a person and a company', () => {
	const HER = { fullname: 'Jörg Weiß', company_domain: 'acme.com' };

	/** What is told of the person who was found; whether that is another one, and where the id may be another's. */
	it.for<[IDataObject, Belongs, Belongs?]>([
		[{ fullname: 'Grace Hopper', company_domain: 'navy.mil' }, 'no'],
		[{ firstname: 'Grace', lastname: 'Hopper', domain: 'navy.mil' }, 'no'],
		[{ fullname: 'Grace Hopper', companyInfo: { name: 'US Navy' } }, 'no'],
		[{ fullname: 'Grace Hopper' }, 'perhaps', 'no'],
		[{ fullname: 'Grace Hopper', company_domain: 'acme.com' }, 'perhaps', 'no'],
		[{ fullname: 'Grace Hopper', companyInfo: { name: 'The ACME Corporation' } }, 'perhaps', 'no'],
		[{ fullname: 'Joerg Hopper', company_domain: 'acme.com' }, 'yes'],
		[{ fullname: 'Joerg Hopper', company_domain: 'navy.mil' }, 'perhaps'],
		[{ fullname: 'JORG HOPPER' }, 'yes'],
		[{ fullname: 'Hopper-Weiss, G.' }, 'yes'],
		[{ fullname: 'Грейс Хоппер', company_domain: 'navy.mil' }, 'perhaps'],
		[{ company_domain: 'navy.mil' }, 'perhaps'],
		[{ fullname: 7, company_domain: ['navy.mil'] }, 'perhaps'],
	])('told as %j belongs to it: %s', ([info, expected, doubtful = expected]) => {
		expect(of(emailFinder, HER, { info })).toBe(expected);
		expect(of(emailFinder, HER, { info }, true)).toBe(doubtful);
		const isOther = doubtful === 'no' && expected === 'no';
		const both = of(emailFinder, HER, { info, raw_params: HER }, true);
		expect(both).toBe(isOther ? 'no' : 'yes');
	});

	it('that is repeated is the one that was sent, whatever the company', () => {
		const repeats = (fullname: string, company_domain = 'acme.com') =>
			of(emailFinder, HER, { raw_params: { fullname, company_domain } });
		expect(repeats('Jörg Weiß')).toBe('yes');
		expect(repeats('JOERG WEISS')).toBe('yes');
		expect(repeats('Jörg Weiß', 'globex.com')).toBe('perhaps');
		expect(repeats('Grace Hopper')).toBe('no');
	});
});

it.for([
	['abc', { general: { id: 'abc' } }, false],
	['abc', { general: { id: ' ABC ' }, id: 'xyz' }, false],
	['abc', { general: { id: 'xyz' } }, true],
	['abc', { id: 'xyz' }, true],
	['17', { id: 17 }, false],
	['abc', { general: {} }, false],
	['abc', { id: null }, false],
	['abc', { results: [{ id: 'xyz' }] }, false],
] as const)('asked for %s, %j is of another: %s', ([id, body, expected]) => {
	expect(isOfAnotherId(id, body)).toBe(expected);
});
