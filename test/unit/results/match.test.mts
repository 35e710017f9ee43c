import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import type { Lookup, Search, SearchField } from '../../../nodes/ContactData/lookups/types.ts';
import type { FieldKind } from '../../../nodes/ContactData/values/types.ts';
import type { AcceptedOrder } from '../../../nodes/ContactData/orders/order.ts';
import { noteShown } from '../../../nodes/ContactData/orders/order.ts';
import { give } from '../../../nodes/ContactData/results/give.ts';
import { matchResults } from '../../../nodes/ContactData/results/match.ts';
import { searchKey } from '../../../nodes/ContactData/lookups/searches.ts';
import { orderOf, rowsFor, settingsFor } from '../../support/rows.mts';
import { searchOf } from '../../support/searches.mts';

/** How a service may number its results. */
type IndexKind = 'text' | 'number' | 'opaque' | 'absent' | 'misleading';
/** How it may repeat what was searched. */
type EchoKind = 'asSent' | 'tidied' | 'partial' | 'absent';

interface Batch {
	searches: Search[];
	/** Which of the searches are listed, in the order of the list; some may be there twice. */
	listed: number[];
	index: IndexKind;
	echo: EchoKind;
	/** How many results of nobody's are mixed in. */
	unmatched: number;
}

const url = (name: string) => `https://www.linkedin.com/in/${name}`;
const firstName = fc.constantFrom('Ada', 'ADA', 'ada', 'Eve', 'Zoë');
const lastName = fc.constantFrom('Lovelace', 'Byron');
const domain = fc.constantFrom('acme.com', 'bolt.io');
const wholeName = (separator: string) =>
	fc.tuple(firstName, lastName).map((names) => names.join(separator));
const VALUES: Record<FieldKind, fc.Arbitrary<string>> = {
	name: wholeName(' '),
	company: fc.constantFrom('Acme', 'ACME', 'Bolt'),
	domain,
	email: fc.tuple(wholeName('.'), domain).map((parts) => parts.join('@')),
	url: wholeName('-').map(url),
};

/** A name may be in parts. */
function valueOf({ fields }: Lookup, { kind, name }: SearchField): fc.Arbitrary<string> {
	const [first, last] = fields.filter((field) => field.kind === 'name');
	if (kind !== 'name' || last === undefined) return VALUES[kind];
	return name === first?.name ? firstName : lastName;
}

/** Some search of a lookup. */
const aSearch = (lookup: Lookup) =>
	fc
		.tuple(...lookup.fields.map((field) => fc.option(valueOf(lookup, field), { nil: undefined })))
		.map((values) => lookup.identity(withoutBlanks(lookup, values)))
		.filter((search) => lookup.missing(search, () => true) === undefined);

function withoutBlanks({ fields }: Lookup, values: ReadonlyArray<string | undefined>): Search {
	const named = fields.map(({ name }, n) => [name, values[n]] as const);
	return Object.fromEntries(
		named.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
	);
}

