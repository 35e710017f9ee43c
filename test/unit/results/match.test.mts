import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import type { Lookup, Search } from '../../../nodes/ContactData/lookups/types.ts';
import { matchResults } from '../../../nodes/ContactData/results/match.ts';
import { searchKey } from '../../../nodes/ContactData/spending/plan.ts';

/** How a service may number its results. */
type IndexKind = 'text' | 'number' | 'opaque' | 'absent' | 'misleading';
/** How it may repeat what was searched. */
type EchoKind = 'asSent' | 'tidied' | 'partial';

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

const SEARCHES: Record<string, fc.Arbitrary<Search>> = {
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
			.map((names) => ({ socialprofile_url: `https://social.example/in/${names.join('-')}` })),
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
	fc.uniqueArray(SEARCHES[lookup.name] ?? fc.constant({}), {
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

const TIDIES: Record<string, (text: string) => string> = {
	name: (text) => text.toLowerCase(),
	company: (text) => ` ${text.toUpperCase()} `,
	domain: (text) => `https://www.${text}/`,
	email: (text) => text.toUpperCase(),
	url: (text) => text.toLowerCase(),
};

/** The search as the service repeats it. */
function echoOf(lookup: Lookup, search: Search, kind: EchoKind): Search {
	if (kind === 'asSent') return search;
	const [first] = Object.keys(search);
	return withoutBlanks(
		Object.fromEntries(
			lookup.fields.map((field) => {
				const text = search[field.name];
				if (kind === 'partial') return [field.name, field.name === first ? text : undefined];
				return [field.name, text === undefined ? text : TIDIES[field.kind]?.(text)];
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
	const texts: Record<string, string> = {
		name: 'Zed Stranger',
		company: 'Strangers Ltd',
		domain: 'stranger.example',
		email: `zed${number}@stranger.example`,
		url: `https://social.example/in/stranger${number}`,
	};
	const search = Object.fromEntries(
		lookup.fields.map(({ name, kind }) => [name, texts[kind] ?? '']),
	);
	return { truth: -1, index: String(number), ...lookup.toEcho(search) };
}

/** Matches the batch, and asserts that no result is at another's place. */
function match(lookup: Lookup, batch: Batch) {
	const results = batch.listed.map((truth, place) => toResult(lookup, batch, truth, place));
	const unmatched = Array.from({ length: batch.unmatched }, (_, number) =>
		strangerOf(lookup, number),
	);
	const matching = matchResults(lookup, batch.searches, [...unmatched, ...results]);
	matching.results.forEach((result, position) => {
		if (result !== undefined) expect(result.truth).toBe(position);
	});
	const placed = matching.results.filter((result) => result !== undefined);
	expect(placed.length + matching.unmatched.length).toBe(results.length + unmatched.length);
	return { placed, unmatched: matching.unmatched };
}

/** Whether two of the searches differ in letter case only. */
function collide(lookup: Lookup, searches: Search[]): boolean {
	const keys = searches.map((search) => searchKey(lookup, search).toLowerCase());
	return new Set(keys).size < keys.length;
}

describe.for(Object.values(lookups))('$name', (lookup) => {
	const check = (batches: fc.Arbitrary<Batch>, property: (batch: Batch) => void) =>
		fc.assert(fc.property(batches, property), { numRuns: 300 });

	it('places everything by position, whatever the order, the omissions and the first index', () => {
		check(batchOf(lookup, {}), (batch) => {
			expect(match(lookup, batch).unmatched).toEqual([]);
		});
	});

	it('places everything by position where the service tidies what it repeats', () => {
		check(batchOf(lookup, { echo: 'tidied' }), (batch) => {
			// Of "Ada" and "ADA", both repeated as "ada", one alone could be either.
			fc.pre(batch.listed.length === batch.searches.length || !collide(lookup, batch.searches));
			expect(match(lookup, batch).unmatched).toEqual([]);
		});
	});

	it.for(['opaque', 'absent'] as const)(
		'places everything by what is repeated: index %s',
		(index) => {
			check(batchOf(lookup, { index }), (batch) => {
				expect(match(lookup, batch).unmatched).toEqual([]);
			});
		},
	);

	it.for(['opaque', 'absent'] as const)(
		'places by what is repeated and tidied, where that is clear: index %s',
		(index) => {
			check(batchOf(lookup, { index, echo: 'tidied' }), (batch) => {
				fc.pre(!collide(lookup, batch.searches));
				expect(match(lookup, batch).unmatched).toEqual([]);
			});
		},
	);

	it('does not believe an index that contradicts what is repeated', () => {
		check(batchOf(lookup, { index: 'misleading' }), (batch) => {
			fc.pre(!collide(lookup, batch.searches));
			expect(match(lookup, batch).unmatched).toEqual([]);
		});
	});

	it('never guesses where little is repeated', () => {
		const partial = fc.oneof(
			batchOf(lookup, { echo: 'partial' }),
			batchOf(lookup, { echo: 'partial', index: 'opaque' }),
		);
		check(partial, (batch) => {
			match(lookup, batch);
		});
	});

	it('reports results that are nobody’s', () => {
		const withStrangers = fc
			.tuple(batchOf(lookup, {}), fc.integer({ min: 1, max: 5 }))
			.map(([batch, unmatched]) => ({ ...batch, unmatched }));
		check(withStrangers, (batch) => {
			// So many unmatched that no numbering is agreed on: the echo decides.
			fc.pre(!collide(lookup, batch.searches));
			const { unmatched, placed } = match(lookup, batch);
			expect(placed).toHaveLength(batch.listed.length);
			expect(unmatched.every(({ truth }) => truth === -1)).toBe(true);
		});
	});

	it('takes a result that is listed twice once', () => {
		const twice = batchOf(lookup, {}).map((batch) => ({
			...batch,
			listed: [...batch.listed, ...batch.listed.slice(0, 2)],
		}));
		check(twice, (batch) => {
			const { placed } = match(lookup, batch);
			expect(placed).toHaveLength(new Set(batch.listed).size);
		});
	});

	it('bears any list at all', () => {
		fc.assert(
			fc.property(searchesOf(lookup), fc.array(fc.jsonValue()), (searches, listed) => {
				const { results } = matchResults(lookup, searches, listed);
				expect(results).toHaveLength(searches.length);
			}),
		);
	});
});

describe('index and echo at odds', () => {
	const searches = ['ada@acme.com', 'eve@acme.com', 'zoe@acme.com'].map((email) => ({ email }));
	const verifier = lookups.emailVerifier;

	it('an address that nobody sent is no result of the item at its index', () => {
		const listed = searches.map((search, index) => ({ ...search, index }));
		const changed = listed.map((result) =>
			result.index === 1 ? { ...result, email: 'other@acme.com' } : result,
		);
		const { results, unmatched } = matchResults(verifier, searches, changed);
		expect(results.map((result) => result?.index)).toEqual([0, undefined, 2]);
		expect(unmatched).toEqual([{ email: 'other@acme.com', index: 1 }]);
	});

	it.for(['v-7', '7th', ' 7', '1e3', '1.5', 1.5, '', null, true, [7]])(
		'%j is no index: the others alone agree on what the first is',
		(opaque) => {
			const company = { company_domain: 'acme.com' };
			const asked = ['ADA Byron', 'Ada Byron', 'Eve Byron', 'Zoe Byron', 'Mia Byron'];
			const told = ['ada byron', 'ada byron', 'Eve Byron', 'Zoe Byron', 'Mia Byron'];
			const indexes = [opaque, '11', 12, opaque, opaque];
			const { results } = matchResults(
				lookups.emailFinder,
				asked.map((fullname) => ({ fullname, ...company })),
				told.map((fullname, n) => ({ index: indexes[n], raw_params: { fullname, ...company } })),
			);
			expect(results.map((result) => result?.index)).toEqual(indexes);
		},
	);

	it.for([
		[{ fullname: 'ADA Lovelace' }, true],
		[{ company_domain: 'acme.com', company_name: 'Acme' }, true],
		[{ fullname: 'A. Lovelace' }, false],
		[{ company_name: 'Acme' }, false],
	])('of %j, the fields that were sent decide on the index: %j', ([echo, isBelieved]) => {
		const asked = ['Eve Byron', 'Ada Lovelace', 'Zoe Byron'].map((fullname) => ({
			fullname,
			company_domain: 'acme.com',
		}));
		const listed = asked.map((search, index) => ({
			index,
			raw_params: index === 1 ? echo : search,
		}));
		const { results } = matchResults(lookups.emailFinder, asked, listed);
		expect(results.map((result) => result?.index)).toEqual([0, isBelieved ? 1 : undefined, 2]);
	});

	it('an international domain is repeated in the form that the wire knows', () => {
		const [wire, read] = ['xn--mller-kva.de', 'müller.de'];
		const emails = matchResults(
			verifier,
			[{ email: `ada@${read}` }, { email: `eve@${wire}` }],
			[{ email: `eve@${read}` }, { email: `ada@${wire}` }],
		);
		expect(emails.results).toEqual([{ email: `ada@${wire}` }, { email: `eve@${read}` }]);
		const search = { fullname: 'Ada Byron', company_domain: read };
		const result = { index: 0, raw_params: { ...search, company_domain: wire } };
		expect(matchResults(lookups.emailFinder, [search], [result]).results).toEqual([result]);
	});

	it('an index without any echo is not believed', () => {
		const { results, unmatched } = matchResults(verifier, searches, [{ index: 0 }, { index: 1 }]);
		expect(results).toEqual([undefined, undefined, undefined]);
		expect(unmatched).toHaveLength(2);
	});
});
