import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	readBulkState,
	readId,
	readSingleState,
} from '../../../nodes/ContactData/service/lookupState.ts';

describe('a single lookup', () => {
	it.for([
		{ status: 'ongoing' },
		{ message: 'ongoing' },
		{ anyName: ' Ongoing ' },
		'ongoing',
		'',
		null,
		undefined,
		{},
		[],
		{ qualification: 'valid' },
	])('with 202 is ongoing, whatever the body: %j', (body) => {
		expect(readSingleState(202, body)).toEqual({ kind: 'ongoing', body });
	});

	it.for([{ qualification: 'ongoing' }, { status: 'ongoing' }, { any: ' Ongoing ' }, 'ongoing'])(
		'with 200 is ongoing where the body says so: %j',
		(body) => {
			expect(readSingleState(200, body)).toMatchObject({ kind: 'ongoing' });
		},
	);

	it.for([
		{ qualification: 'valid', email: 'a@acme.com' },
		{ qualification: 'invalid', email: null },
		{ qualification: 'not_found', params: {} },
		{ qualification: 'catch_all' },
		{ qualification: 'found', custom: 'ongoing' },
	])('with 200 and a qualification is completed: %j', (body) => {
		expect(readSingleState(200, body)).toEqual({ kind: 'completed', body });
	});

	it.for([{}, [], null, undefined, '', '<html>', 7, { qualification: '' }, { qualification: 7 }])(
		'with 200 and %j is unreadable',
		(body) => {
			expect(readSingleState(200, body)).toEqual({ kind: 'unreadable' });
		},
	);
});

describe('a batch', () => {
	const stats = { finished: 3, requested: 7 };

	it.for([
		{ general: { id: 'x', status: 'ongoing' }, stats },
		{ general: { status: 'queued' }, stats, results: [] },
		{ status: 'ongoing', stats },
		{ stats },
		{ stats, results: [{ index: '0' }] },
		stats,
	])('is ongoing, with its progress: %j', (body) => {
		const state = readBulkState(200, body);
		expect(state).toEqual({ kind: 'ongoing', body, progress: stats });
	});

	it.for([
		{ status: 'ongoing' },
		{ message: 'ongoing' },
		{ message: 'Still running' },
		{ status: 'ongoing', results: [] },
		{ state: 'running' },
		{ general: {} },
		{ stats: {} },
		{ status: 'ongoing', finished: 3 },
		{ status: 'ongoing', requested: 3 },
		{ results: [] },
		'ongoing',
	])('is ongoing, without progress: %j', (body) => {
		const state = readBulkState(200, body);
		expect(state).toStrictEqual({ kind: 'ongoing', body, progress: undefined });
	});

	it.for(['ongoing', {}, null, '<html>'])('with 202 is ongoing: %j', (body) => {
		expect(readBulkState(202, body)).toMatchObject({ kind: 'ongoing' });
	});

	it.for([
		{ general: { status: 'completed' }, results: [] },
		{ general: { status: 'Completed' }, stats, results: [{}] },
		...['complete', 'finished', 'done'].map((status) => ({ status, results: [{}] })),
		{ results: [{ index: '0' }] },
		{ stats: { finished: 1, requested: 1 }, results: [{}] },
	])('is completed: %j', (body) => {
		expect(readBulkState(200, body)).toEqual({ kind: 'completed', body });
	});

	it.for([undefined, null, {}])(
		'of which nothing was found is completed: results %j',
		(results) => {
			const body = { status: 'completed', stats: { found: 0 }, results };
			expect(readBulkState(200, body)).toEqual({
				kind: 'completed',
				body: { ...body, results: [] },
			});
		},
	);

	it('is completed with results as an object', () => {
		const body = { status: 'completed', results: { 2: { index: 2 }, 5: { index: 5 } } };
		expect(readBulkState(200, body)).toEqual({
			kind: 'completed',
			body: { ...body, results: [{ index: 2 }, { index: 5 }] },
		});
	});

	it.for([
		{ general: { status: 'failed' } },
		{ status: 'error' },
		{ state: 'CANCELLED' },
		{ state: 'canceled' },
	])('is failed: %j', (body) => {
		expect(readBulkState(200, body)).toEqual({ kind: 'failed', body });
	});

	it.for([
		{},
		[],
		null,
		undefined,
		'',
		'<html>',
		7,
		{ general: { status: 'completed' } },
		{ general: { status: 'completed' }, results: 'none' },
		{ general: { status: 'completed' }, results: null, stats: { found: 1 } },
		{ general: { status: 'completed' }, results: {}, stats: { requested: 1 } },
		{ general: { status: 'completed' }, results: { count: 7 } },
		{ message: '' },
	])('is unreadable: %j', (body) => {
		expect(readBulkState(200, body)).toEqual({ kind: 'unreadable' });
	});
});

it('any body is read without a fault, and none is completed without results', () => {
	fc.assert(
		fc.property(fc.jsonValue(), (body) => {
			readSingleState(200, body);
			const state = readBulkState(200, body);
			if (state.kind === 'completed') expect(state.body.results).toBeInstanceOf(Array);
		}),
	);
});

describe('an id', () => {
	it.for([
		[{ id: 'abc' }, 'abc'],
		[{ id: 4711 }, '4711'],
		[{ id: '' }, undefined],
		[{ id: null }, undefined],
		[{ id: {} }, undefined],
		[{}, undefined],
		['abc', undefined],
		[null, undefined],
		[[{ id: 'abc' }], undefined],
	])('in %j is %j', ([body, id]) => {
		expect(readId(body)).toBe(id);
	});
});
