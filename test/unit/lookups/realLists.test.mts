import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkField } from '../../../nodes/ContactData/lookups/checks.ts';
import { canonical } from '../../../nodes/ContactData/lookups/same.ts';
import type { FieldKind } from '../../../nodes/ContactData/lookups/types.ts';
import { usualAddress } from './usualAddress.mts';
import { noDomainOfCompany, noProfilePage } from '../../support/texts.mts';

// What lists hold that come out of spreadsheets, mail programs, web pages and other people's hands.

const KINDS: FieldKind[] = ['name', 'company', 'domain', 'email', 'url'];

/** Characters that nobody sees, by what they are. */
const INVISIBLE: Array<[name: string, character: string]> = [
	['a soft hyphen', '\u00ad'],
	['an Arabic letter mark', '\u061c'],
	['a zero-width space', '\u200b'],
	['a left-to-right mark', '\u200e'],
	['a right-to-left mark', '\u200f'],
	['an embedding', '\u202a'],
	['an override', '\u202e'],
	['the end of an embedding', '\u202c'],
	['a word joiner', '\u2060'],
	['an isolate', '\u2066'],
	['the end of an isolate', '\u2069'],
	['a byte order mark', '\ufeff'],
	...['\u0000', '\u0007', '\u001b', '\u001f', '\u007f', '\u009f'].map(
		(character): [string, string] => ['a control character', character],
	),
];
/** They shape scripts and pictures in names, and are in no address. */
const JOINERS: Array<[name: string, character: string]> = [
	['a zero-width non-joiner', '\u200c'],
	['a zero-width joiner', '\u200d'],
];

const CLEAN: Record<FieldKind, string> = {
	name: 'Ada Lovelace',
	company: 'Acme Ltd',
	domain: 'acme.com',
	email: 'ada@acme.com',
	url: 'https://social.example/in/ada',
};

/** What is sent; `undefined` where nothing is, as of an address that cannot be one. */
function sentText(kind: FieldKind, value: string): string | undefined {
	const checked = checkField(kind, value);
	return 'text' in checked && checked.flaw?.isCertain !== true ? checked.text : undefined;
}

/** The text that is sent; fails where the value is refused. */
function sent(kind: FieldKind, value: string): string | undefined {
	const checked = checkField(kind, value);
	if ('problem' in checked) throw new Error(`Refused: ${checked.problem}`);
	return checked.text;
}

function problemOf(kind: FieldKind, value: string): string {
	const checked = checkField(kind, value);
	if ('text' in checked) throw new Error(`Taken as ${JSON.stringify(checked.text)}`);
	return checked.problem;
}

describe.for(INVISIBLE)('%s (%j)', ([, character]) => {
	it.for(KINDS)('is taken out of a value, wherever it stands: %s', (kind) => {
		const clean = CLEAN[kind];
		for (const at of [0, 1, Math.floor(clean.length / 2), clean.length]) {
			const value = clean.slice(0, at) + character + clean.slice(at);
			expect(sent(kind, value), JSON.stringify(value)).toBe(clean);
			expect(canonical(kind, value), JSON.stringify(value)).toBe(canonical(kind, clean));
		}
	});

	it('leaves no second space behind', () => {
		expect(sent('name', `Ada ${character} Lovelace`)).toBe('Ada Lovelace');
		expect(sent('company', `${character} Acme Ltd ${character}`)).toBe('Acme Ltd');
	});

	it.for(KINDS)('alone is nothing: %s', (kind) => {
		expect(sent(kind, character)).toBeUndefined();
		expect(sent(kind, ` ${character}${character} `)).toBeUndefined();
	});
});

describe.for(JOINERS)('%s (%j)', ([, character]) => {
	it('is told by its number in a domain', () => {
		const number = character.charCodeAt(0).toString(16).toUpperCase();
		for (const value of [`${character}${CLEAN.domain}`, `ac${character}me.com`]) {
			expect(problemOf('domain', value)).toContain(`U+${number}`);
		}
	});

	it('stays inside of a name, where it is a part of the writing', () => {
		for (const name of ['علی\u200cرضا', 'क\u094d\u200dष', '👩\u200d💻 Ada']) {
			expect(sent('name', name)).toBe(name);
		}
	});

	it('alone is no name', () => {
		expect(sent('name', ` ${character} `)).toBeUndefined();
		expect(sent('company', character)).toBeUndefined();
	});
});

