import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeType, quote } from '../../../nodes/ContactData/common/values.ts';
import { checkField } from '../../../nodes/ContactData/lookups/checks.ts';
import { canonical } from '../../../nodes/ContactData/lookups/same.ts';
import type { FieldKind } from '../../../nodes/ContactData/lookups/types.ts';
import { noDomain, noDomainOfCompany } from '../../support/texts.mts';

const KINDS: FieldKind[] = ['name', 'company', 'domain', 'email', 'url'];

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
		['url', 'notlinkedin.com/in/', 'https://notlinkedin.com/in/'],
		['domain', 'linkedin.com', 'linkedin.com'],
		['domain', 'https://linkedin.com/', 'linkedin.com'],
		['domain', 'acme.com/about/https://linkedin.com/acme', 'acme.com'],
		['url', 'http://social.example/in/ada', 'http://social.example/in/ada'],
		['url', 'https://social.example/in/Ada?x=1', 'https://social.example/in/Ada?x=1'],
	])('%s %j is taken as %j', ([kind, value, text]) => {
		expect(checkField(kind, value)).toStrictEqual({ text });
	});

	it.for<[FieldKind, unknown, string]>([
		['name', 7, 'must be text, but is a number'],
		['name', {}, 'must be text, but is an object'],
		['company', ['Acme'], 'must be text, but is a list'],
		['company', true, 'must be text, but is a boolean'],
		['name', 'x'.repeat(501), 'must be at most 500 characters long, but has 501'],
		['domain', 'acme', 'must be a domain or website such as example.com, but is "acme"'],
		[
			'domain',
			'ac me.com',
			'must be a domain or website such as example.com, but is "ac me.com": a space is not allowed',
		],
		[
			'domain',
			'acme\u0378.com',
			'must be a domain or website such as example.com, but is "acme\u0378.com": an invisible character (U+0378) is not allowed',
		],
		['domain', '-acme.com', 'must be a domain or website such as example.com, but is "-acme.com"'],
		['url', 'ada lovelace', 'must be the address of a profile page, but is "ada lovelace"'],
		[
			'url',
			'https://social.example',
			'must be the address of a profile page, but is "https://social.example"',
		],
	])('%s %j: %s', ([kind, value, problem]) => {
		// Where a single character is to blame, it is named as well: see realLists.test.mts.
		expect(checkField(kind, value)).toEqual({
			problem: expect.stringContaining(problem) as unknown,
		});
	});

	it.for(['acme', '-acme.com', '_dmarc.acme.1', 'a_b.c.d.1'])(
		'%j is no domain, and no character is to blame',
		(value) => {
			expect(checkField('domain', value)).toEqual({
				problem: `${noDomain}, but is "${value}"`,
			});
		},
	);

	it.for([
		'facebook.com',
		'instagram.com',
		'linkedin.com',
		'tiktok.com',
		'twitter.com',
		'x.com',
		'xing.com',
		'youtube.com',
	])('a page at %s is not the domain of a company', (network) => {
		const problem = (page: string) =>
			`${noDomainOfCompany} or website, but "${page}" is a page at ${network}`;
		for (const page of [`${network}/acme`, `https://www.${network}//acme`]) {
			expect(checkField('domain', page)).toEqual({ problem: problem(page) });
		}
		expect(checkField('domain', `not${network}/acme`)).toEqual({ text: `not${network}` });
		expect(checkField('domain', `https://${network}/`)).toEqual({ text: network });
		expect(checkField('domain', `${network}?x=/acme`)).toEqual({ text: network });
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

	it('bears anything, and cleans what is clean already no further', () => {
		const anything = fc.oneof(
			fc.anything(),
			fc.string({ unit: 'binary' }),
			fc.webUrl(),
			fc.emailAddress(),
		);
		fc.assert(
			fc.property(fc.constantFrom(...KINDS), anything, (kind, value) => {
				const checked = checkField(kind, value);
				if ('problem' in checked) {
					expect(checked.problem).toMatch(/^must be /);
					return;
				}
				if (checked.text === undefined) return;
				expect(checked.text).not.toBe('');
				expect(checkField(kind, checked.text)).toEqual(checked);
			}),
			{ numRuns: 2000 },
		);
	});

	it('takes every address and web site that is one', () => {
		fc.assert(fc.property(fc.domain(), (domain) => 'text' in checkField('domain', domain)));
		fc.assert(
			fc.property(fc.emailAddress(), (email) => {
				expect(checkField('email', email)).toMatchObject({ flaw: undefined });
			}),
		);
	});
});

describe('canonical', () => {
	it.for<[FieldKind, string, string]>([
		['email', 'Ada@Acme.COM', 'ada@acme.com'],
		['domain', 'https://www.Acme.com:443/x', 'acme.com'],
		['name', ' Ada \t Lovelace ', 'Ada Lovelace'],
		['name', 'Zoe\u0308', 'Zo\u00eb'],
		['name', 'ADA LOVELACE', 'ada  lovelace'],
		['name', 'ZOE\u0308 M\u00dcLLER', 'zo\u00eb mu\u0308ller'],
		['company', 'ACME & So\u0308hne', 'Acme &amp; S\u00d6HNE'],
	])('%s: %j and %j are the same', ([kind, one, other]) => {
		expect(canonical(kind, one)).toBe(canonical(kind, other));
	});

	it.for<[FieldKind, string, string]>([
		['name', 'Ada Lovelace', 'Ada Byron'],
		['name', 'Jo Anne', 'JoAnne'],
		['email', 'strasse@acme.com', 'straße@acme.com'],
		['domain', 'acme.com', 'acme.org'],
		['domain', 'mail.acme.com', 'acme.com'],
		['url', 'https://social.example/in/AbC', 'https://social.example/in/abc'],
	])('%s: %j and %j are not', ([kind, one, other]) => {
		expect(canonical(kind, one)).not.toBe(canonical(kind, other));
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

	it('of a canonical text is the text itself', () => {
		fc.assert(
			fc.property(fc.constantFrom(...KINDS), fc.string({ unit: 'grapheme' }), (kind, text) => {
				const once = canonical(kind, text);
				expect(canonical(kind, once)).toBe(once);
			}),
		);
	});
});

describe('words for values', () => {
	it.for([
		[null, 'empty'],
		[[], 'a list'],
		[{}, 'an object'],
		[7, 'a number'],
		[false, 'a boolean'],
	])('%j is %s', ([value, word]) => {
		expect(describeType(value)).toBe(word);
	});

	it('long texts are quoted in part', () => {
		expect(quote('x'.repeat(60))).toBe(`"${'x'.repeat(60)}"`);
		expect(quote('x'.repeat(61))).toBe(`"${'x'.repeat(57)}..."`);
	});
});
