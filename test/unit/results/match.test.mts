import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { lookups, type LookupName } from '../../../nodes/ContactData/lookups/index.ts';
import type { FieldKind, Lookup, Search } from '../../../nodes/ContactData/lookups/types.ts';
import { matchResults } from '../../../nodes/ContactData/results/match.ts';
import { searchKey } from '../../../nodes/ContactData/lookups/same.ts';
import { rowsFor } from '../../support/rows.mts';
import { toLookupName } from '../../support/searches.mts';

/** How a service may number its results. */
type IndexKind = 'text' | 'number' | 'opaque' | 'absent' | 'misleading';
/** How it may repeat what was searched. */
type EchoKind = 'asSent' | 'tidied' | 'partial' | 'absent';

interface Batch {
	searches: Search[];
	/** Which of the searches are listed, in the order of the list; some may be there twice. */
	listed: number[];
	index: IndexKind;
	firstIndex: number;
	echo: EchoKind;
	/** How many results of nobody's are mixed in. */
	unmatched: number;
}

const firstName = fc.constantFrom('Ada', 'ADA', 'ada', 'Eve', 'Zoë');
const lastName = fc.constantFrom('Lovelace', 'Byron');
const domain = fc.constantFrom('acme.com', 'bolt.io');
const company = fc.constantFrom('Acme', 'ACME', 'Bolt');

function withoutBlanks(fields: Record<string, string | undefined>): Search {
	return Object.fromEntries(
		Object.entries(fields).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
	);
}

const SEARCHES: Record<LookupName, fc.Arbitrary<Search>> = {
	emailFinder: fc
		.record({
			fullname: fc.tuple(firstName, lastName).map((names) => names.join(' ')),
			company_domain: fc.option(domain, { nil: undefined }),
			company_name: fc.option(company, { nil: undefined }),
		})
		.filter((search) => search.company_domain !== undefined || search.company_name !== undefined)
		.map(withoutBlanks),
	emailVerifier: fc.tuple(firstName, lastName, domain).map(([first, last, host]) => ({
		email: `${first}.${last}@${host}`,
	})),
	phoneFinder: fc.oneof(
		fc
			.tuple(firstName, lastName)
			.map((names) => ({ socialprofile_url: `https://www.linkedin.com/in/${names.join('-')}` })),
		fc
			.record({
				firstname: firstName,
				lastname: lastName,
				company_domain: fc.option(domain, { nil: undefined }),
				company_name: fc.option(company, { nil: undefined }),
			})
			.filter((search) => search.company_domain !== undefined || search.company_name !== undefined)
			.map(withoutBlanks),
	),
};

/** Searches of one batch: all different, as the plan makes them. */
const searchesOf = (lookup: Lookup) =>
	fc.uniqueArray(SEARCHES[toLookupName(lookup.name)], {
		minLength: 1,
		maxLength: 12,
		selector: (search) => searchKey(lookup, search),
	});

const batchOf = (lookup: Lookup, kinds: Partial<Pick<Batch, 'index' | 'echo'>>) =>
	searchesOf(lookup).chain((searches) => {
		const positions = searches.map((_, position) => position);
		return fc.record({
			searches: fc.constant(searches),
			listed: fc.shuffledSubarray(positions),
			index: kinds.index ? fc.constant(kinds.index) : fc.constantFrom<IndexKind>('text', 'number'),
			firstIndex: fc.constantFrom(0, 1),
			echo: fc.constant(kinds.echo ?? 'asSent'),
			unmatched: fc.constant(0),
		});
	});

const TIDIES: Record<FieldKind, (text: string) => string> = {
	name: (text) => text.toLowerCase(),
	company: (text) => ` ${text.toUpperCase()} `,
	domain: (text) => `https://www.${text}/`,
	email: (text) => text.toUpperCase(),
	url: (text) => `${text.toLowerCase()}/?trk=x`,
};

/** The search as the service repeats it. */
function echoOf(lookup: Lookup, search: Search, kind: EchoKind): Search {
	if (kind === 'asSent') return search;
	if (kind === 'absent') return {};
	const [first] = Object.keys(search);
	return withoutBlanks(
		Object.fromEntries(
			lookup.fields.map((field) => {
				const text = search[field.name];
				if (kind === 'partial') return [field.name, field.name === first ? text : undefined];
				return [field.name, text === undefined ? text : TIDIES[field.kind](text)];
			}),
		),
	);
}