describe('domains in scripts with marks of their own', () => {
	it.for([
		'हिन्दी.भारत',
		'उदाहरण.परीक्षा',
		'বাংলা.ভারত',
		'தமிழ்.இந்தியா',
		'ไทยดอทคอม.ไทย',
		'ตัวอย่าง.ไทย',
		'ជាតិ.example',
		'မြန်မာ.example',
		'මුල්.ලංකා',
		'ދިވެހި.example',
		'مُثال.إختبار',
		'עִבְרִית.example',
	])('%s is one', (domain) => {
		expect(sent('domain', domain)).toBe(domain.normalize('NFC'));
		expect(sent('domain', `https://www.${domain}/x`)).toBe(domain.normalize('NFC'));
	});

	it('do not begin with a mark', () => {
		expect(problemOf('domain', '\u0301acme.com')).toMatch(/^must be a domain/);
	});
});

describe('an international domain in the form that the wire knows', () => {
	it.for<[FieldKind, string, string]>([
		['domain', 'müller.de', 'xn--mller-kva.de'],
		['domain', 'https://www.MÜLLER.de/x', 'XN--MLLER-KVA.DE'],
		['domain', 'ｗｗｗ.acme.com', 'acme.com'],
		['email', 'Zoë@müller.de', 'zoë@xn--mller-kva.de'],
	])('is one search with the one that people read: %s %s', ([kind, one, other]) => {
		expect(canonical(kind, one)).toBe(canonical(kind, other));
	});

	// What Node has compiled by then must say the same.
	it('is the same search, however many there were before it', () => {
		const keys = new Set<string>();
		for (let times = 0; times < 50_000; times++) keys.add(canonical('domain', 'hü.de'));
		expect([...keys]).toEqual(['xn--h-eha.de']);
	});

	it.for(['müller.de', 'xn--mller-kva.de'])('is sent as it was given: %s', (domain) => {
		expect(sent('domain', domain)).toBe(domain);
		expect(sent('email', `ada@${domain}`)).toBe(`ada@${domain}`);
	});
});

describe('hosts with an underscore', () => {
	it.for([
		['my_shop.example.com', 'my_shop.example.com'],
		['_dmarc.example.com', '_dmarc.example.com'],
		['https://my_shop.example.co.uk/about', 'my_shop.example.co.uk'],
		['a_.b.example.com', 'a_.b.example.com'],
	])('%s is taken: there are such', ([value, domain]) => {
		expect(sent('domain', value)).toBe(domain);
	});

	it.for(['my_shop.com', 'shop.my_company.com', 'shop.company.c_m', 'shop.company._'])(
		'%s is refused: nobody can register it, and the underscore is named',
		(value) => {
			expect(problemOf('domain', value)).toMatch(/^must be a domain.*"_"/s);
		},
	);
});

describe('what a spreadsheet has in the column of domains', () => {
	it.for(['12.05.2024', '1.50', '10.0.0.12', 'www.1.50'])(
		'%s is refused: no domain ends in a number',
		(value) => {
			expect(problemOf('domain', value)).toMatch(/^must be a domain/);
		},
	);

	it.for(['1und1.de', '163.com', '37signals.com', '4.cn', 'acme.xn--p1ai'])(
		'%s is taken',
		(value) => {
			expect(sent('domain', value)).toBe(value);
		},
	);
});

it.for(['paral·lel.cat', 'ア・イ.jp'])('%s has a sign that registries take', (domain) => {
	expect(sent('domain', domain)).toBe(domain);
});

describe('the address of a profile that lacks the profile', () => {
	it.for([
		'https://www.linkedin.com/in/',
		'https://www.linkedin.com/in//',
		'http://de.linkedin.com/in/?trk=x',
		'https://www.linkedin.com/in/#/',
		'linkedin.com/In/#top',
		'linkedin.com/pub/',
		'https://www.linkedin.com/#in/ada',
		'https://www.linkedin.com/?x/ada',
		'https://www.xing.com/profile/',
	])('%s is refused', (value) => {
		expect(problemOf('url', value)).toMatch(new RegExp(`^${noProfilePage}`));
	});

	it.for(['https://www.linkedin.com/in/in', 'https://social.example/in', 'https://x.com/profile'])(
		'%s is taken',
		(value) => {
			expect(sent('url', value)).toBe(value);
		},
	);
});

