import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import {
	contradicts,
	formsOf,
	isOfAnotherId,
	isStranger,
	nameTold,
} from '../../../nodes/ContactData/results/whose.ts';

const { emailFinder, emailVerifier, phoneFinder } = lookups;

describe('what a result repeats contradicts its search', () => {
	it.for([
		['ada@acme.com', 'bob@acme.com', true],
		['ada@acme.com', 'ada+x@acme.com', true],
		['ada@acme.com', 'ADA@acme.com', false],
		['ada@bücher.example', 'ada@xn--bcher-kva.example', false],
		['ada@acme.com', ['bob@acme.com'], false],
		['ada@acme.com', 'none', false],
		['ada@acme.com', null, false],
	] as const)('an address: %s told as %j: %s', ([email, told, expected]) => {
		const result: IDataObject = { email: told };
		expect(contradicts(emailVerifier, { email }, result)).toBe(expected);
	});

	it.for([
		['ada-hart', 'ada-hart', false],
		['ada-hart', 'Ada-Hart/en', false],
		['ada-hart', 'ada-hart-1815', true],
		['ann', 'joanne-smith', true],
		['ada-hart', 'grace-hopper', true],
		['ACoAABxYzQ4BabcDEFghi_jk-123', 'grace-hopper', false],
		['ada-hart', 'ACoAABxYzQ4BabcDEFghi_jk-123', false],
	] as const)('a handle as a whole: /in/%s told as /in/%s: %s', ([asked, told, expected]) => {
		const at = (handle: string) => `https://www.linkedin.com/in/${handle}`;
		const search = { socialprofile_url: at(asked) };
		expect(contradicts(phoneFinder, search, { params: { linkedin_url: at(told) } })).toBe(expected);
		const elsewhere = { linkedin_url: `https://network.example/people/${told}` };
		expect(contradicts(phoneFinder, search, { params: elsewhere })).toBe(false);
		expect(contradicts(phoneFinder, search, { params: { firstname: 'Grace' } })).toBe(false);
	});

	it.for<[string, boolean]>([
		['Jörg Weiß', false],
		['JOERG WEISS', false],
		['Weiss, Jorg', false],
		['Jörg M. Weiß', false],
		['Weiß', false],
		['Jörg Schwarz', true],
		['Grace Hopper', true],
		['Грейс Хоппер', false],
	])('a name by all of its words: Jörg Weiß told as %s: %s', ([fullname, expected]) => {
		const search = { fullname: 'Jörg Weiß', company_domain: 'acme.com' };
		const raw_params = { fullname, company_domain: 'navy.mil' };
		expect(contradicts(emailFinder, search, { raw_params })).toBe(expected);
		expect(contradicts(emailFinder, search, { info: { fullname } })).toBe(false);
	});
});

it.for([
	['Ada Hart', 'hart, ADA'],
	['Søren Øst', 'Soeren Oest'],
	['Søren Øst', 'Soren Ost'],
	["Ada O'Neil", 'Ada ONeil'],
	['Jean-Pierre Moreau', 'Jean Pierre Moreau'],
	['Иван Петров', 'Петров Иван'],
])('%s and %s are one name', ([one, other]) => {
	expect(formsOf(one).some((form) => formsOf(other).includes(form))).toBe(true);
});

it('the name that is told is the one that is repeated, or else that of who was found', () => {
	const info = { firstname: 'Ada', lastname: 'Byron' };
	const raw_params = { fullname: 'Ada Hart' };
	expect(nameTold(emailFinder, { raw_params, info })).toBe('Ada Hart');
	expect(nameTold(emailFinder, { raw_params: {}, info })).toBe('Ada Byron');
	expect(nameTold(phoneFinder, { params: { firstname: 'Ada', lastname: 'Hart' } })).toBe(
		'Ada Hart',
	);
	expect(nameTold(emailFinder, { raw_params: { fullname: 7 } })).toBe('');
});

it.for([
	['abc', { general: { id: 'abc' } }, false],
	['abc', { general: { id: ' ABC ' } }, false],
	['abc', { general: { id: 'xyz' } }, true],
	['17', { general: { id: 17 } }, false],
	['abc', { general: {} }, false],
	['abc', { results: [{ id: 'xyz' }] }, false],
] as const)('asked for batch %s, %j is of another: %s', ([id, body, expected]) => {
	expect(isOfAnotherId(id, body)).toBe(expected);
});

it('a lookup may be identified by other fields, such as the name of a company', () => {
	const asked = { fullname: 'Ada Hart', company_name: 'Acme' };
	const told = { raw_params: { fullname: 'Ada Hart', company_name: 'Zink' } };
	expect(contradicts(emailFinder, asked, told)).toBe(false);
	expect(contradicts({ ...emailFinder, identifiedBy: ['company_name'] }, asked, told)).toBe(true);
});

it.for([
	['Ada Hart', { firstname: 'Grace', lastname: 'Hopper' }, true],
	['Ada Hart', { fullname: 'Hart, A.' }, false],
	['Zoë Müller', { fullname: 'Zoe Mueller' }, false],
	['Ada Hart', { firstname: 'Ada', lastname: 'Byron' }, false],
	['Ada Hart', {}, false],
	['Ada Hart', { fullname: 'Грейс Хоппер' }, false],
] as const)('whether %s shares no name with %j: %s', ([fullname, info, expected]) => {
	expect(isStranger(emailFinder, { fullname }, { info })).toBe(expected);
});
