import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortHash } from '../../../nodes/ContactData/common/values.ts';
import type { Row } from '../../../nodes/ContactData/input/rows.ts';
import { lookups, type LookupName } from '../../../nodes/ContactData/lookups/index.ts';
import { searchKey } from '../../../nodes/ContactData/lookups/same.ts';
import type { Lookup, Search, Size } from '../../../nodes/ContactData/lookups/types.ts';
import { countSearches, searchesOf } from '../../../nodes/ContactData/orders/order.ts';
import { plan, takeFirst, toBody, toEntries } from '../../../nodes/ContactData/orders/plan.ts';
import { NAMING, Receipts } from '../../../nodes/ContactData/orders/receipts.ts';
import { rowsFor } from '../../support/rows.mts';
import { LOOKUP_NAMES } from '../../support/searches.mts';

const { emailVerifier, phoneFinder } = lookups;

const endpointOf = (lookup: Lookup, size: Size) => {
	return { baseUrl: 'https://api.example.com', lookup, size, isList: false };
};
const planNew = (size: Size, rows: Row[]) =>
	plan(
		endpointOf(emailVerifier, size),
		rows,
		new Receipts({ node: {}, turn: '0', executionId: '1' }),
	);

const emails = (...names: string[]) => names.map((name) => ({ email: `${name}@acme.com` }));

describe('batches', () => {
	it.for([
		[0, []],
		[1, [1]],
		[5000, [5000]],
		[5001, [5000, 1]],
		[12_000, [5000, 5000, 2000]],
	] as const)('of %i searches are %j', ([count, sizes]) => {
		const searches = emails(...Array.from({ length: count }, (_, n) => `${n}`));
		const orders = planNew('bulk', rowsFor(emailVerifier, searches));
		expect(orders.map((order) => order.count)).toEqual(sizes);
		expect(orders.flatMap(searchesOf).map(({ search }) => search)).toEqual(searches);
	});

	it('can be divided, so that one search tells the price', () => {
		const envelope = { custom: { list: 'x' } };
		const orders = planNew('bulk', rowsFor(emailVerifier, emails('a', 'b', 'c'), envelope));
		const [whole] = orders;
		const queue = [...orders];
		const parts = [1, Infinity].flatMap((searches) => takeFirst(orders, queue, { searches }));
		expect(queue).toEqual([]);
		expect(orders).toEqual(parts);
		expect(parts.map((order) => toBody(emailVerifier, order))).toEqual([
			{ verifications: ['a@acme.com'], custom: { list: 'x' } },
			{ verifications: ['b@acme.com', 'c@acme.com'], custom: { list: 'x' } },
		]);
		expect(parts.map(({ entries }) => entries.map(({ place }) => place))).toEqual([[0], [0, 1]]);
		expect(parts.map(({ count }) => count)).toEqual([1, 2]);
		const namesOf = (all: typeof parts) =>
			all.flatMap(({ entries }) => entries.map(({ name }) => name));
		expect(namesOf(parts)).toEqual(whole && namesOf([whole]));
		expect(new Set([whole, ...parts].map((one) => one?.key)).size).toBe(3);
	});
});

it('searches do not run into each other where fields are moved', () => {
	const key = (search: Search) => searchKey(phoneFinder, search);
	expect(key({ firstname: 'Ada', lastname: 'B' })).not.toBe(
		key({ lastname: 'Ada', firstname: 'B' }),
	);
	expect(key({ company_domain: 'acme.com' })).not.toBe(key({ company_name: 'acme.com' }));
});

it('every row is in one order, once, with its own search', () => {
	const email = fc.constantFrom('a', 'b', 'c', 'd', 'A').map((name) => `${name}@acme.com`);
	const list = fc.constantFrom('x', 'y', undefined);
	const size = fc.constantFrom<Size>('single', 'bulk');
	fc.assert(
		fc.property(size, fc.array(fc.tuple(email, list)), (sizeOf, wanted) => {
			const rows = wanted.flatMap(([text, name], item) => {
				const envelope = name === undefined ? {} : { custom: { list: name } };
				return rowsFor(emailVerifier, [{ email: text }], envelope).map((row) => ({ ...row, item }));
			});
			const orders = planNew(sizeOf, rows);
			const entries = orders.flatMap((order) => order.entries);
			for (const { rows: same } of entries) {
				expect(new Set(same.map(({ key }) => key)).size).toBe(1);
			}
			const items = entries.flatMap(({ rows: same }) => same.map(({ item }) => item));
			expect(items.sort((a, b) => a - b)).toEqual(rows.map(({ item }) => item));
			const keys = entries.map(({ rows: [{ key }] }) => key);
			expect(new Set(keys).size).toBe(keys.length);
			expect(new Set(orders.map(({ key }) => key)).size).toBe(orders.length);
			expect(countSearches(orders)).toBe(keys.length);
		}),
	);
});

/** Whoever makes a name differ raises `NAMING`: receipts that n8n has saved have the old names. */
it('a search has the same name as ever, as long as the naming has the same number', () => {
	const given: Record<LookupName, Search[]> = {
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
	const namesOf = (name: LookupName) => {
		const lookup = lookups[name];
		return (['single', 'bulk'] as const).flatMap((size) =>
			// Only some lookups have settings.
			envelopes.slice(0, lookup.options.length > 0 ? 3 : 2).flatMap((envelope) => {
				const rows = rowsFor(lookup, given[name], envelope);
				return rows.flatMap((row) => toEntries(endpointOf(lookup, size), [row])[0]?.name ?? []);
			}),
		);
	};
	const saved: Record<LookupName, string> = {
		emailFinder: '18 names, IXenygFCu1U7tY3CvlttNi',
		emailVerifier: '8 names, WhuqHOApbmz6G4Gcxat9qE',
		phoneFinder: '12 names, vN9cJkLjFGTQ-arPmoff9E',
	};
	const now = LOOKUP_NAMES.map((name) => {
		const names = namesOf(name);
		return [name, `${names.length} names, ${shortHash(names, 22)}`];
	});
	expect({ NAMING, ...Object.fromEntries(now) }).toEqual({ NAMING: 2, ...saved });
});
