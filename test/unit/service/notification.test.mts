import { describe, expect, it, vi } from 'vitest';
import { readNotification } from '../../../nodes/ContactData/service/notification.ts';

describe('ids in a notification', () => {
	it.for<{ body: unknown; ids: string[] }>([
		{ body: { id: 'a' }, ids: ['a'] },
		{ body: { id: 7 }, ids: ['7'] },
		{ body: '{"id":"a"}', ids: ['a'] },
		{ body: { payload: ' [{"id":"a"}]' }, ids: ['a'] },
		// The id of a lookup by its name, or of what an envelope holds, goes first; then outer before inner ones.
		{ body: { id: 'b', search_id: 'a' }, ids: ['a', 'b'] },
		{ body: { id: 'b', data: { batchId: 'a' } }, ids: ['a', 'b'] },
		{ body: { id: 'b', data: { id: 'a' } }, ids: ['a', 'b'] },
		{ body: { user: { id: 'b' }, id: 'a' }, ids: ['a', 'b'] },
		{ body: { user: { id: 'b' }, reference: 'a' }, ids: ['a', 'b'] },
		{ body: { user_id: 'b', id: 'c', data: [{ id: 'a' }] }, ids: ['a', 'b', 'c'] },
		{ body: [{ id: 'a' }, { id: 'b' }, { id: 'a' }], ids: ['a', 'b'] },
		{ body: { batchId: 'a', requestId: 'b' }, ids: ['a', 'b'] },
		{ body: { search: 'a' }, ids: ['a'] },
		{ body: { identifier: 'a', key: 'b', uuid: 'c', ID: 'd' }, ids: ['a', 'b', 'c', 'd'] },
		{ body: { search: { id: 'a' } }, ids: ['a'] },
		{ body: { reference: 'Spring list', key: '' }, ids: [] },
		// Three deep, whether in objects or in lists.
		{ body: { a: { b: { c: { id: 'a' } } } }, ids: ['a'] },
		{ body: [[{ a: { id: 'a' } }]], ids: ['a'] },
		{ body: { a: { b: [{ c: { id: 'x' } }] } }, ids: [] },
		// JSON in a text inside is the user's.
		{ body: { data: { payload: '{"id":"x"}' } }, ids: [] },
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
		expect(readNotification(body).ids).toEqual(ids);
	});

	it('gives those of the first place that has any, and six at most', () => {
		expect(readNotification({ id: 'a' }, '{"id":"b"}', { id: 'c' }).ids).toEqual(['a']);
		expect(readNotification({ valid: 3 }, '{"id":"b"}', { id: 'c' }).ids).toEqual(['b']);
		expect(readNotification({ valid: 3 }, undefined, { id: 'c' }).ids).toEqual(['c']);
		const many = [...Array(100).keys()].map((n) => ({ id: `id${n}` }));
		expect(readNotification(many).ids).toEqual(['id0', 'id1', 'id2', 'id3', 'id4', 'id5']);
	});

	it('takes a field named __proto__ for what it is', () => {
		const body: unknown = JSON.parse('{"__proto__":{"id":"a"},"constructor":{"id":"b"}}');
		expect(readNotification(body).ids).toEqual(['a', 'b']);
		expect({}).not.toHaveProperty('id');
	});
});

describe('the event of a notification', () => {
	it.for<{ body: unknown; event: string | undefined }>([
		{ body: { event: 'single_search_finished', id: 'a' }, event: 'emailFinderSingle' },
		{ body: { event: 'bulk_search_finished', id: 'a' }, event: 'emailFinderBulk' },
		{ body: { event: 'verification_finished', id: 'a' }, event: 'emailVerifierSingle' },
		{ body: { event: 'bulk_verification_finished', id: 'a' }, event: 'emailVerifierBulk' },
		{ body: { event: 'single_phone_search_finished', id: 'a' }, event: 'phoneFinderSingle' },
		{ body: { event: 'bulk_phone_search_finished', id: 'a' }, event: 'phoneFinderBulk' },
		{ body: '{"event":"bulk_search_finished","data":{"id":"a"}}', event: 'emailFinderBulk' },
		{ body: { event: 'finished', id: 'a' }, event: undefined },
		{ body: { custom: { event: 'bulk_search_finished' }, id: 'a' }, event: undefined },
		{ body: { event: ['bulk_search_finished'], id: 'a' }, event: 'emailFinderBulk' },
		{ body: { event: '__proto__', id: 'a' }, event: undefined },
	])('$body → $event', ({ body, event }) => {
		expect(readNotification(body).event?.name).toBe(event);
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
		const { ids } = readNotification(body);
		expect(ids.length).toBeLessThanOrEqual(6);
		// Each field is looked at twice: whether it is one, and what is in it.
		expect(steps()).toBeLessThanOrEqual(2 * MAX_STEPS + 2);
	});

	it('parses a little of the JSON in its texts', () => {
		const parse = vi.spyOn(JSON, 'parse');
		const texts = [['['], ['{'], [' {'], ['         [']].flatMap(([begin = '']) =>
			many(50, (n) => `${begin}"${n}${'x'.repeat(20_000)}`),
		);
		readNotification(Object.fromEntries(texts.map((text, n) => [`k${n}`, text])));
		const parsed = parse.mock.calls.map(([text]) => text.length);
		parse.mockRestore();
		expect(parsed.length).toBeGreaterThan(0);
		expect(parsed.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(
			MAX_JSON_TEXT_LENGTH,
		);
	});
});