describe('a placeholder for a name', () => {
	it.for(['-', '.', '--', '- -', '–', '—', '?', '???', '/', '_', '*', '...'])(
		'%s is no name, and nothing is paid for it',
		(value) => {
			expect(sent('name', value)).toBeUndefined();
			expect(sent('company', value)).toBeUndefined();
		},
	);

	it.for(['A.', 'Wu', 'D-', '李', '50 Cent'])('%s is one', (value) => {
		expect(sent('name', value)).toBe(value);
	});

	it.for(['!!!', '1912', '+', '& Co'])('a company may be called %s', (value) => {
		expect(sent('company', value)).toBe(value);
	});
});

describe('as the domain of a company', () => {
	const PAGES = [
		'https://www.linkedin.com/company/acme/',
		'https://fr.linkedin.com/company/acme',
		'https://www.linkedin.com/in/ada-lovelace',
		'https://www.linkedin.com/school/acme',
		'LinkedIn.com/Company/Acme',
		'https://www.facebook.com/acme',
		'https://m.facebook.com/acme',
		'https://x.com/acme',
		'https://twitter.com/acme',
		'https://www.instagram.com/acme/',
		'https://www.tiktok.com/@acme',
		'https://www.youtube.com/@acme',
		'https://www.xing.com/pages/acme',
		'\u200bhttps://www.linkedin.com/company/acme',
		'https://www.linkedin.com:443/company/acme',
		'https://www.linkedin.com./company/acme',
	];

	it.for(PAGES)('%s is refused: it would be a search at the network itself', (page) => {
		expect(problemOf('domain', page)).toMatch(
			new RegExp(`^${noDomainOfCompany}.* is a page at `, 's'),
		);
	});

	it.for([
		['linkedin.com', 'linkedin.com'],
		['https://www.linkedin.com', 'linkedin.com'],
		['https://www.linkedin.com/', 'linkedin.com'],
		['https://www.linkedin.com/?trk=x', 'linkedin.com'],
		['https://www.linkedin.com#top', 'linkedin.com'],
	])('%s is the network, which is a company too', ([value, domain]) => {
		expect(sent('domain', value)).toBe(domain);
	});

	it.for([
		['https://www.fedex.com/en', 'fedex.com'],
		['netflix.com/browse', 'netflix.com'],
		['notlinkedin.com/company/acme', 'notlinkedin.com'],
		['linkedin.com.example/company/acme', 'linkedin.com.example'],
		['https://acme.com/linkedin.com/company/acme', 'acme.com'],
		['https://acme.com/?next=https://www.linkedin.com/company/acme', 'acme.com'],
		['https://linkedin.com@acme.com/company/acme', 'acme.com'],
	])('%s is another host', ([value, domain]) => {
		expect(sent('domain', value)).toBe(domain);
	});
});

describe('a refusal says which character is wrong', () => {
	it.for<[FieldKind, string, RegExp]>([
		['domain', 'acme.c!m', /"!"/],
		['domain', 'acme!.com', /"!"/],
		['domain', 'ac(me.com', /"\("/],
		['domain', 'acme,com.example', /","/],
		['domain', 'i❤.ws', /"❤"/],
		['domain', '👍.example', /"👍"/],
		['domain', 'ac me.com', /space|" "/],
		['domain', 'acme.com.\ufffd', /"\ufffd"|U\+FFFD/],
	])('%s %j: %s', ([kind, value, named]) => {
		expect(problemOf(kind, value)).toMatch(named);
	});

	it.for<[FieldKind, string, string]>([
		['domain', 'ac\ue000me.com', 'U+E000'],
		['domain', 'acme\u0378.com', 'U+0378'],
		['domain', 'ac\u{e0001}me.com', 'U+E0001'],
	])('%s %j: by its number, as nobody sees it: %s', ([kind, value, number]) => {
		expect(problemOf(kind, value)).toContain(number);
	});
});

