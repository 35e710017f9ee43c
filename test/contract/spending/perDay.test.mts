import type { IDataObject } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { skipTime, startClock } from '../../support/clock.mts';
import type { RunNodeOptions } from '../../support/n8nCore/execute.mts';
import { people } from '../../support/people.mts';
import { FIND } from './money.mts';
import { found, hintOf, World } from '../../support/n8nCore/processes.mts';

// 'Max Credits per Day' of the credential: what all executions with a key may spend within 24 hours.

const DAY_MS = 86_400_000;
const PRICES = { emailFinderSingle: 1, emailFinderBulk: 1 };
const STOP: Partial<RunNodeOptions> = { settings: {} };
const IS_REACHED =
	/^'Max Credits per Day' of 20 is reached: 20 credits were spent in the last 24 hours/;

const limited = (maxCreditsPerDay: number, memory = 'process') =>
	new World({ memory, limitPerDay: true, maxCreditsPerDay }, { prices: PRICES });

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

it('of 30 executions of one item each, 20 find, and each of the others says when there is more', async () => {
	const world = limited(20);
	const process = await world.process();
	const rows: IDataObject[] = [];
	for (const person of people(30)) {
		const run = await process.run('submitAndWait', [person]);
		rows.push(...run.rows);
	}
	const isFound = Array.from({ length: 30 }, (_, n) => (n < 20 ? true : null));
	expect(found(rows)).toEqual(isFound);
	expect(rows[20]?.error).toMatch(IS_REACHED);
	expect(rows[20]?.error).toContain('free again in 24 hours');
	expect(world.ledger.totals().charged).toBe(20);
	skipTime(DAY_MS + 60_000);
	expect(found((await process.run('submitAndWait', people(1, 'late'))).rows)).toEqual([true]);
});

it('counts executions that run at the same moment, and Start operations, too', async () => {
	const world = limited(20);
	const process = await world.process();
	await process.run('submit', people(1));
	await Promise.all(
		[1, 2, 3].map(async (n) => await process.run('submitAndWait', people(10, `${n} of`))),
	);
	expect(world.ledger.totals().charged).toBe(20);
});

it('what is read is free of charge, and never refused', async () => {
	const process = await limited(3).process();
	await process.run('submitAndWait', people(3));
	expect(found((await process.run('submitAndWait', people(3))).rows)).toEqual([true, true, true]);
});

describe('Find Many of 100 with 60 left', () => {
	const left60 = async () => {
		const world = limited(100);
		const process = await world.process();
		await process.run('submitBulkAndWait', people(40, 'before'));
		return { world, process };
	};

	it('is refused as a whole under Stop', async () => {
		const { world, process } = await left60();
		const { error } = await process.run('submitBulkAndWait', people(100), STOP);
		expect(String(error)).toContain(
			"'Max Credits per Day' of 100 is reached: 40 credits were spent in the last 24 hours, and the other 100 email searches would cost 100",
		);
		expect(world.ledger.totals().charged).toBe(40);
	});

	it('finds 60 under Continue', async () => {
		const { world, process } = await left60();
		const { rows } = await process.run('submitBulkAndWait', people(100));
		expect(rows.filter((row) => row.found === true)).toHaveLength(60);
		expect(world.ledger.totals().charged).toBe(100);
	});

	it('is told by a dry run', async () => {
		const { process } = await left60();
		const parameters = { ...FIND, options: { dryRun: true } };
		const run = await process.run('submitBulkAndWait', people(10), { parameters });
		expect(hintOf(run)).toContain("Of 'Max Credits per Day' of 100, 60 are left.");
	});
});

it('a tool is told what is left, and refused as a run is', async () => {
	const process = await limited(1).process();
	const call = { tool: 'invoked' } as const;
	const [first] = (await process.run('submitAndWait', people(1), call)).rows;
	expect(first).toMatchObject({ found: true, credits_left_today: 0 });
	const [second] = (await process.run('submitAndWait', people(1, 'other'), call)).rows;
	expect(second?.error).toContain("'Max Credits per Day' of 1 is reached");
});

it('credits that came back can be spent again', async () => {
	const world = limited(20);
	const process = await world.process();
	const nobody = people(10).map((person, n) => ({ ...person, fullname: `notfound number${n}` }));
	await process.run('submitBulkAndWait', nobody);
	await process.run('submitBulkAndWait', people(20));
	const { charged, refunded } = world.ledger.totals();
	expect([charged - refunded, refunded]).toEqual([20, 10]);
});

it('counts over processes with a Data Table, and over each alone without', async () => {
	for (const [memory, charged] of [
		['dataTable', 20],
		['process', 40],
	] as const) {
		const world = limited(20, memory);
		for (const mark of ['one', 'other']) {
			await (await world.process()).run('submitBulkAndWait', people(30, mark));
		}
		expect(world.ledger.totals().charged).toBe(charged);
	}
});

it('0 lets nothing be spent, and a number that is none is an error before anything is sent', async () => {
	for (const maxCreditsPerDay of [0, '', ' ', 'many']) {
		const world = limited(maxCreditsPerDay as number);
		const { rows } = await (await world.process()).run('submitAndWait', people(1));
		expect(rows[0]?.error).toContain("'Max Credits per Day' of");
		expect(world.posts).toEqual([]);
	}
});
