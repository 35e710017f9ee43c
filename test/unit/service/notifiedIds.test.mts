import { describe, expect, it, vi } from 'vitest';
import { readNotified } from '../../../nodes/ContactData/service/notifiedIds.ts';

describe('ids in a notification', () => {
	it.for<{ body: unknown; ids: string[] }>([
		{ body: { id: 'a' }, ids: ['a'] },
		{ body: { id: 7 }, ids: ['7'] },
		{ body: '{"id":"a"}', ids: ['a'] },
		{ body: { payload: ' [{"id":"a"}]' }, ids: ['a'] },
		// The lookup's own name for it goes first, then what the notification wraps, then a bare id.
		{ body: { id: 'b', search_id: 'a' }, ids: ['a', 'b'] },
		{ body: { id: 'b', data: { id: 'a' } }, ids: ['a', 'b'] },
		{ body: { user_id: 'c', id: 'b', data: [{ id: 'a' }] }, ids: ['a', 'b', 'c'] },
		{ body: { user: { id: 'b' }, id: 'a' }, ids: ['a', 'b'] },
		{ body: [{ id: 'a' }, { id: 'b' }, { id: 'a' }], ids: ['a', 'b'] },
		{ body: { batchId: 'a', requestId: 'b' }, ids: ['a', 'b'] },
		// Not an id, though it ends like one.
		{ body: { valid: 3, paid: 1, invalid: 2, grid: 'x' }, ids: [] },
		// What the user sent along, what was asked, and what was found.
		{ body: { custom: { id: 'x' }, customData: { id: 'x' }, customer_id: 'x' }, ids: [] },
		{ body: { params: { id: 'x' }, raw_params: { id: 'x' }, info: { id: 'x' } }, ids: [] },
		{ body: { results: [{ id: 'x' }], companyInfo: { id: 'x' } }, ids: [] },
		// What no id can be.
		{ body: { id: '' }, ids: [] },
		{ body: { id: 'a b' }, ids: [] },
		{ body: { id: 'é' }, ids: [] },
		{ body: { id: '\ud800' }, ids: [] },
		{ body: { id: 'a\u0000' }, ids: [] },
		{ body: { id: 'x'.repeat(201) }, ids: [] },
		{ body: { id: 1.5 }, ids: [] },
		{ body: { id: 1e21 }, ids: [] },
		{ body: { id: true }, ids: [] },
		{ body: { id: null }, ids: [] },
		{ body: '{"id":', ids: [] },
		{ body: undefined, ids: [] },
	])('$body → $ids', ({ body, ids }) => {
		expect(readNotified(body).ids).toEqual(ids);
	});

	it('gives the body before the query, and six at most', () => {
		expect(readNotified({ id: 'a' }, { id: 'b' }).ids).toEqual(['a', 'b']);
		const many = [...Array(100).keys()].map((n) => ({ id: `id${n}` }));
		expect(readNotified(many).ids).toEqual(['id0', 'id1', 'id2', 'id3', 'id4', 'id5']);
	});

	it('takes a field named __proto__ for what it is', () => {
		const body: unknown = JSON.parse('{"__proto__":{"id":"a"},"constructor":{"id":"b"}}');
		expect(readNotified(body).ids).toEqual(['a', 'b']);
		expect({}).not.toHaveProperty('id');
	});
});

describe('words of a notification', () => {
	it.for<{ body: unknown; words: string }>([
		{ body: 'Bulk done', words: 'bulk done' },
		{ body: { Event: 'Done', data: { number: 1 } }, words: 'event done data number' },
		{ body: { text: '{"type":"phone"}' }, words: 'text type phone' },
		{ body: [{ a: 'x' }, { b: 'y' }], words: 'a x' },
		{ body: { custom: { phone: 'x' }, customer: 'y' }, words: 'custom customer' },
		{ body: { text: 'x'.repeat(60) }, words: `text ${'x'.repeat(50)}` },
		{ body: { ['x'.repeat(51)]: 'y' }, words: '' },
		{ body: null, words: '' },
	])('$body → $words', ({ body, words }) => {
		expect(readNotified(body).words).toBe(words);
	});

	it('are not those of the query', () => {
		expect(readNotified({}, { list: 'phone' })).toEqual({ ids: [], words: '' });
	});
});

// n8n takes bodies of up to 16 MB, and n8n has parsed them before: what we do ourselves is bounded.
describe('the work for a large body', () => {
	const MAX_STEPS = 2_000;
	const MAX_JSON_TEXT_LENGTH = 100_000;
	/** The whole body once more, at the place where this stands in it. */
	const AGAIN = {};

	/** A body that goes on for ever, and how many of its values were looked at. */
	function endless(whole: object) {
		let steps = 0;
		const watch = (value: object): object =>
			new Proxy(value, {
				get: (target, key, receiver) => {
					const inner: unknown = Reflect.get(target, key, receiver);
					if (key === 'length' || !Object.hasOwn(target, key)) return inner;
					steps++;
					if (inner === AGAIN) return watch(whole);
					return typeof inner === 'object' && inner !== null ? watch(inner) : inner;
				},
				getOwnPropertyDescriptor: (target, key) => {
					steps++;
					return Reflect.getOwnPropertyDescriptor(target, key);
				},
			});
		return { body: watch(whole), steps: () => steps };
	}

	const many = <T,>(count: number, of: (n: number) => T): T[] =>
		Array.from({ length: count }, (_, n) => of(n));
	const fields = (count: number, name: (n: number) => string, value: unknown = AGAIN) =>
		Object.fromEntries(many(count, (n) => [name(n), value]));

	it.for<[name: string, body: object]>([
		['a list of ids', many(200_000, (n) => ({ id: `id${n}` }))],
		['lists in lists', many(100, () => AGAIN)],
		['fields that are ids', fields(200_000, (n) => `a${n}_id`, 'id')],
		['fields in fields', fields(30, (n) => `k${n}`)],
		['fields in lists', many(30, () => fields(30, (n) => `k${n}`))],
		['what was found', { results: many(30, () => fields(30, (n) => `k${n}`)) }],
		['long names', fields(10_000, (n) => `${n}`.padEnd(60, 'x'))],
	])('looks at a few values: %s', ([, whole]) => {
		const { body, steps } = endless(whole);
		const { ids, words } = readNotified(body);
		expect(ids.length).toBeLessThanOrEqual(6);
		expect(words.length).toBeLessThanOrEqual(MAX_STEPS * 51);
		// Each field is looked at twice: whether it is one, and what is in it.
		expect(steps()).toBeLessThanOrEqual(2 * MAX_STEPS + 2);
	});

	it('parses a little of the JSON in its texts', () => {
		const parse = vi.spyOn(JSON, 'parse');
		const texts = [['['], ['{'], [' {'], ['         [']].flatMap(([begin = '']) =>
			many(50, (n) => `${begin}"${n}${'x'.repeat(20_000)}`),
		);
		readNotified(Object.fromEntries(texts.map((text, n) => [`k${n}`, text])));
		const parsed = parse.mock.calls.map(([text]) => text.length);
		parse.mockRestore();
		expect(parsed.length).toBeGreaterThan(0);
		expect(parsed.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(
			MAX_JSON_TEXT_LENGTH,
		);
	});
});
