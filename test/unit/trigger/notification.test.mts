import { describe, expect, it } from 'vitest';
import { lookupEvents } from '../../../nodes/ContactData/lookups/events.ts';
import { findIds } from '../../../nodes/ContactData/service/notifiedIds.ts';
import { orderByLikelihood, readMark } from '../../../nodes/ContactData/trigger/notification.ts';

describe('findIds', () => {
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
		expect(findIds(body)).toEqual(ids);
	});

	it('gives the body before the query, and six at most', () => {
		expect(findIds({ id: 'a' }, { id: 'b' })).toEqual(['a', 'b']);
		const many = [...Array(100).keys()].map((n) => ({ id: `id${n}` }));
		expect(findIds(many)).toEqual(['id0', 'id1', 'id2', 'id3', 'id4', 'id5']);
	});

	it('takes a field named __proto__ for what it is', () => {
		expect(findIds(JSON.parse('{"__proto__":{"id":"a"},"constructor":{"id":"b"}}'))).toEqual([
			'a',
			'b',
		]);
		expect({}).not.toHaveProperty('id');
	});
});

describe('readMark', () => {
	it('knows our own marks only', () => {
		expect(readMark({ event: 'phoneFinderBulk' }, lookupEvents)?.name).toBe('phoneFinderBulk');
		for (const query of [{ event: 'x' }, { event: ['phoneFinderBulk'] }, {}, null, undefined]) {
			expect(readMark(query, lookupEvents)).toBeUndefined();
		}
	});
});

describe('orderByLikelihood', () => {
	it.for<{ body: unknown; first: string }>([
		{ body: { event: 'email_finder.bulk.completed' }, first: 'emailFinderBulk' },
		{ body: { event: 'emailVerifierSingle' }, first: 'emailVerifierSingle' },
		{ body: { event: 'phoneFinderBulk.completed' }, first: 'phoneFinderBulk' },
		{ body: { verification_id: 'a' }, first: 'emailVerifierSingle' },
		{ body: { number: '+33', country: 'FR' }, first: 'phoneFinderSingle' },
		{ body: { data: { general: {}, results: [{ raw_params: {} }] } }, first: 'emailFinderBulk' },
		{ body: { general: {}, results: [{ number: '+33' }] }, first: 'phoneFinderBulk' },
		{ body: '{"type":"phone"}', first: 'phoneFinderSingle' },
		// The user's own words are none of the service's.
		{ body: { custom: { list: 'phone bulk' }, fullname: 'Ada' }, first: 'emailFinderSingle' },
	])('$body: first $first', ({ body, first }) => {
		const order = orderByLikelihood(body, lookupEvents).map(({ name }) => name);
		expect(order[0]).toBe(first);
		expect([...order].sort()).toEqual(lookupEvents.map(({ name }) => name).sort());
	});
});