/** A result of the service; `truth` is the search that it really belongs to. */
function toResult(lookup: Lookup, batch: Batch, truth: number, place: number): IDataObject {
	const { searches, index, firstIndex, echo, listed } = batch;
	const indexes: Record<IndexKind, unknown> = {
		text: String(truth + firstIndex),
		number: truth + firstIndex,
		opaque: `v-${(truth * 7919) % 104_729}`,
		absent: undefined,
		// The place in its own list, or any other number that is not the position that was sent.
		misleading: (place * 3 + listed.length) % 17,
	};
	return {
		truth,
		...lookup.toEcho(echoOf(lookup, searches[truth] ?? {}, echo)),
		...(indexes[index] === undefined ? {} : { index: indexes[index] }),
	};
}

function strangerOf(lookup: Lookup, number: number): IDataObject {
	const texts: Record<FieldKind, string> = {
		name: 'Zed Stranger',
		company: 'Strangers Ltd',
		domain: 'stranger.example',
		email: `zed${number}@stranger.example`,
		url: `https://social.example/in/stranger${number}`,
	};
	const search = Object.fromEntries(lookup.fields.map(({ name, kind }) => [name, texts[kind]]));
	return { truth: -1, index: `v-${number}`, ...lookup.toEcho(search) };
}

/** Matches the batch, of which the order is known. */
function matchAll(lookup: Lookup, batch: Batch) {
	const results = batch.listed.map((truth, place) => toResult(lookup, batch, truth, place));
	const unmatched = Array.from({ length: batch.unmatched }, (_, number) =>
		strangerOf(lookup, number),
	);
	const places = batch.searches.map((_, place) => place);
	const searches = rowsFor(lookup, batch.searches);
	const known = { searches, places, size: places.length, isOfAnother: false };
	return matchResults(lookup, known, [...unmatched, ...results]);
}

/** Matches the batch, and asserts that no result is at another's place, and that none is lost. */
function match(lookup: Lookup, batch: Batch) {
	const matching = matchAll(lookup, batch);
	matching.results.forEach((result, position) => {
		if (result !== undefined) expect(result.truth).toBe(position);
	});
	const placed = matching.results.filter((result) => result !== undefined);
	expect(placed.length + matching.unmatched.length).toBe(batch.listed.length + batch.unmatched);
	return { placed, unmatched: matching.unmatched };
}

