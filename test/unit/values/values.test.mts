import { describe, expect, it } from 'vitest';
import { checkField } from '../../../nodes/ContactData/values/checks.ts';
import { canonical } from '../../../nodes/ContactData/values/same.ts';
import type { FieldKind } from '../../../nodes/ContactData/values/types.ts';
import { noDomain, noDomainOfCompany, noProfilePage } from '../../support/texts.mts';
import { INVISIBLE, KINDS } from './kinds.mts';

// What becomes of a value, where no user needs to be asked; what users see of it is in contract/input/values.

type Row = [kind: FieldKind, value: unknown, text: string | undefined];

const same = (kind: FieldKind, ...values: string[]) =>
	values.map((value): Row => [kind, value, value]);
const nothing = (kind: FieldKind, ...values: unknown[]) =>
	values.map((value): Row => [kind, value, undefined]);

const TAKEN: Row[] = [
	...same(
		'name',
		'Zoë 🦊',
		'محمد',
		'?uestlove',
		'A.',
		'Wu',
		'D-',
		'李',
		'50 Cent',
		'x'.repeat(500),
	),
	// Joiners shape scripts and pictures.
	...same('name', 'علی\u200cرضا', 'क\u094d\u200dष', '👩\u200d💻 Ada'),
	...nothing('name', '', ' \u00a0 ', null, undefined, '\u200d', '- ?', '...', '–', '_', '*', '/'),
	...same('company', 'Müller & Söhne', '.company', '!!!', '1912', '+', '& Co'),
	...nothing('company', '-', '???', '\u200c'),
	['domain', 'http://user:pass@acme.co.uk./', 'acme.co.uk'],
	['domain', 'acme.com..', 'acme.com'],
	['domain', 'www.www.acme.com', 'acme.com'],
	...same('domain', 'www.com', 'mywww.acme.com', 'sub.acme.com', 'müller.de', 'xn--mller-kva.de'),
	...same('domain', '1und1.de', '163.com', '37signals.com', '4.cn', 'acme.xn--p1ai'),
	// A host may have an underscore; and there are marks and signs between letters.
	...same('domain', 'my_shop.example.com', '_dmarc.example.com', 'a_.b.example.com'),
	...same('domain', 'paral·lel.cat', 'ア・イ.jp', 'हिन्दी.भारत', 'বাংলা.ভারত', 'தமிழ்.இந்தியா'),
	...same('domain', 'ไทยดอทคอม.ไทย', 'ជាតិ.example', 'မြန်မာ.example', 'ދިވެހި.example', 'מבחן.example'),
	// Other hosts than the networks that their names hold, and the networks themselves.
	['domain', 'netflix.com/browse', 'netflix.com'],
	['domain', 'linkedin.com.example/company/acme', 'linkedin.com.example'],
	['domain', 'https://acme.com/?next=https://www.linkedin.com/company/acme', 'acme.com'],
	['domain', 'https://linkedin.com@acme.com/company/acme', 'acme.com'],
	['domain', 'https://www.linkedin.com/?trk=x', 'linkedin.com'],
	...same('url', 'http://social.example/in/ada', 'https://social.example/in/Ada?x=1'),
	...same('url', 'https://social.example/in', 'https://x.com/profile'),
];

it.for(TAKEN)('%s %j is taken as %j', ([kind, value, text]) => {
	expect(checkField(kind, value)).toStrictEqual({ text });
});

const refused = (kind: FieldKind, says: string | RegExp, ...values: string[]) =>
	values.map((value) => [kind, value, says] as const);

const ITS_OWN_DOMAIN =
	"Put the company's own domain there, or clear it and fill in 'Company Name'.";

const REFUSED = [
	...refused('name', '500', 'x'.repeat(501)),
	...refused('domain', noDomain, 'acme', '-acme.com', '\u0301acme.com', '1https://acme.com'),
	...refused('domain', noDomain, 'acme.com:80a', 'acme.com:a80', 'www.www.www. ..'),
	// No domain ends in a number.
	...refused('domain', noDomain, '12.05.2024', '1.50', '10.0.0.12', 'www.1.50'),
	// Nobody can register one with an underscore.
	...refused('domain', noDomain, 'my_shop.com', 'shop.my_company.com', 'shop.company.c_m'),
	...refused(
		'domain',
		noDomain,
		'acme.com!',
		'acme.c!m',
		'aé!.acme.com',
		'acme:80.com',
		'ac me.com',
	),
	...refused('domain', noDomain, 'i❤.ws', 'ac\ue000me.com', 'ac\u200dme.com', '\u200cacme.com'),
	...refused('domain', noDomainOfCompany, 'https://www.linkedin.com:443/company/acme'),
	...refused('domain', noDomainOfCompany, 'https://www.linkedin.com./company/acme', 'x.com/acme'),
	...refused('domain', noDomainOfCompany, '\u200bLinkedIn.com/Company/Acme', 'm.facebook.com/acme'),
	...refused('url', noProfilePage, 'ada lovelace', 'https://social.example', 'a.b/in/ada hart'),
	...refused('url', noProfilePage, 'https://www.linkedin.com/in//', 'linkedin.com/In/#top'),
	...refused('url', noProfilePage, 'http://de.linkedin.com/in/?trk=x', 'linkedin.com/?x/ada'),
	...refused('url', noProfilePage, 'https://www.linkedin.com/#in/ada', 'linkedin.com/in/in'),
];

