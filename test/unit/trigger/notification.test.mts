import { describe, expect, it } from 'vitest';
import { lookupEvents } from '../../../nodes/ContactData/lookups/index.ts';
import { readNotified } from '../../../nodes/ContactData/service/notifiedIds.ts';
import { orderByLikelihood, readMark } from '../../../nodes/ContactData/trigger/notification.ts';

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
		{ body: { results: [{ fullname: 'Ada' }, { number: 'x' }] }, first: 'emailFinderBulk' },
	])('$body: first $first', ({ body, first }) => {
		const order = orderByLikelihood(readNotified(body).words, lookupEvents).map(({ name }) => name);
		expect(order[0]).toBe(first);
		expect([...order].sort()).toEqual(lookupEvents.map(({ name }) => name).sort());
	});
});