describe.for(Object.values(lookups))('$name', (lookup) => {
	const check = (batches: fc.Arbitrary<Batch>, property: (batch: Batch) => void) =>
		fc.assert(fc.property(batches, property), { numRuns: 300 });

	it('places everything that repeats its search, whatever the order, the omissions and the index', () => {
		const kinds = fc.constantFrom<IndexKind>('text', 'number', 'opaque', 'absent', 'misleading');
		check(
			kinds.chain((index) => batchOf(lookup, { index })),
			(batch) => {
				expect(match(lookup, batch).unmatched).toEqual([]);
			},
		);
	});

	it('places by what is repeated and tidied', () => {
		check(batchOf(lookup, { index: 'opaque', echo: 'tidied' }), (batch) => {
			expect(match(lookup, batch).unmatched).toEqual([]);
		});
	});

	it.for(['partial', 'absent'] as const)(
		'places everything by its index from 0 where 0 is listed, and the search is repeated not or in part: %s',
		(echo) => {
			check(batchOf(lookup, { echo }), (batch) => {
				const listed = [...batch.listed.filter((position) => position !== 0), 0];
				expect(match(lookup, { ...batch, listed, firstIndex: 0 }).unmatched).toEqual([]);
			});
		},
	);

	it('and from 1 where the last one is listed', () => {
		check(batchOf(lookup, { echo: 'absent' }), (batch) => {
			const last = batch.searches.length - 1;
			const listed = [...batch.listed.filter((position) => position !== last), last];
			expect(match(lookup, { ...batch, listed, firstIndex: 1 }).unmatched).toEqual([]);
		});
	});

	it('and nothing where nobody can say from where it counts', () => {
		check(batchOf(lookup, { echo: 'absent' }), (batch) => {
			const last = batch.searches.length - 1;
			const { firstIndex, listed: all } = batch;
			const listed = all.filter((position) => position !== (firstIndex === 0 ? 0 : last));
			fc.pre(last > 0);
			expect(match(lookup, { ...batch, listed }).placed).toEqual([]);
		});
	});

	it('never guesses where little is repeated', () => {
		check(batchOf(lookup, { echo: 'partial', index: 'opaque' }), (batch) => {
			match(lookup, batch);
		});
	});

	it('reports results that are nobody’s', () => {
		const withStrangers = fc
			.tuple(batchOf(lookup, {}), fc.integer({ min: 1, max: 5 }))
			.map(([batch, unmatched]) => ({ ...batch, unmatched }));
		check(withStrangers, (batch) => {
			fc.pre(batch.searches.length > 1);
			const { unmatched, placed } = match(lookup, batch);
			expect(placed).toHaveLength(batch.listed.length);
			expect(unmatched.every(({ truth }) => truth === -1)).toBe(true);
		});
	});

	it('takes a result that is listed twice once, and it is no stranger', () => {
		const twice = batchOf(lookup, {}).map((batch) => ({
			...batch,
			listed: [...batch.listed, ...batch.listed.slice(0, 2)],
		}));
		check(twice, (batch) => {
			const { results, unmatched } = matchAll(lookup, batch);
			expect(results.filter(Boolean)).toHaveLength(new Set(batch.listed).size);
			expect(unmatched).toEqual([]);
		});
	});

	it('bears any list at all', () => {
		fc.assert(
			fc.property(searchesOf(lookup), fc.array(fc.jsonValue()), (searches, listed) => {
				const batch = { searches: rowsFor(lookup, searches), isOfAnother: false };
				const { results } = matchResults(lookup, batch, listed);
				expect(results).toHaveLength(searches.length);
			}),
		);
	});
});

/** The numbers or addresses that the searches get, in their order. */
function found(lookup: Lookup, searches: Search[], listed: IDataObject[], batch = {}): unknown[] {
	const places = searches.map((_, place) => place);
	const { results } = matchResults(
		lookup,
		{
			searches: rowsFor(lookup, searches),
			places,
			size: searches.length,
			isOfAnother: false,
			...batch,
		},
		listed,
	);
	return results.map((result) => result?.number ?? result?.email);
}

const url = (name: string) => `https://www.linkedin.com/in/${name}`;
const { emailFinder, emailVerifier, phoneFinder } = lookups;

describe('a phone batch gives each its number', () => {
	const searches = ['ada', 'bob', 'eve'].map((name) => ({ socialprofile_url: url(name) }));
	const [ada, bob] = searches;
	const listed = (forms: unknown[], indexes: unknown[] = [0, 1, 2]) =>
		forms.map((params, n) => ({ index: indexes[n], number: `+${n}`, params }) as IDataObject);

	it('of a batch of which only some are asked for, by their places', () => {
		const batch = { places: [2, 4], size: 5 };
		const rows = listed([{}, {}, {}], [0, 2, 4]);
		expect(found(phoneFinder, [ada, bob] as Search[], rows, batch)).toEqual(['+1', '+2']);
	});

	it.for<[string, unknown[], unknown[], object?]>([
		['the index contradicts what is repeated', [bob, {}, {}], [0, 1, 2]],
		['the index is out of range', [{}, {}, {}], [0, 1, 7]],
		['there is neither', [{}, {}, {}], []],
		['the index is no whole number', [{}, {}, {}], [0.5, 'v-1', '1e0']],
		['nobody knows the order of the batch', [{}, {}, {}], [0, 1, 2], { places: undefined }],
		['the answer is of another batch', [{}, {}, {}], [0, 1, 2], { isOfAnother: true }],
		['one repeats the search of a stranger', [{}, {}, { linkedin_url: url('zed') }], [0, 1, 2]],
	])('or nothing by the index, where %s', ([, forms, indexes, batch]) => {
		const { results, unmatched } = matchResults(
			phoneFinder,
			{
				searches: rowsFor(phoneFinder, searches),
				places: [0, 1, 2],
				size: 3,
				isOfAnother: false,
				...batch,
			},
			listed(forms, indexes),
		);
		const exact = forms[0] === bob ? 1 : 0;
		expect(results.filter((result) => result !== undefined)).toHaveLength(exact);
		expect(unmatched).toHaveLength(3 - exact);
	});

	it('in a batch of one, whatever it says', () => {
		const one = { number: '+1', params: { linkedin_url: url('ada-lovelace-1815') } };
		expect(found(phoneFinder, [{ socialprofile_url: url('ada') }], [one])).toEqual(['+1']);
		const batch = { places: undefined };
		expect(found(phoneFinder, [{ socialprofile_url: url('ada') }], [one], batch)).toEqual(['+1']);
	});
});

