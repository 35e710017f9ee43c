import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import {
	bulkStateIn as readBulk,
	estimateMsIn,
	singleStateIn as readSingle,
} from '../../../nodes/ContactData/service/state.ts';

const { emailFinder, phoneFinder } = lookups;
const singleStateIn = (status: number, body: unknown, lookup = emailFinder) =>
	readSingle(status, body, { lookup, id: 'x' });
const bulkStateIn = (status: number, body: unknown, lookup = emailFinder) =>
	readBulk(status, body, { lookup, id: 'x' });

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
		expect(singleStateIn(202, body)).toMatchObject({ kind: 'ongoing', body });
	});

	it.for([
		{ qualification: 'ongoing' },
		{ status: 'ongoing' },
		{ any: ' Ongoing ' },
		'ongoing',
		'',
		{ qualification: 'pending' },
		{ status: 'pending', qualification: 'invalid' },
		{ message: 'The search is still being processed' },
		{ success: false, reason: 'Search not found' },
		'Search not found',
		{ status: 'analyzing' },
	])('with 200 is ongoing where the body says so, or a word that nobody knows: %j', (body) => {
		for (const read of [singleStateIn, bulkStateIn]) {
			expect(read(200, body)).toMatchObject({ kind: 'ongoing' });
		}
	});

	it.for([
		{ qualification: 'valid', email: 'a@acme.com' },
		{ qualification: 'invalid', email: null },
		{ qualification: 'not_found', params: {} },
		{ qualification: 'valid', email: null },
		{ qualification: 'INVALID', custom: 'ongoing', status: 'success' },
		{ qualification: 'invalid', status: 'invalid' },
	])('with 200 and a qualification is completed: %j', (body) => {
		expect(singleStateIn(200, body)).toEqual({ kind: 'completed', body });
	});

	it.for([
		{ status: 'failed' },
		{ status: 'failed', qualification: 'invalid' },
		{ general: { status: 'Failed' } },
	])('has failed where the body says so, with 200 or 202: %j', (body) => {
		expect(singleStateIn(200, body)).toMatchObject({ kind: 'failed' });
		expect(singleStateIn(202, body)).toMatchObject({ kind: 'failed' });
	});

	it('that has found something is completed, though it says that it has failed', () => {
		const body = { qualification: 'valid', email: 'a@acme.com', status: 'failed' };
		expect(singleStateIn(200, body)).toEqual({ kind: 'completed', body });
	});

	it.for([{}, [], null, undefined, '<html>', 7, { qualification: '' }, { qualification: 7 }])(
		'with 200 and %j is unreadable',
		(body) => {
			expect(singleStateIn(200, body)).toMatchObject({ kind: 'fault', fault: 'passing' });
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
	])('is ongoing, with its progress: %j', (body) => {
		const state = bulkStateIn(200, body);
		expect(state).toMatchObject({ kind: 'ongoing', body, progress: stats });
	});

	it.for([
		{ status: 'ongoing' },
		{ message: 'ongoing' },
		{ message: 'Still running' },
		{ status: 'ongoing', results: [] },
		{ general: {} },
		{ stats: {} },
		{ results: [] },
		{ results: [{ index: '0' }] },
		{ results: [{ qualification: 'valid' }, { qualification: 'ongoing' }] },
		{ results: [{ qualification: 'Ongoing' }] },
		'ongoing',
	])('is ongoing, without progress: %j', (body) => {
		expect(bulkStateIn(200, body)).toMatchObject({ kind: 'ongoing', body, progress: {} });
	});

	it.for(['ongoing', {}, null, '<html>'])('with 202 is ongoing: %j', (body) => {
		expect(bulkStateIn(202, body)).toMatchObject({ kind: 'ongoing' });
	});

	it.for([
		{ general: { status: 'completed' }, results: [] },
		{ general: { status: 'Completed' }, stats, results: [{}] },
		// One that never ends does not withhold the others.
		{ general: { status: 'completed' }, results: [{ qualification: 'ongoing' }] },
		{ stats: { finished: 1, requested: 1 }, results: [{ qualification: 'invalid' }] },
		{ general: { status: 'completed' }, status: 'success', results: [] },
	])('is completed: %j', (body) => {
		expect(bulkStateIn(200, body)).toEqual({ kind: 'completed', body });
	});

	it.for([undefined, null, {}])(
		'of which nothing was found is completed: results %j',
		(results) => {
			const body = { status: 'completed', stats: { found: 0 }, results };
			expect(bulkStateIn(200, body)).toEqual({
				kind: 'completed',
				body: { ...body, results: [] },
			});
		},
	);

	describe.for([undefined, 'success', 'ok'])('whose status is %s', (status) => {
		const stats = { requested: 2, credits_cost: 1 };
		const entry = { qualification: 'valid', email: 'a@acme.com' };
		const body = (more: object) => ({ general: { status }, ...more });

		it.for([
			{ stats: { ...stats, finished: 2 }, results: [entry, { ...entry }] },
			{ stats: { ...stats, found: 0 }, results: [entry, { qualification: 'invalid' }] },
			{ stats: { requested: 1 }, results: [{ ...entry, custom: 'ongoing' }] },
		])('is completed where it counts its requests and lists them all: %j', (more) => {
			expect(bulkStateIn(200, body(more))).toEqual({ kind: 'completed', body: body(more) });
		});

		it.for([
			{},
			{ stats, results: [] },
			{ stats, results: [entry] },
			{ stats: { valid: 1 }, results: [entry] },
			{ results: [entry] },
			{ stats: { ...stats, found: 0 } },
			{ stats: { ...stats, found: 1 }, results: [entry] },
			{ stats: { ...stats, finished: 1 }, results: [entry, { ...entry }] },
			{ stats, results: [null, entry] },
			...['ongoing', 'pending', 'risky', null, undefined].map((qualification) => ({
				stats,
				results: [{ qualification, email: null }, entry],
			})),
		])('is ongoing otherwise: %j', (more) => {
			expect(bulkStateIn(200, body(more))).toMatchObject({ kind: 'ongoing', body: body(more) });
		});

		it('is ongoing where it leaves out some, whatever it counts', () => {
			const found = { qualification: 'found', number: '+1' };
			for (const more of [{ found: 1, credits_to_refund: 1 }, { found: 1 }]) {
				const phones = body({ stats: { ...stats, ...more }, results: [found] });
				expect(bulkStateIn(200, phones, phoneFinder).kind).toBe('ongoing');
			}
		});
	});

	describe('with a word that does not end it', () => {
		const results = [{ qualification: 'invalid' }, { qualification: 'valid' }];
		const stats = { requested: 2, finished: 2, credits_cost: 2 };
		it.for(['processing', 'In Progress', 'finished', 'cancelled', 'analyzing'])(
			'is ongoing, whatever stands beside it, and tells it: %s',
			(status) => {
				const done = { general: { status: 'completed' }, status };
				for (const body of [{ general: { status } }, { status }, done]) {
					const state = bulkStateIn(200, { ...body, stats, results });
					expect(state).toMatchObject({ kind: 'ongoing', lastAnswer: status });
				}
			},
		);

		it('tells what the service says to it', () => {
			const body = { general: { status: 'rejected', message: 'No credits left' }, stats };
			expect(bulkStateIn(200, body)).toMatchObject({ lastAnswer: 'rejected: No credits left' });
			const ongoing = { general: { status: 'ongoing' }, message: 'Hold on' };
			expect(bulkStateIn(200, ongoing)).toMatchObject({ lastAnswer: 'Hold on' });
			expect(singleStateIn(200, { qualification: 'pending' })).toMatchObject({
				lastAnswer: 'pending',
			});
			expect(singleStateIn(202, { qualification: 'ongoing' })).toMatchObject({
				lastAnswer: undefined,
			});
		});
	});

	it('is failed', () => {
		expect(bulkStateIn(200, { general: { status: 'failed' } })).toMatchObject({ kind: 'failed' });
	});

	it.for([{}, [], null, undefined, '<html>', 7, { message: '' }])('is unreadable: %j', (body) => {
		expect(bulkStateIn(200, body)).toMatchObject({ kind: 'fault', fault: 'passing' });
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
		expect(bulkStateIn(200, body)).toMatchObject({ kind: 'fault', fault: 'refused' });
	});
});

it('any body is read without a fault, and none is completed without results', () => {
	fc.assert(
		fc.property(fc.jsonValue(), (body) => {
			singleStateIn(200, body);
			const state = bulkStateIn(200, body);
			if (state.kind === 'completed') expect(state.body.results).toBeInstanceOf(Array);
		}),
	);
});

it.for([
	[0.5, 30_000],
	['2', 120_000],
	['two', undefined],
	[null, undefined],
	[undefined, undefined],
] as const)('an estimated duration of %j minutes is %j ms', ([minutes, ms]) => {
	expect(estimateMsIn({ estimated_duration: minutes })).toBe(ms);
});
