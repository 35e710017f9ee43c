import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkField } from '../../../nodes/ContactData/values/checks.ts';
import { canonical } from '../../../nodes/ContactData/values/same.ts';
import type { FieldKind } from '../../../nodes/ContactData/values/types.ts';
import { INVISIBLE, KINDS } from './kinds.mts';

// What holds of every value, whatever people write.

/** Without the signs of masks, escapes and links, and those that separate addresses. */
const usualAddress = fc.emailAddress().filter((email) => !/[*%?{|}\x60]/.test(email));

/** What is sent; `undefined` where nothing is, as of an address that cannot be one. */
function sentText(kind: FieldKind, value: string): string | undefined {
	const checked = checkField(kind, value);
	return 'text' in checked && checked.flaw?.isCertain !== true ? checked.text : undefined;
}

const noise = fc.constantFrom(...INVISIBLE.map(([, character]) => character));
const anyText = fc.oneof(
	fc.string({ unit: 'binary' }),
	fc.string({ unit: 'grapheme-composite' }),
	fc.string({
		unit: fc.constantFrom(
			...['a', 'B', 'u\u0308', '\u0301', '.', '@', '/', ':', '?', ' ', 'www.', 'mailto:', 'ß', 'İ'],
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
					const tidied = sentText(kind, given) ?? '';
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
			// Of a cell that holds more than an address, the address alone is sent.
			if (kind !== 'email') expect(canonical(kind, text)).toBe(once);
			expect(canonical(kind, once)).toBe(once);
			expect(checkField(kind, text)).toEqual(checkField(kind, given));
			// Of a page's address nobody knows whether the site takes both forms for the same.
			if (kind !== 'url') expect(text).toBe(text.normalize('NFC'));
		}),
		{ numRuns: 2000 },
	);
});

it('every address and web site that is one is taken', () => {
	fc.assert(fc.property(fc.domain(), (domain) => 'text' in checkField('domain', domain)));
	fc.assert(
		fc.property(usualAddress, (email) => {
			expect(checkField('email', email)).toEqual({ text: email, flaw: undefined });
		}),
	);
});
