import { describe, expect, it } from 'vitest';
import { notificationIn } from '../../../nodes/ContactData/service/notification.ts';

describe('ids in a notification', () => {
	it.for<{ body: unknown; ids: string[] }>([
		{ body: { id: 'a' }, ids: ['a'] },
		{ body: { id: 7 }, ids: ['7'] },
		// What is named `id` goes first, outer before inner ones; what is one level below counts, too.
		{ body: { search_id: 'b', id: 'a' }, ids: ['a', 'b'] },
		{ body: { data: { batch_id: 'b' }, search_id: 'a' }, ids: ['a', 'b'] },
		{ body: { user: { id: 'b' }, id: 'a' }, ids: ['a', 'b'] },
		{ body: { general: { id: 'a' } }, ids: ['a'] },
		{ body: { a: { b: { id: 'x' } } }, ids: [] },
		{ body: [{ id: 'x' }], ids: [] },
		{ body: { batchId: 'x', uuid: 'x', ID: 'x', user_id: 'x' }, ids: [] },
		// JSON in a text is the user's.
		{ body: '{"id":"x"}', ids: [] },
		{ body: { payload: '{"id":"x"}' }, ids: [] },
		// What the user sent along, what was asked, and what was found.
		{ body: { custom: { id: 'x' }, result: { id: 'x' } }, ids: [] },
		{ body: { params: { id: 'x' }, raw_params: { id: 'x' }, info: { id: 'x' } }, ids: [] },
		// What can be an id is one rule for all: `contract/answers/ids`.
		{ body: { id: 'a b ü', batch_id: '<b>', search_id: 2 ** 53 }, ids: ['a b ü'] },
		{ body: undefined, ids: [] },
	])('$body → $ids', ({ body, ids }) => {
		expect(notificationIn(body).ids).toEqual(ids);
	});

	it('gives those of the first place that has any, and two at most', () => {
		expect(notificationIn({ id: 'a' }, { id: 'b' }).ids).toEqual(['a']);
		expect(notificationIn({ valid: 3 }, undefined, { id: 'c' }).ids).toEqual(['c']);
		const many = Object.fromEntries([...Array(100).keys()].map((n) => [`n${n}`, { id: `id${n}` }]));
		expect(notificationIn(many).ids).toEqual(['id0', 'id1']);
	});

	it('takes a field named __proto__ for what it is', () => {
		const body: unknown = JSON.parse('{"__proto__":{"id":"a"},"constructor":{"id":"b"}}');
		expect(notificationIn(body).ids).toEqual(['a', 'b']);
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
		{ body: { event: 'bulk_search_finished', data: { id: 'a' } }, event: 'emailFinderBulk' },
		{ body: { event: 'finished', id: 'a' }, event: undefined },
		{ body: { custom: { event: 'bulk_search_finished' }, id: 'a' }, event: undefined },
		{ body: { event: '__proto__', id: 'a' }, event: undefined },
	])('$body → $event', ({ body, event }) => {
		expect(notificationIn(body).event?.name).toBe(event);
	});
});

it('of a body that goes on for ever a few values are looked at', () => {
	let steps = 0;
	const endless = (whole: object): object =>
		new Proxy(whole, {
			get: (target, key, receiver) => {
				const inner: unknown = Reflect.get(target, key, receiver);
				if (key !== 'length' && Object.hasOwn(target, key)) steps++;
				return inner === AGAIN ? endless(whole) : inner;
			},
		});
	const AGAIN = {};
	const bodies = [
		Array<object>(100).fill(AGAIN),
		Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`k${n}`, AGAIN])),
		Array.from({ length: 200_000 }, (_, n) => ({ id: `id${n}` })),
	];
	for (const body of bodies) {
		steps = 0;
		expect(notificationIn(endless(body)).ids.length).toBeLessThanOrEqual(2);
		expect(steps).toBeLessThanOrEqual(5_000);
	}
});
