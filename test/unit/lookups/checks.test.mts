import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkField } from '../../../nodes/ContactData/lookups/checks.ts';
import { canonical } from '../../../nodes/ContactData/lookups/same.ts';
import type { FieldKind } from '../../../nodes/ContactData/lookups/types.ts';
import { usualAddress } from './usualAddress.mts';
import { noDomain, noProfilePage } from '../../support/texts.mts';

describe('checkField', () => {
	it.for<[FieldKind, unknown, string | undefined]>([
		['name', ' Ada \t Lovelace\n', 'Ada Lovelace'],
		['name', 'Zoë 🦊', 'Zoë 🦊'],
		['name', 'محمد', 'محمد'],
		['name', 'x'.repeat(500), 'x'.repeat(500)],
		['name', '', undefined],
		['name', ' \u00a0 ', undefined],
		['name', '- ?', undefined],
		['name', '?uestlove', '?uestlove'],
		['company', '.company', '.company'],
		['name', null, undefined],
		['name', undefined, undefined],
		['company', 1912, '1912'],
		['company', 'Müller & Söhne', 'Müller & Söhne'],
		['domain', 'ACME.com', 'acme.com'],
		['domain', 'https://www.acme.com:8080/about?x#y', 'acme.com'],
		['domain', 'http://user:pass@acme.co.uk./', 'acme.co.uk'],
		['domain', 'acme.com..', 'acme.com'],
		['domain', 'www.www.acme.com', 'acme.com'],
		['domain', 'www.com', 'www.com'],
		['domain', 'mywww.acme.com', 'mywww.acme.com'],
		['domain', 'müller.de', 'müller.de'],
		['domain', 'sub.acme.com', 'sub.acme.com'],
		['url', 'social.example/in/ada', 'https://social.example/in/ada'],
		['url', 'http://social.example/in/ada', 'http://social.example/in/ada'],
		['url', 'https://social.example/in/Ada?x=1', 'https://social.example/in/Ada?x=1'],
	])('%s %j is taken as %j', ([kind, value, text]) => {
		expect(checkField(kind, value)).toStrictEqual({ text });
	});

	it.for<[FieldKind, unknown, string]>([
		['name', 'x'.repeat(501), '500'],
		['domain', 'acme', noDomain],
		['domain', '-acme.com', noDomain],
		['url', 'ada lovelace', noProfilePage],
		['url', 'https://social.example', noProfilePage],
	])('%s %j is refused, with %j', ([kind, value, said]) => {
		expect(checkField(kind, value)).toEqual({ problem: expect.stringContaining(said) as unknown });
	});

	it.for<[FieldKind, string]>([
		['domain', 'acme.com!'],
		['domain', 'aé!.acme.com'],
		['domain', 'acme.c!m'],
		['domain', 'acme:80.com'],
		['domain', 'acme.com:80a'],
		['domain', 'acme.com:a80'],
		['domain', '1https://acme.com'],
		['domain', 'www.www.www. ..'],
		['url', 'my social.example/in/ada'],
		['url', 'social.example/in/ada lovelace'],
	])('%s %j is not guessed at', ([kind, value]) => {
		expect(checkField(kind, value)).toHaveProperty('problem');
	});

	it.for<[FieldKind, string, Record<string, unknown>]>([
		['name', 'Name', { Name: 'Name', Company: 'Company' }],
		['name', 'last_name', { 'Last Name': 'last_name' }],
		['company', 'Company', { Name: 'Name', company: 'Company' }],
		['domain', 'Website', { website: 'Website' }],
		['url', 'LinkedIn', { LinkedIn: 'LinkedIn' }],
	])('%s %j of %j is a heading', ([kind, value, item]) => {
		const advice: unknown = expect.stringMatching(/^It is the heading of a column/);
		expect(checkField(kind, value, item)).toMatchObject({ advice });
	});

	it.for<[FieldKind, string, Record<string, unknown>]>([
		['name', 'Price', { 'Last Name': 'Price', Price: 30 }],
		['name', 'Bill', { first: 'Bill', bill: 'open' }],
		['company', 'Stage', { company: 'Stage', stage: '' }],
	])('%s %j of %j is a name, as the column of that name holds something else', (row) => {
		const [kind, text, item] = row;
		expect(checkField(kind, text, item)).toEqual({ text });
	});

	it('of an empty cell of a verification tells that it is empty, and of no cell nothing', () => {
		const flaw = { reason: 'empty', isCertain: true };
		for (const empty of [null, '', ' ', [], ['']]) {
			expect(checkField('email', empty)).toEqual({ text: undefined, flaw });
		}
		expect(checkField('email', undefined)).toEqual({ text: undefined });
	});

	it('takes every address and web site that is one', () => {
		fc.assert(fc.property(fc.domain(), (domain) => 'text' in checkField('domain', domain)));
		fc.assert(
			fc.property(usualAddress, (email) => {
				expect(checkField('email', email)).toEqual({ text: email, flaw: undefined });
			}),
		);
	});
});

describe('canonical', () => {
	// What else is one search, and what is two: `contract/spending/once`.
	it('of addresses with ss and with ß is not the same', () => {
		expect(canonical('email', 'strasse@acme.com')).not.toBe(canonical('email', 'straße@acme.com'));
	});

	it('of a domain has no space where something was cut off', () => {
		expect(canonical('domain', 'acme.example #about')).toBe('acme.example');
	});

	it('of a text longer than any search is the text itself, whatever a server makes of it', () => {
		const ports = '.:80'.repeat(20_000);
		for (const text of [`acme.example${ports}`, `social.example${ports}/in/ada`]) {
			expect(canonical('domain', text)).toBe(text);
			expect(canonical('url', text)).toBe(text);
		}
	});
});