/** Searches of one batch: all different, as the plan makes them. */
const searchesOf = (lookup: Lookup) =>
	fc.uniqueArray(aSearch(lookup), {
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
	const [first = '', ...others] = Object.keys(search);
	const part = { [first]: search[first] ?? '' };
	// What is a search by itself may be another's.
	const isWhole = others.length > 0 && lookup.missing(part, () => true) === undefined;
	if (kind === 'partial') return isWhole ? {} : part;
	const told = lookup.fields.map(({ name, kind: of }) => {
		const text = search[name];
		return text === undefined ? text : TIDIES[of](text);
	});
	return withoutBlanks(lookup, told);
}

/** A result of the service; `truth` is the search that it really belongs to. */
function toResult(lookup: Lookup, batch: Batch, truth: number, place: number): IDataObject {
	const { searches, index, echo, listed } = batch;
	const indexes: Record<IndexKind, unknown> = {
		text: String(truth),
		number: truth,
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
	const searches = rowsFor(lookup, batch.searches).map((row, place) => ({ ...row, place }));
	return matchResults(lookup, { searches, count: searches.length }, [...unmatched, ...results]);
}

/** Matches the batch, and asserts that no result is at another's place, and that none is lost. */
function match(lookup: Lookup, batch: Batch) {
	const matching = matchAll(lookup, batch);
	matching.results.forEach((result, position) => {
		if (result !== undefined) expect(result.truth).toBe(position);
	});
	const placed = matching.results.filter((result) => result !== undefined);
	expect(placed.length + matching.unplaced.length).toBe(batch.listed.length + batch.unmatched);
	return { placed, unplaced: matching.unplaced };
}

const LOOKUPS = Object.values(lookups);
const { emailFinder, emailVerifier, phoneFinder } = lookups;

/** Checks a property of drawn batches of a lookup. */
const check = (batches: fc.Arbitrary<Batch>, property: (batch: Batch) => void) =>
	fc.assert(fc.property(batches, property), { numRuns: 100 });

/** What rows of one order give: what was found, the word of what was not, or `error`. */
function given(
	lookup: Lookup,
	searches: readonly Search[],
	body: IDataObject,
	more: Partial<AcceptedOrder> = {},
	places = searches.map((_, place) => place),
): unknown[] {
	const rows = rowsFor(lookup, searches);
	const order = { ...orderOf(more.size ?? 'bulk', 'an-id', rows), ...more };
	order.entries = order.entries.map((entry, n) => ({ ...entry, place: places[n] }));
	noteShown(order, { kind: 'completed', body });
	return give(settingsFor(lookup, order.size), rows, [order]).map(({ output }) => {
		if (output.kind === 'failure') {
			expect(output.ids).toEqual(order.size === 'single' ? { id: 'an-id' } : { batch_id: 'an-id' });
			return 'error';
		}
		const { number, email, qualification } = output.json;
		return number ?? email ?? qualification;
	});
}

const PAGES = ['ada', 'bob', 'eve'].map((name) => ({ socialprofile_url: url(name) }));
/** Numbers of a phone batch; by default with their index and nothing else. */
const numbers = (params: unknown[], indexes: unknown[] = [0, 1, 2]) =>
	params.map((repeated, n): IDataObject => {
		const result = { number: `+${n}`, qualification: 'found' };
		return { index: indexes[n] as number, ...result, params: repeated as IDataObject };
	});

describe('1: a single result is of its id', () => {
	const HER = { fullname: 'Ada Hart', company_domain: 'acme.com' };
	const FOUND = { email: 'a@acme.com', qualification: 'valid' };
	const GRACE = { fullname: 'Grace Hopper', company_domain: 'navy.mil' };

	it.for<[string, IDataObject, Partial<AcceptedOrder>, unknown]>([
		['that says nothing', {}, {}, FOUND.email],
		['of another person who was found', { info: GRACE }, {}, FOUND.email],
		['that repeats another person', { raw_params: GRACE }, {}, FOUND.email],
		['of an id that the user gave', { info: GRACE }, { origin: 'named' }, FOUND.email],
		['of such an id, repeating another', { raw_params: GRACE }, { origin: 'named' }, 'error'],
	])('one %s', ([, body, more, expected]) => {
		const [told] = given(emailFinder, [HER], { ...FOUND, ...body }, { size: 'single', ...more });
		expect(told).toBe(expected);
	});
});

describe.for(LOOKUPS)('2: what repeats a search of the $name is of that search', (lookup) => {
	it('whatever the order, the omissions and the index', () => {
		const kinds = fc.constantFrom<IndexKind>('text', 'number', 'opaque', 'absent', 'misleading');
		check(
			kinds.chain((index) => batchOf(lookup, { index })),
			(batch) => {
				expect(match(lookup, batch).unplaced).toEqual([]);
			},
		);
	});

	it('also tidied', () => {
		check(batchOf(lookup, { index: 'opaque', echo: 'tidied' }), (batch) => {
			expect(match(lookup, batch).unplaced).toEqual([]);
		});
	});

	it('and nothing is guessed where little is repeated', () => {
		check(batchOf(lookup, { echo: 'partial', index: 'opaque' }), (batch) => {
			match(lookup, batch);
		});
	});
});

it('2: a search with the domain and the name of a company is repeated by the domain alone', () => {
	const ada = { fullname: 'Ada Hart', company_domain: 'acme.com' };
	const results = [{ email: 'a@acme.com', qualification: 'valid', raw_params: ada }];
	const part = { origin: 'named' } as const;
	const body = { stats: { requested: 2 }, results };
	const search = { ...ada, company_name: 'Acme' };
	expect(given(emailFinder, [search], body, part)).toEqual(['a@acme.com']);
});

describe('2: so is what tells the whole name of exactly one of them', () => {
	const TWO = [
		{ fullname: 'Ada Hart', company_domain: 'acme.com' },
		{ fullname: 'Ada Smith', company_domain: 'beta.io' },
	];
	/** In another order, with the real domains of the companies, and an index that counts that order. */
	const told = (nameOf: (firstname: string, lastname: string) => IDataObject) => ({
		results: ['Smith', 'Hart'].map((lastname, index) => ({
			index: `${index}`,
			...{ email: `${lastname}@found.com`, qualification: 'valid' },
			...nameOf('Ada', lastname),
		})),
	});
	const RIGHT = ['Hart@found.com', 'Smith@found.com'];

	it('before any index', () => {
		const repeated = told((first, last) => ({
			raw_params: { fullname: `${first} ${last}`, company_domain: `${last}.org` },
		}));
		expect(given(emailFinder, TWO, repeated)).toEqual(RIGHT);
		const found = told((firstname, lastname) => ({
			info: { firstname, lastname, domain: 'found.org' },
		}));
		expect(given(emailFinder, TWO, found)).toEqual(RIGHT);
	});

	it('but not where two have it, or only a part of the batch is asked for', () => {
		const same = TWO.map((search) => ({ ...search, fullname: 'Ada Hart' }));
		const results = same.map(({ fullname }, n) => ({
			...{ email: `${n}@found.com`, qualification: 'valid' },
			raw_params: { fullname, company_domain: 'real.org' },
		}));
		expect(given(emailFinder, same, { results })).toEqual(['error', 'error']);
		const part = { count: 2, origin: 'recent' } as const;
		const other = { results: results.slice(1) };
		expect(given(emailFinder, TWO.slice(0, 1), other, part)).toEqual(['error']);
	});

	it('but not where another entry repeats that search', () => {
		const results = ['acme.com', 'real.org'].map((company_domain, n) => ({
			...{ email: `${n}@found.com`, qualification: 'valid' },
			raw_params: { fullname: 'Ada Hart', company_domain },
		}));
		expect(given(emailFinder, TWO, { results })).toEqual(['0@found.com', 'error']);
	});
});

describe.for(LOOKUPS)('3: else it is of the one at its index, from 0: $name', (lookup) => {
	it.for(['partial', 'absent'] as const)('echo: %s', (echo) => {
		check(batchOf(lookup, { echo }), (batch) => {
			expect(match(lookup, batch).unplaced).toEqual([]);
		});
	});
});

describe('3: else it is of the one at its index', () => {
	it('of a batch of which only some are asked for, at their places', () => {
		const results = numbers([{}, {}, {}], [0, 2, 4]);
		const part = { count: 5, origin: 'recent' } as const;
		expect(given(phoneFinder, PAGES.slice(0, 2), { results }, part, [2, 4])).toEqual(['+1', '+2']);
	});

	it.for<[string, unknown[], unknown[]]>([
		['it contradicts what is repeated', [{ linkedin_url: url('bob') }, {}, {}], [0, 1, 2]],
		['it is out of range', [{}, {}, {}], [1, 2, 3]],
		['there is none', [{}, {}, {}], []],
		['it is no whole number', [{}, {}, {}], [0.5, 'v-1', '1e0']],
	])('but not where %s', ([, params, indexes]) => {
		const results = numbers(params, indexes);
		const bob = params.some((repeated) => JSON.stringify(repeated).includes('bob'))
			? '+0'
			: 'error';
		expect(given(phoneFinder, PAGES, { results })).toEqual(['error', bob, 'error']);
	});
});

describe('4: but not where it repeats another name, profile or address', () => {
	it.for<[Lookup, Search[], IDataObject[], unknown[]]>([
		[phoneFinder, PAGES, numbers([{}, {}, { linkedin_url: url('zed') }]), ['+0', '+1', 'error']],
		[
			emailFinder,
			['Änne Weiß', 'Ada Hart'].map((fullname) => ({ fullname, company_domain: 'acme.com' })),
			['Aenne Weiss', 'Ada Smith'].map((fullname, n) => ({
				...{ index: `${n}`, email: `${n}@acme.com`, qualification: 'valid' },
				raw_params: { fullname, company_domain: 'beta.io' },
			})),
			['0@acme.com', 'error'],
		],
		[
			emailVerifier,
			['ada@acme.com', 'eve@acme.com'].map((email) => ({ email })),
			['ada@acme.com', 'other@a.com'].map((email, index) => {
				return { index, email, qualification: 'valid' };
			}),
			['ada@acme.com', 'error'],
		],
	])('$name', ([lookup, searches, results, expected]) => {
		expect(given(lookup, searches, { results })).toEqual(expected);
	});
});

describe('5: not by its index, where the answer is of another batch', () => {
	const results = numbers([{}, {}, {}]);
	const ALL = ['+0', '+1', '+2'];
	const NONE = ['error', 'error', 'error'];

	it.for<[string, IDataObject, unknown[], Partial<AcceptedOrder>?]>([
		['its own id', { general: { id: 'AN-ID' } }, ALL],
		['another id', { general: { id: 'other' } }, NONE],
		['the batch of an id that the user gave', {}, NONE, { origin: 'named' }],
	])('%s', ([, body, expected, more]) => {
		expect(given(phoneFinder, PAGES, { ...body, results }, more)).toEqual(expected);
	});

	it('and what repeats its search is of that all the same', () => {
		const repeated = numbers(PAGES.map(({ socialprofile_url: page }) => ({ linkedin_url: page })));
		const body = { general: { id: 'other' }, results: repeated };
		expect(given(phoneFinder, PAGES, body)).toEqual(ALL);
	});
});

describe('6: an entry given twice is one, and a place given to two others is nobody’s', () => {
	it.for(LOOKUPS)('$name', (lookup) => {
		const twice = batchOf(lookup, {}).map((batch) => ({
			...batch,
			listed: [...batch.listed, ...batch.listed.slice(0, 2)],
		}));
		check(twice, (batch) => {
			const { results, unplaced } = matchAll(lookup, batch);
			expect(results.filter(Boolean)).toHaveLength(new Set(batch.listed).size);
			expect(unplaced).toEqual([]);
		});
	});

	it('two answers at one place', () => {
		const results = numbers([{}, {}, {}], [0, 0, 1]);
		expect(given(phoneFinder, PAGES, { results })).toEqual(['error', '+2', 'error']);
	});

	it('two answers for one address are none', () => {
		const searches = ['ada@acme.com', 'eve@acme.com'].map((email) => ({ email }));
		const results = ['valid', 'invalid', 'valid'].map((qualification, n) => {
			return { email: searches[n > 1 ? 1 : 0]?.email, qualification };
		});
		expect(given(emailVerifier, searches, { results })).toEqual(['error', 'eve@acme.com']);
	});

	it('but of several numbers of one person the first is given', () => {
		const [{ socialprofile_url: page }] = PAGES;
		const results = numbers([{ linkedin_url: page }, { linkedin_url: page }], []);
		expect(given(phoneFinder, PAGES.slice(0, 1), { results })).toEqual(['+0']);
	});
});

describe('7: who is left out', () => {
	const [BOB] = numbers([{ linkedin_url: url('bob') }], []);
	const NOT_FOUND = ['not_found', '+0', 'not_found'];
	const UNSURE = ['error', '+0', 'error'];

	it.for<[string, IDataObject, unknown[], Partial<AcceptedOrder>?]>([
		['was not found, where a phone batch does not list him', { results: [BOB] }, NOT_FOUND],
		['also where it counts as many', { results: [BOB], stats: { found: 1 } }, NOT_FOUND],
		['but not where it counts more', { results: [BOB], stats: { found: 2 } }, UNSURE],
		['nor where the answer is of another', { general: { id: 'x' }, results: [BOB] }, UNSURE],
		['nor where a result is of nobody', { results: [BOB, strangerOf(phoneFinder, 9)] }, UNSURE],
		[
			'nor in a part of a batch that the user gave',
			{ results: [BOB] },
			UNSURE,
			{ origin: 'named' },
		],
		[
			'unless that batch was asked for just these',
			{ results: [BOB], stats: { requested: 3 } },
			NOT_FOUND,
			{ origin: 'named' },
		],
	])('%s', ([, body, expected, more]) => {
		expect(given(phoneFinder, PAGES, body, more)).toEqual(expected);
	});

	it.for<[string, IDataObject]>([
		['without counts', {}],
		['counted so', { stats: { requested: 3, found: 2 } }],
	])('was not found, though the others are listed twice: %s', ([, stats]) => {
		expect(given(phoneFinder, PAGES, { ...stats, results: [BOB, BOB] })).toEqual(NOT_FOUND);
		const other = { ...BOB, number: '+9' };
		expect(given(phoneFinder, PAGES, { ...stats, results: [BOB, other] })).toEqual(NOT_FOUND);
	});

	/** Of a batch of four, of which the first and the third are found. */
	it.for<[asked: number[], expected: unknown[]]>([
		[[1], ['not_found']],
		[
			[3, 2, 1],
			['not_found', '+2', 'not_found'],
		],
		[
			[1, 0],
			['not_found', '+0'],
		],
	])('was not found in a part of a batch that an earlier run has sent: %j', ([asked, expected]) => {
		const all = ['ada', 'bob', 'eve', 'zoe'].map((name) => ({ socialprofile_url: url(name) }));
		const repeated = all.map(({ socialprofile_url: page }) => ({ linkedin_url: page }));
		const results = numbers(repeated, [0, 1, 2, 3]).filter((_, n) => n % 2 === 0);
		const part = { count: 4, origin: 'earlierTry' } as const;
		const searches = asked.map((n) => all[n] ?? {});
		expect(given(phoneFinder, searches, { results }, part, asked)).toEqual(expected);
	});

	it.for([emailFinder, emailVerifier])('is an error of the $name', (lookup) => {
		const searches = ['ada', 'bob'].map((word) => searchOf(lookup.name, word));
		const result = { ...lookup.toEcho(searches[1] ?? {}), qualification: 'invalid' };
		const [ada, bob] = given(lookup, searches, { results: [result] });
		expect(ada).toBe('error');
		expect(bob).not.toBe('error');
	});
});

describe.for(LOOKUPS)('8: what has no place is an error, never somebody’s: $name', (lookup) => {
	it('strangers among the results', () => {
		const withStrangers = fc
			.tuple(batchOf(lookup, {}), fc.integer({ min: 1, max: 5 }))
			.map(([batch, unmatched]) => ({ ...batch, unmatched }));
		check(withStrangers, (batch) => {
			fc.pre(batch.searches.length > 1);
			const { unplaced, placed } = match(lookup, batch);
			expect(placed).toHaveLength(batch.listed.length);
			expect(unplaced.every(({ truth }) => truth === -1)).toBe(true);
		});
	});

	it('any list at all', () => {
		fc.assert(
			fc.property(searchesOf(lookup), fc.array(fc.jsonValue()), (searches, listed) => {
				const results = listed as IDataObject[];
				expect(given(lookup, searches, { results })).toHaveLength(searches.length);
			}),
		);
	});
});

describe('what a phone batch that counts or lists oddly says of nobody', () => {
	const SMITHS: Search[] = [
		{ firstname: 'John', lastname: 'Smith', company_name: 'Alpha' },
		{ firstname: 'John', lastname: 'Smith', company_domain: 'beta.io' },
		{ firstname: 'Ann', lastname: 'Low', company_name: 'Gamma' },
	];
	const found = (index: number, params = {}) => {
		return { index, number: `+${index}`, country: 'FR', qualification: 'found', params };
	};

	it('one that was asked for fewer than were sent: no index counts, and nobody is not found', () => {
		const body = { stats: { requested: 2, found: 2 }, results: [found(0), found(1)] };
		expect(given(phoneFinder, SMITHS, body)).toEqual(['error', 'error', 'error']);
	});

	it('an entry that repeats another whole search, in a part of the batch', () => {
		const results = [found(0, SMITHS[1])];
		const part = { count: 2, origin: 'recent' } as const;
		expect(given(phoneFinder, SMITHS.slice(0, 1), { results }, part)).not.toContain('+0');
	});

	/** The second of three, in a later run. */
	it.for<[string, Search, IDataObject, unknown]>([
		[
			'some of what was asked for',
			{ company_domain: 'acme.com', company_name: 'Acme' },
			{ company_domain: 'acme.com' },
			'+1',
		],
		['more', { company_name: 'Acme' }, { company_name: 'Acme', company_domain: 'acme.com' }, '+1'],
		['a name in other words', { company_name: 'Acme, Inc.' }, { company_name: 'Acme Inc' }, '+1'],
		['another company', { company_domain: 'acme.com' }, { company_domain: 'beta.io' }, 'error'],
	])('in a part of the batch, an entry that repeats %s', ([, company, repeated, expected]) => {
		const bob = { firstname: 'Bob', lastname: 'Low' };
		const results = [found(0), found(1, { ...bob, ...repeated })];
		const body = { stats: { requested: 3, found: 2 }, results };
		const part = { count: 3, origin: 'recent' } as const;
		const told = given(phoneFinder, [{ ...bob, ...company }], body, part, [1]);
		expect(told).toEqual([expected]);
	});

	it('one that lists who is not found, and leaves out who it counts as found', () => {
		const nobody = { index: 1, qualification: 'not_found', params: SMITHS[1] };
		const body = { stats: { requested: 2, found: 1 }, results: [nobody] };
		expect(given(phoneFinder, SMITHS.slice(0, 2), body)[0]).toBe('error');
	});
});
