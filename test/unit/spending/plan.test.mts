import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortHash } from '../../../nodes/ContactData/common/values.ts';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import type { Search, Size } from '../../../nodes/ContactData/lookups/types.ts';
import type { ItemSearch } from '../../../nodes/ContactData/input/searches.ts';
import type { Endpoint } from '../../../nodes/ContactData/spending/plan.ts';
import {
	NAMING,
	plan,
	searchKey,
	searchName,
	takeFirst,
} from '../../../nodes/ContactData/spending/plan.ts';

const { emailVerifier, phoneFinder } = lookups;
const BASE_URL = 'https://api.example.com';

const emails = (...names: string[]) => names.map((name) => ({ email: `${name}@acme.com` }));

/** What items ask for, with the same settings and custom data unless they are given. */
function asks(searches: Search[], envelope: ItemSearch['envelope'] = {}): ItemSearch[] {
	const group = JSON.stringify(envelope);
	return searches.map((search, item) => ({ item, search, envelope, group }));
}

describe('batches', () => {
	it.for([
		[0, []],
		[1, [1]],
		[5000, [5000]],
		[5001, [5000, 1]],
		[12_000, [5000, 5000, 2000]],
	] as const)('of %i searches are %j', ([count, sizes]) => {
		const given = asks(Array.from({ length: count }, (_, n) => ({ email: `${n}@acme.com` })));
		const submissions = plan({ baseUrl: BASE_URL, lookup: emailVerifier, size: 'bulk' }, given);
		expect(submissions.map(({ searches }) => searches.length)).toEqual(sizes);
		expect(submissions.flatMap(({ searches }) => searches)).toEqual(
			given.map(({ search }) => search),
		);
	});

	it('can be divided, so that one search tells the price', () => {
		const endpoint: Endpoint = { baseUrl: BASE_URL, lookup: emailVerifier, size: 'bulk' };
		const queue = plan(endpoint, asks(emails('a', 'b', 'c'), { custom: { list: 'x' } }));
		const [batch] = queue;
		const parts = [1, Infinity].flatMap((searches) => takeFirst(endpoint, queue, { searches }));
		expect(queue).toEqual([]);
		expect(parts.map(({ body }) => body)).toEqual([
			{ verifications: ['a@acme.com'], custom: { list: 'x' } },
			{ verifications: ['b@acme.com', 'c@acme.com'], custom: { list: 'x' } },
		]);
		expect(parts.map(({ size }) => size)).toEqual([1, 2]);
		expect(parts.flatMap(({ names }) => names)).toEqual(batch?.names);
		expect(parts.flatMap(({ items }) => items)).toEqual(batch?.items);
		expect(new Set([batch, ...parts].map((one) => one?.key)).size).toBe(3);
	});
});

it('searches do not run into each other where fields are moved', () => {
	const key = (search: Search) => searchKey(phoneFinder, search);
	expect(key({ firstname: 'Ada', lastname: 'B' })).not.toBe(
		key({ lastname: 'Ada', firstname: 'B' }),
	);
	expect(key({ company_domain: 'acme.com' })).not.toBe(key({ company_name: 'acme.com' }));
});

it('every item is in one submission, once, with its own search', () => {
	const email = fc.constantFrom('a', 'b', 'c', 'd', 'A').map((name) => `${name}@acme.com`);
	const list = fc.constantFrom('x', 'y', undefined);
	const size = fc.constantFrom<Size>('single', 'bulk');
	fc.assert(
		fc.property(size, fc.array(fc.tuple(email, list)), (sizeOf, wanted) => {
			const given = wanted.map(([text, name], item): ItemSearch => {
				const envelope = name === undefined ? {} : { custom: { list: name } };
				return { item, search: { email: text }, envelope, group: JSON.stringify(envelope) };
			});
			const submissions = plan({ baseUrl: BASE_URL, lookup: emailVerifier, size: sizeOf }, given);
			const seen = submissions.flatMap(({ searches, items: askers }) => {
				expect(askers).toHaveLength(searches.length);
				return askers.flatMap((group, position) =>
					group.map(({ item, search }) => {
						expect(searchKey(emailVerifier, searches[position] ?? {})).toBe(
							searchKey(emailVerifier, search),
						);
						return item;
					}),
				);
			});
			expect(seen.sort((a, b) => a - b)).toEqual(given.map(({ item }) => item));
			const searches = submissions.flatMap((submission) => submission.searches);
			const keys = searches.map((search) => searchKey(emailVerifier, search));
			expect(new Set(keys).size).toBe(keys.length);
			expect(new Set(submissions.map(({ key }) => key)).size).toBe(submissions.length);
		}),
	);
});

const LOOKUP_NAMES = ['emailFinder', 'emailVerifier', 'phoneFinder'] as const;

/** Whoever makes a name differ raises `NAMING`: receipts that n8n has saved have the old names. */
it('a search has the same name as ever, as long as the naming has the same number', () => {
	const given: Record<(typeof LOOKUP_NAMES)[number], Search[]> = {
		emailFinder: [
			{ fullname: 'Ada Lovelace', company_domain: 'acme.com' },
			{ fullname: " Zoë  O'Brien-Müller ", company_name: 'Café & Söhne GmbH' },
			{ fullname: 'Øyvind Ærø', company_domain: 'https://www.Müller.example/jobs?x=1' },
		],
		emailVerifier: [{ email: 'Ada.B+c@Sub.Acme.example' }, { email: 'ada@müller.example' }],
		phoneFinder: [
			{ socialprofile_url: 'https://de.linkedin.com/in/Jos%C3%A9-Ada/?trk=x#top' },
			{ socialprofile_url: 'linkedin.com/in/ada' },
			{ firstname: 'ADA', lastname: 'von Ürz', company_domain: 'Acme.com', company_name: 'Acme' },
		],
	};
	const envelopes = [
		{},
		{ custom: { row: 1 }, settings: { webhook: 'https://n8n.example' } },
		{ settings: { country_code: 'FR', retrieve_gender: true } },
	];
	const names = LOOKUP_NAMES.map((name) => [lookups[name], given[name]] as const).flatMap(
		([lookup, searches]) =>
			(['single', 'bulk'] as const).flatMap((size) =>
				envelopes.flatMap((envelope) =>
					asks(searches, envelope).map((search) =>
						searchName({ baseUrl: BASE_URL, lookup, size }, search),
					),
				),
			),
	);
	expect(names).toHaveLength(48);
	expect({ NAMING, names: shortHash(names, 22) }).toEqual({
		NAMING: 2,
		names: 's5aj0ZZslR9Bkuesu4Ke1g',
	});
});
