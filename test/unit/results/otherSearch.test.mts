import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import {
	isOfAnotherAddress,
	isOfAnotherPerson,
	isOfOtherAddresses,
} from '../../../nodes/ContactData/results/otherSearch.ts';

const { emailFinder, emailVerifier } = lookups;

it.for([
	['ada@acme.com', 'bob@acme.com', true],
	['ada+news@acme.com', 'ada@acme.com', false],
	['a.da@acme.com', 'ada@acme.com', false],
	['ada@bücher.example', 'ada@xn--bcher-kva.example', false],
	['ada@acme.com', `${'x'.repeat(10_000)}@acme.com`, false],
	['ada@acme.com', ['bob@acme.com'], false],
] as const)('the address %s, told as %j: another one is %s', ([email, told, expected]) => {
	expect(isOfAnotherAddress(emailVerifier, { email }, { email: told })).toBe(expected);
});

it('an address that is found is none that was asked for', () => {
	const search = { fullname: 'Ada Byron', company_domain: 'acme.com' };
	expect(isOfAnotherAddress(emailFinder, search, { email: 'grace@globex.com' })).toBe(false);
});

describe('a person and a company', () => {
	const HER = { fullname: 'Jörg Weiß', company_domain: 'acme.com' };

	it.for<[IDataObject, boolean]>([
		[{ fullname: 'Grace Hopper', company_domain: 'navy.mil' }, true],
		[{ firstname: 'Grace', lastname: 'Hopper', domain: 'navy.mil' }, true],
		[{ fullname: 'Grace Hopper', companyInfo: { name: 'US Navy' } }, true],
		[{ fullname: 'Grace Hopper' }, false],
		[{ fullname: 'Grace Hopper', company_domain: 'acme.com' }, false],
		[{ fullname: 'Grace Hopper', companyInfo: { name: 'The ACME Corporation' } }, false],
		[{ fullname: 'Joerg Hopper', company_domain: 'navy.mil' }, false],
		[{ fullname: 'JORG HOPPER', company_domain: 'navy.mil' }, false],
		[{ fullname: 'Hopper-Weiss, G.', company_domain: 'navy.mil' }, false],
		[{ fullname: 'Грейс Хоппер', company_domain: 'navy.mil' }, false],
		[{ company_domain: 'navy.mil' }, false],
		[{ fullname: 7, company_domain: ['navy.mil'] }, false],
		[{ fullname: 'x'.repeat(10_000), company_domain: 'navy.mil' }, false],
	])('told as %j: another one is %s', ([info, expected]) => {
		expect(isOfAnotherPerson(emailFinder, HER, { info })).toBe(expected);
		const { fullname, company_domain } = info;
		if (company_domain === undefined || 'domain' in info) return;
		const raw_params = { fullname, company_domain };
		expect(isOfAnotherPerson(emailFinder, HER, { raw_params })).toBe(expected);
	});
});

describe('the results of a batch', () => {
	const SEARCHES = [{ email: 'ada@acme.com' }, { email: 'eve@acme.com' }];
	const STRANGER = { email: 'grace@globex.com' };

	it.for([
		[[STRANGER], true],
		[[STRANGER, null, 'ada@acme.com', STRANGER], true],
		[[STRANGER, { email: 'EVE@acme.com' }], false],
		[[STRANGER, {}], false],
		[[null, 'grace@globex.com'], false],
		[[], false],
	] as const)('%j: all of other addresses is %s', ([listed, expected]) => {
		expect(isOfOtherAddresses(emailVerifier, SEARCHES, listed)).toBe(expected);
	});

	it('of thousands a few are looked at', () => {
		let looks = 0;
		const listed = Array.from({ length: 5_000 }, () => ({
			get email() {
				looks++;
				return STRANGER.email;
			},
		}));
		expect(isOfOtherAddresses(emailVerifier, SEARCHES, listed)).toBe(true);
		expect(looks).toBeLessThan(500);
	});
});
