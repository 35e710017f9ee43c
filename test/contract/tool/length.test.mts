import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import type { LookupName } from '../../../nodes/ContactData/lookups/index.ts';
import { useFastClock } from '../../support/clock.mts';
import { GENEROUS, jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { WRONG_EMAIL } from '../../support/people.mts';
import { entryOf, listParameters, LOOKUP_NAMES } from '../../support/searches.mts';
import { idsCharged } from '../spending/money.mts';
import type { FaultRule } from '../../support/sandbox/faults.mts';

// A model reads all of an answer, and reads it again with each of its next steps.

const bench = useBench();
useFastClock();

const MAX_LENGTH = 20_000;
const COUNT = 500;
const name = (n: number) => `${n % 5 === 0 ? 'notfound' : 'mustfind'}${n}`;

function range<T>(make: (n: number) => T): T[] {
	return Array.from({ length: COUNT }, (_, n) => make(n));
}

const listFor = (resource: LookupName) => range((n) => entryOf(resource, name(n)));

async function findMany(
	resource: LookupName,
	more: INodeParameters = {},
	options: INodeParameters = GENEROUS,
) {
	const run = await bench().run(resource, 'submitBulkAndWait', {
		parameters: { ...listParameters(resource, JSON.stringify(listFor(resource))), ...more },
		options,
		tool: 'requested',
	});
	return jsonOf(run);
}

const lengthOf = (answer: IDataObject[]) => JSON.stringify(answer).length;

const SPLITS = LOOKUP_NAMES.map((resource, n) => ({ resource, splitResults: n % 2 === 0 }));

it.for(SPLITS)(
	'$resource of 500 is shortened, and says so (Split Results: $splitResults)',
	async (given) => {
		const { resource, splitResults } = given;
		const answer = await findMany(resource, { splitResults });
		expect(lengthOf(answer)).toBeLessThanOrEqual(MAX_LENGTH);
		expect(lengthOf(answer)).toBeGreaterThan(MAX_LENGTH * 0.9);
		const [sum = {}, ...shown] = answer;
		expect(sum).toMatchObject({
			results: expect.any(Number) as number,
			found: COUNT * 0.8,
			shown: shown.length,
			credits_spent: bench().sandbox.ledger.totals().charged,
			note: expect.stringMatching(/Get Bulk Results.* Do not search for it again/) as string,
		});
		expect(idsCharged(bench())).toEqual(expect.arrayContaining(sum.ids_not_shown as string[]));
		// None is cut, and those found come first.
		expect(new Set(shown.map((result) => Object.keys(result).length)).size).toBe(1);
		expect(shown[0]).toMatchObject({ found: true });
	},
);

it.for([
	['submitAndWait', 'Search ID each of their IDs', 'Get Result,'],
	['submitBulkAndWait', 'Batch ID', 'Get Bulk Results,'],
] as const)('many that still run come with what to do next: %s', async (given) => {
	const [operation, next, reading] = given;
	bench().sandbox.configure({ single: 3_600_000, bulk: 3_600_000 });
	const run = await bench().run('emailVerifier', operation, {
		parameters: { email: '={{ $json.email }}' },
		items: range((n) => ({ email: `${name(n)}@${'long'.repeat(12)}.example` })).slice(0, 150),
		options: { ...GENEROUS, timeout: 1 },
		tool: 'requested',
	});
	const [sum = {}, ...shown] = jsonOf(run);
	const ids = idsCharged(bench());
	expect(shown.length).toBeGreaterThan(0);
	expect(sum).toMatchObject({
		next_step: expect.stringContaining(ids.length > 1 ? next : `${next} ${ids[0]}`) as string,
		note: expect.stringContaining(`with ${reading}`) as string,
	});
	expect(sum.ids_not_shown).toHaveLength(Math.min(ids.length, 150 - shown.length));
});

describe('the note of a shortened answer', () => {
	/** By the same execution a list is searched, and again with somebody new in it. */
	async function findWithOneMore(fault?: FaultRule) {
		const verifications = listFor('emailVerifier');
		const find = async (list: unknown[], contextData = {}) =>
			await bench().run('emailVerifier', 'submitBulkAndWait', {
				parameters: listParameters('emailVerifier', JSON.stringify(list)),
				options: GENEROUS,
				tool: 'requested',
				contextData,
			});
		const { contextData } = await find(verifications);
		if (fault !== undefined) bench().sandbox.faults.add(fault);
		const run = await find([...verifications, 'mustfind.more@acme.example'], contextData);
		return jsonOf(run)[0] ?? {};
	}

	it('does not say of what was never started that it can be read', async () => {
		const body = { message: 'Insufficient credits' };
		const sum = await findWithOneMore({ kind: 'status', status: 402, body, on: 'POST *' });
		const first_error: unknown = expect.stringContaining(body.message);
		expect(sum).toMatchObject({ results: COUNT + 1, failed: 1, first_error });
	});

	it('says nothing of reading where nothing was started', async () => {
		const run = await bench().run('emailVerifier', 'submitBulkAndWait', {
			items: range((n) => ({ email: `${n}.${WRONG_EMAIL}` })),
			parameters: { email: '={{ $json.email }}' },
			tool: 'requested',
		});
		const [sum] = jsonOf(run);
		expect(sum).toMatchObject({ failed: COUNT });
		expect(sum?.note).not.toContain('Get ');
	});

	it('comes with how many searches may have been charged', async () => {
		const sum = await findWithOneMore({ kind: 'reset', when: 'after', on: 'POST *' });
		expect(sum).toMatchObject({ shown: expect.any(Number) as number, searches_maybe_charged: 1 });
	});
});

it('a result that is too long is not shown in part: its ID is told', async () => {
	const change = (body: object) => ({ ...body, more: 'x'.repeat(100_000) });
	bench().sandbox.faults.add({ kind: 'changed', change, on: 'GET /email/*', times: Infinity });
	const run = await bench().run('emailVerifier', 'submitAndWait', {
		parameters: { email: 'mustfind@acme.com', simplify: false },
		tool: 'requested',
	});
	expect(lengthOf(jsonOf(run))).toBeLessThan(1_000);
	expect(jsonOf(run)).toMatchObject([
		{ results: 1, found: 1, shown: 0, ids_not_shown: idsCharged(bench()), credits_spent: 0.25 },
	]);
});