describe('a finder batch gives each the address', () => {
	const company_domain = 'acme.com';
	const searches = ['Änne Weiß', 'Bob Byron'].map((fullname) => ({ fullname, company_domain }));

	const toldOf = (infos: IDataObject[], more: (n: number) => IDataObject = () => ({})) =>
		infos.map((info, n) => ({ index: `${n}`, email: `${n}@acme.com`, info, ...more(n) }));
	const repeated = (n: number) => ({ raw_params: searches[n] });

	it('that repeats its search, whatever name it tells of', () => {
		const rows = toldOf([{ fullname: 'Grace Hopper' }, { fullname: 'Alan Hart' }], repeated);
		const batch = { places: undefined };
		expect(found(emailFinder, searches, rows, batch)).toEqual(['0@acme.com', '1@acme.com']);
	});

	it.for<[string, IDataObject[]]>([
		[
			'it tells of another person at another company',
			toldOf(
				[{ fullname: 'Änne Weiß' }, { fullname: 'Grace Hopper', domain: 'navy.mil' }],
				repeated,
			),
		],
		[
			'it tells of another person, and repeats nothing',
			toldOf([{ fullname: 'Änne Weiß' }, { fullname: 'Grace Hopper' }]),
		],
		[
			'another person is repeated',
			toldOf([{}, {}], (n) => ({
				raw_params: n === 0 ? searches[0] : { fullname: 'Grace Hopper', company_domain },
			})),
		],
		[
			'the index says so of another',
			[...toldOf([{}, {}]), { index: '1', email: 'x@acme.com' }].map((row, n) =>
				n === 0 ? { ...row, ...repeated(0) } : row,
			),
		],
		[
			'two of its results differ',
			[{}, {}, { email: 'x@acme.com' }].map((more, n) => ({
				email: `${n}@acme.com`,
				...more,
				raw_params: searches[Math.min(n, 1)],
			})),
		],
	])('but not where %s', ([, rows]) => {
		expect(found(emailFinder, searches, rows)).toEqual(['0@acme.com', undefined]);
	});

	it('in a batch of one, unless it is plainly of somebody else', () => {
		const search = { fullname: 'Änne Weiß', company_domain };
		const of = (info: IDataObject, batch?: object) =>
			found(emailFinder, [search], toldOf([info]), batch)[0];
		for (const batch of [{}, { places: undefined }]) {
			expect(of({}, batch)).toBe('0@acme.com');
			expect(of({ fullname: 'Aenne Hopper', domain: 'navy.mil' }, batch)).toBe('0@acme.com');
			expect(of({ fullname: 'Grace Hopper', domain: 'acme.com' }, batch)).toBeUndefined();
		}
		expect(of({}, { isOfAnother: true })).toBeUndefined();
		expect(of({}, { size: undefined, places: undefined })).toBeUndefined();
	});
});

it('an address that nobody sent is no result of the item at its index', () => {
	const searches = ['ada@acme.com', 'eve@acme.com', 'zoe@acme.com'].map((email) => ({ email }));
	const rows = searches.map(({ email }, index) => ({
		index,
		email: index === 1 ? 'other@a.com' : email,
	}));
	const told = [rows[0]?.email, undefined, rows[2]?.email];
	expect(found(emailVerifier, searches, rows)).toEqual(told);
});