it.for(REFUSED)('%s %j is refused, with %s', ([kind, value, says]) => {
	expect(checkField(kind, value)).toEqual({
		problem: expect.stringMatching(says) as unknown,
		advice: says === noDomainOfCompany ? ITS_OWN_DOMAIN : undefined,
	});
});

describe('a heading', () => {
	it.for<[FieldKind, string, Record<string, unknown>]>([
		['name', 'Name', { Name: 'Name', Company: 'Company' }],
		['name', 'last_name', { 'Last Name': 'last_name' }],
		['company', 'Company', { Name: 'Name', company: 'Company' }],
		['domain', 'Website', { website: 'Website' }],
		['url', 'LinkedIn', { LinkedIn: 'LinkedIn' }],
	])('is %s %j of %j', ([kind, value, item]) => {
		const advice: unknown = expect.stringMatching(/^It is the heading of a column/);
		expect(checkField(kind, value, item)).toMatchObject({ advice });
	});

	it.for<[FieldKind, string, Record<string, unknown>]>([
		['name', 'Price', { 'Last Name': 'Price', Price: 30 }],
		['name', 'Bill', { first: 'Bill', bill: 'open' }],
		['company', 'Stage', { company: 'Stage', stage: '' }],
	])('is not %s %j of %j', ([kind, text, item]) => {
		expect(checkField(kind, text, item)).toEqual({ text });
	});
});

it('an empty cell of a verification is told to be empty, and no cell is nothing', () => {
	const flaw = { reason: 'empty', isCertain: true };
	for (const empty of [null, '', ' ', [], [''], { error: '#ERROR!' }]) {
		expect(checkField('email', empty)).toEqual({ text: undefined, flaw });
	}
	expect(checkField('email', undefined)).toEqual({ text: undefined });
});

describe('what nobody sees', () => {
	const CLEAN: Record<FieldKind, string> = {
		name: 'Ada Lovelace',
		company: 'Acme Ltd',
		domain: 'acme.com',
		email: 'ada@acme.com',
		url: 'https://social.example/in/ada',
	};
	const textOf = (kind: FieldKind, value: string) => {
		const checked = checkField(kind, value);
		return 'text' in checked ? checked.text : checked;
	};

	it.for(INVISIBLE)('is taken out, wherever it stands: %s (%j)', ([, character]) => {
		for (const kind of KINDS) {
			const clean = CLEAN[kind];
			for (const at of [0, 1, Math.floor(clean.length / 2), clean.length]) {
				const value = clean.slice(0, at) + character + clean.slice(at);
				expect(textOf(kind, value), JSON.stringify(value)).toBe(clean);
				expect(canonical(kind, value), JSON.stringify(value)).toBe(canonical(kind, clean));
			}
			expect(textOf(kind, ` ${character}${character} `)).toBeUndefined();
		}
		expect(textOf('name', `Ada ${character} Lovelace`)).toBe('Ada Lovelace');
	});
});

describe('one search', () => {
	// What else is one search, and what is two: `contract/spending/once`.
	it.for<[FieldKind, string, string]>([
		['domain', 'müller.de', 'xn--mller-kva.de'],
		['domain', 'https://www.MÜLLER.de/x', 'XN--MLLER-KVA.DE'],
		['domain', 'ｗｗｗ.acme.com', 'acme.com'],
		['domain', 'acme.example #about', 'acme.example'],
		['email', 'Zoë@müller.de', 'zoë@xn--mller-kva.de'],
		['email', 'Ada Hart <ada@acme.com>', 'ADA@acme.com'],
	])('%s: %j and %j', ([kind, first, other]) => {
		expect(canonical(kind, first)).toBe(canonical(kind, other));
	});

	it('is not of addresses with ss and with ß', () => {
		expect(canonical('email', 'strasse@acme.com')).not.toBe(canonical('email', 'straße@acme.com'));
	});

	// What Node has compiled by then must say the same.
	it('is the same, however many there were before it', () => {
		const keys = new Set<string>();
		for (let times = 0; times < 50_000; times++) keys.add(canonical('domain', 'hü.de'));
		expect([...keys]).toEqual(['xn--h-eha.de']);
	});

	it('of a text longer than any search is the text itself, whatever a server makes of it', () => {
		const ports = '.:80'.repeat(20_000);
		for (const text of [`acme.example${ports}`, `social.example${ports}/in/ada`]) {
			expect(canonical('domain', text)).toBe(text);
			expect(canonical('url', text)).toBe(text);
		}
	});
});
