import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { contradicts } from '../../../nodes/ContactData/lookups/contradictions.ts';
import { canonical } from '../../../nodes/ContactData/lookups/same.ts';
import type { FieldKind } from '../../../nodes/ContactData/lookups/types.ts';

const KINDS: FieldKind[] = ['name', 'company', 'domain', 'email', 'url'];

describe('is another one', () => {
	it.for<[FieldKind, string, string]>([
		['name', 'Ada Lovelace', 'Grace Hopper'],
		['name', 'Ada Lovelace', 'Alan Turing'],
		['name', 'Zoë Brontë', 'Emily Dickinson'],
		['email', 'ada@acme.com', 'bob@acme.com'],
		['email', 'ada@acme.com', 'ada@globex.com'],
		['email', 'ada.l@acme.com', 'ada.b@acme.com'],
		['domain', 'acme.com', 'globex.com'],
		['domain', 'acme.com', 'notacme.com'],
		['url', 'https://linkedin.com/in/ada', 'https://linkedin.com/in/grace'],
		['url', 'https://linkedin.com/in/ada', 'https://linkedin.com/in/ada-2'],
		['url', 'https://linkedin.com/in/ada', 'https://xing.com/in/ada'],
		['url', 'https://social.example/show?id=1', 'https://social.example/show?id=2'],
		['url', 'https://social.example/show?id=1', 'https://social.example/show?id=12'],
		['url', 'https://social.example/#/people/1', 'https://social.example/#/people/2'],
		['url', 'https://social.example/app#/people/1', 'https://social.example/app#/people/12'],
		['url', 'https://social.example/app?x=1#/people/1', 'https://social.example/app?x=1#/people/2'],
	])('%s: %s, told as %s', ([kind, asked, told]) => {
		expect(contradicts(kind, asked, told)).toBe(true);
		expect(contradicts(kind, told, asked)).toBe(true);
	});
});

describe('may be the same', () => {
	it.for<[FieldKind, string, string]>([
		['name', 'ada lovelace', 'Ada Lovelace'],
		['name', 'Zoë Brontë', 'ZOE BRONTE'],
		['name', 'Lovelace, Ada', 'Ada Lovelace'],
		['name', 'A. Lovelace', 'Ada Byron'],
		['name', 'Alexander Müller', 'Alex Mueller'],
		['name', 'Jean-Pierre Dupont', 'JP Dupont'],
		['name', 'Øystein Ås', 'Oystein Aas'],
		['name', 'Юрий Гагарин', 'Yuri Gagarin'],
		['name', '李雷', 'Lei Li'],
		['name', 'Ada', ''],
		['name', '...', 'Grace'],
		['email', 'Ada@Acme.com', 'ada@acme.com'],
		['email', 'mailto:ada@acme.com', 'ada@acme.com'],
		['email', 'ada+news@acme.com', 'ada@acme.com'],
		['email', 'a.da@acme.com', 'ada@acme.com'],
		['email', 'ada@bücher.example', 'ada@xn--bcher-kva.example'],
		['email', 'ada@mail.acme.com', 'ada@acme.com'],
		['email', 'ada@acme.com', 'hidden'],
		['domain', 'acme.com', 'https://www.ACME.com/about'],
		['domain', 'careers.acme.com', 'acme.com'],
		['domain', 'bücher.example', 'xn--bcher-kva.example'],
		['domain', 'acme.com', 'unknown'],
		['company', 'Google', 'Alphabet'],
		['url', 'https://www.linkedin.com/in/ada', 'linkedin.com/in/ada/'],
		['url', 'https://fr.linkedin.com/in/ada?trk=x', 'https://linkedin.com/in/Ada'],
		['url', 'https://linkedin.com/in/ada', 'https://linkedin.com/in/ada/details/skills'],
		['url', 'https://linkedin.com/in/jos%C3%A9', 'https://linkedin.com/in/josé'],
		['url', 'https://linkedin.com/in/100%', 'https://linkedin.com/in/100%'],
		['url', 'https://social.example/show?id=1', 'https://social.example/show'],
		['url', 'https://linkedin.com/in/ada', 'linkedin.com'],
		// A service may drop the fragment, as those that read an address with a URL parser do.
		['url', 'https://social.example/#/people/1', 'https://social.example/'],
		['url', 'https://social.example/app#/people/1', 'https://social.example/app'],
		['url', 'https://social.example/show?id=1', 'unknown'],
		['url', 'https://social.example/app?x=1#/people/1', 'https://social.example/app?x=1'],
	])('%s: %s, told as %s', ([kind, asked, told]) => {
		expect(contradicts(kind, asked, told)).toBe(false);
		expect(contradicts(kind, told, asked)).toBe(false);
	});

	it('whatever it is, told as it was asked, or in the form in which both are compared', () => {
		const text = fc.oneof(
			fc.string({ unit: 'binary' }),
			fc.emailAddress(),
			fc.webUrl({ withQueryParameters: true }),
			fc.domain(),
		);
		fc.assert(
			fc.property(fc.constantFrom(...KINDS), text, (kind, asked) => {
				expect(contradicts(kind, asked, asked)).toBe(false);
				expect(contradicts(kind, asked, canonical(kind, asked))).toBe(false);
			}),
			{ numRuns: 2_000 },
		);
	});
});

// Compatible forms of one letter may be eighteen, and all of a text would be in memory several times.
it('a text that is longer than any name is not gone through', () => {
	const normalize = vi.spyOn(String.prototype, 'normalize');
	try {
		for (const told of ['\ufdfa'.repeat(1_000_000), 'zz '.repeat(1_000_000)]) {
			for (const kind of KINDS) expect(contradicts(kind, 'Ada Lovelace', told)).toBe(false);
		}
		expect(normalize).not.toHaveBeenCalled();
	} finally {
		normalize.mockRestore();
	}
});