describe('properties', () => {
	const noise = fc.constantFrom(...INVISIBLE.map(([, character]) => character));
	const anyText = fc.oneof(
		fc.string({ unit: 'binary' }),
		fc.string({ unit: 'grapheme-composite' }),
		fc.string({
			unit: fc.constantFrom(
				...[
					'a',
					'B',
					'u\u0308',
					'\u0301',
					'.',
					'@',
					'/',
					':',
					'?',
					' ',
					'www.',
					'mailto:',
					'ß',
					'İ',
				],
				...['linkedin.com/in/', 'ada', '/en', '@acme.com', '<', '>', '(', ')', '"', '|', ', ', '*'],
				...['Email: ', '%40', '%2F', '[', ']', '=', "'", '\\', '\uff21', '\uff20', '\n', ';'],
				...['https://', '\u200d', '\u200b', '\ufeff', '_', '-', 'ş', '\u0958', '\u212b', 'ﬁ', '//'],
			),
		}),
	);
	const valid: Record<FieldKind, fc.Arbitrary<string>> = {
		name: fc.constantFrom('Ada Lovelace', 'Zo\u00eb M\u00fcller', 'علی\u200cرضا', '한글'),
		company: fc.constantFrom('Acme Ltd', 'M\u00fcller & S\u00f6hne'),
		domain: fc.oneof(fc.domain(), fc.constantFrom('m\u00fcller.de', 'हिन्दी.भारत', 'a_b.acme.com')),
		email: fc.oneof(usualAddress, fc.constant('zo\u00eb@m\u00fcller.de')),
		url: fc
			.webUrl({ withQueryParameters: false })
			.filter((url) => /\/\/[^/]+\/\S*[^,;)]$/.test(url) && !/n\/a(\/|$)/i.test(url)),
	};
	/** Other writings of the same value. */
	const other: Record<FieldKind, (text: string) => string[]> = {
		name: (text) => [text.normalize('NFD'), text.replace(' ', '\u00a0 '), ` ${text}\n`],
		company: (text) => [text.normalize('NFD'), text.replace(' ', '\t'), `${text} `],
		domain: (text) => [
			text.normalize('NFD'),
			text.toUpperCase(),
			`https://www.${text}/`,
			`http://${text}:80/about?x=1#y`,
			`${text}.`,
		],
		email: (text) => [
			text.normalize('NFD'),
			text.toUpperCase(),
			`mailto:${text}`,
			`mailto:${text}?subject=x`,
			` ${text} `,
		],
		url: (text) => [` ${text} `],
	};

	it.for(KINDS)('however a value is written, it is one search: %s', (kind) => {
		fc.assert(
			fc.property(valid[kind], noise, (text, character) => {
				for (const writing of [text, ...other[kind](text)]) {
					for (const given of [writing, character + writing, writing + character]) {
						expect(canonical(kind, given), JSON.stringify(given)).toBe(canonical(kind, text));
						const tidied = sent(kind, given) ?? '';
						expect(canonical(kind, tidied), JSON.stringify(given)).toBe(canonical(kind, text));
					}
				}
			}),
		);
	});

	it.for(KINDS)('what is sent is the same search as what was given: %s', (kind) => {
		fc.assert(
			fc.property(anyText, (given) => {
				const text = sentText(kind, given);
				if (text === undefined) return;
				const once = canonical(kind, given);
				expect(canonical(kind, text)).toBe(once);
				expect(canonical(kind, once)).toBe(once);
				expect(checkField(kind, text)).toEqual(checkField(kind, given));
				// Of a page's address nobody knows whether the site takes both forms for the same.
				if (kind !== 'url') expect(text).toBe(text.normalize('NFC'));
			}),
			{ numRuns: 2000 },
		);
	});

	it('no invisible character is sent', () => {
		fc.assert(
			fc.property(fc.constantFrom(...KINDS), anyText, (kind, given) => {
				const text = sentText(kind, given);
				if (text === undefined) return;
				for (const [, character] of INVISIBLE) expect(text).not.toContain(character);
				// An address with one is not of the usual form, and the service decides.
				const checked = checkField(kind, given);
				if (kind !== 'domain' && (kind !== 'email' || 'flaw' in checked)) return;
				for (const [, character] of JOINERS) expect(text).not.toContain(character);
			}),
			{ numRuns: 2000 },
		);
	});
});
