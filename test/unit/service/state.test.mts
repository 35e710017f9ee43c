import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	readBulkState as readBulk,
	readEstimateMs,
	readId,
	readSingleState as readSingle,
} from '../../../nodes/ContactData/service/state.ts';

const readSingleState = (status: number, body: unknown) => readSingle(status, body, 'search x');
const readBulkState = (status: number, body: unknown) => readBulk(status, body, 'batch x');

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

	it.for([
		{ status: 'failed' },
		{ state: 'Cancelled' },
		{ message: 'failed' },
		{ general: { status: 'error' } },
		'failed',
	])('has failed where the body says so, with 200 or 202: %j', (body) => {
		expect(readSingleState(200, body)).toMatchObject({ kind: 'failed' });
		expect(readSingleState(202, body)).toMatchObject({ kind: 'failed' });
	});

	it('with a qualification is completed, whatever else is said', () => {
		const body = { qualification: 'valid', status: 'failed' };
		expect(readSingleState(200, body)).toEqual({ kind: 'completed', body });
	});

	it.for([{}, [], null, undefined, '<html>', 7, { qualification: '' }, { qualification: 7 }])(
		'with 200 and %j is unreadable',
		(body) => {
			expect(readSingleState(200, body)).toMatchObject({ kind: 'fault', fault: 'passing' });
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
		{ results: [{ index: '0' }] },
		{ results: [{ qualification: 'valid' }, { qualification: 'ongoing' }] },
		{ results: [{ qualification: 'Ongoing' }] },
		'ongoing',
	])('is ongoing, without progress: %j', (body) => {
		const state = readBulkState(200, body);
		expect(state).toStrictEqual({ kind: 'ongoing', body, progress: undefined });
	});

	it.for([
		{ finished: 1, requested: 1e308 },
		{ finished: 1, requested: 5_001 },
		{ finished: 8, requested: 7 },
		{ finished: -1, requested: 7 },
		{ finished: 0.5, requested: 7 },
	])('tells no progress that cannot be true: %j', (stats) => {
		const ongoing = { status: 'ongoing', stats };
		expect(readBulkState(200, ongoing)).toStrictEqual({
			kind: 'ongoing',
			body: ongoing,
			progress: undefined,
		});
		const completed = { status: 'completed', stats, results: [{ index: '0' }] };
		expect(readBulkState(200, completed)).toEqual({ kind: 'completed', body: completed });
	});

	it.for(['ongoing', {}, null, '<html>'])('with 202 is ongoing: %j', (body) => {
		expect(readBulkState(202, body)).toMatchObject({ kind: 'ongoing' });
	});

	it.for([
		{ general: { status: 'completed' }, results: [] },
		{ general: { status: 'Completed' }, stats, results: [{}] },
		...['complete', 'finished', 'done'].map((status) => ({ status, results: [{}] })),
		{ results: [{ qualification: 'valid', custom: 'ongoing' }] },
		// One that never ends does not withhold the others.
		{ general: { status: 'completed' }, results: [{ qualification: 'ongoing' }] },
		{ stats: { finished: 1, requested: 1 }, results: [{ qualification: 'invalid' }] },
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

	describe.for([undefined, 'success', 'ready', 'processed'])('whose status is %s', (status) => {
		const stats = { requested: 2, credits_cost: 1 };
		const entry = { qualification: 'valid' };
		it.for([
			{ stats: { ...stats, finished: 2 }, results: [entry, entry] },
			{ stats: { ...stats, credits_cost: { initial: 1 } }, results: [entry, entry] },
			{
				stats: { ...stats, found: 1, credits_to_refund: 1 },
				results: [{ qualification: 'found' }],
			},
			{ stats: { ...stats, found: 0 }, results: [entry, { qualification: 'invalid' }] },
		])('is completed where all results are listed: %j', (more) => {
			const body = { general: { status }, ...more };
			expect(readBulkState(200, body)).toEqual({ kind: 'completed', body });
		});

		it.for([
			{},
			{ stats, results: [] },
			{ stats, results: [entry] },
			{ stats: { requested: 3, valid: 1 }, results: [entry] },
			{ stats: { ...stats, found: 0 } },
			{ stats: { ...stats, found: 1 }, results: [entry] },
			{ stats: { ...stats, found: 2, credits_to_refund: 0 }, results: [entry] },
			{ stats: { ...stats, found: 0, credits_to_refund: 0 }, results: [] },
			{ stats: { ...stats, finished: 1 }, results: [entry, entry] },
			{ stats, results: [null, entry] },
			...['ongoing', 'pending', null, undefined].map((qualification) => ({
				stats,
				results: [{ qualification }, entry],
			})),
		])('is ongoing otherwise: %j', (more) => {
			const body = { general: { status }, ...more };
			expect(readBulkState(200, body)).toMatchObject({ kind: 'ongoing', body });
		});
	});

	it('with a word that is not documented is ongoing without a cost', () => {
		const results = [{ qualification: 'valid' }];
		expect(readBulkState(200, { status: 'success', results }).kind).toBe('ongoing');
		expect(readBulkState(200, { results }).kind).toBe('completed');
	});

	it('goes by its own word and not by that of the answer', () => {
		const stats = { requested: 1, credits_cost: 1 };
		const body = { status: 'success', stats, results: [{ qualification: 'valid' }] };
		const kinds = ['ongoing', 'completed', 'failed'].map(
			(state) => readBulkState(200, { ...body, state }).kind,
		);
		expect(kinds).toEqual(['ongoing', 'completed', 'failed']);
		const { kind } = readBulkState(200, {
			...body,
			general: { status: 'success' },
			state: 'received',
		});
		expect(kind).toBe('completed');
	});

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
		{ status: 'expired' },
		{ general: { status: 'aborted' } },
	])('is failed: %j', (body) => {
		expect(readBulkState(200, body)).toMatchObject({ kind: 'failed' });
	});

	it.for([{}, [], null, undefined, '<html>', 7, { message: '' }])('is unreadable: %j', (body) => {
		expect(readBulkState(200, body)).toMatchObject({ kind: 'fault', fault: 'passing' });
	});

	it.for([
		{},
		{ results: 'none' },
		{ results: null, stats: { found: 1 } },
		{ results: [], stats: { valid: 3 } },
		{ results: {}, stats: { requested: 1 } },
		{ results: { count: 7 } },
	])('is completed without its results: %j', (more) => {
		const body = { general: { status: 'completed' }, ...more };
		expect(readBulkState(200, body)).toMatchObject({ kind: 'fault', fault: 'refused' });
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

it.for([
	[2, 120_000],
	[0, 0],
	[0.5, 30_000],
	[1_440, 86_400_000],
	[1_441, undefined],
	[1e308, undefined],
	[-1, undefined],
	['2', 120_000],
	['two', undefined],
	[null, undefined],
	[undefined, undefined],
] as const)('an estimated duration of %j minutes is %j ms', ([minutes, ms]) => {
	expect(readEstimateMs({ estimated_duration: minutes })).toBe(ms);
});

describe('an id', () => {
	it.for([
		[{ id: 'abc' }, 'abc'],
		[{ id: 4711 }, '4711'],
		[{ id: 2 ** 53 }, undefined],
		[{ id: 'x'.repeat(501) }, undefined],
		[{ id: ' a b ü ' }, ' a b ü '],
		[{ id: ' ' }, undefined],
		[{ id: 'a\nb' }, undefined],
		[{ id: '\ud800' }, undefined],
		[{ id: '<a href=x>' }, undefined],
		[{ id: 1.5 }, undefined],
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
