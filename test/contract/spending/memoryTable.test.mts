import type { IDataObject } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { passTime, skipTime, startClock } from '../../support/clock.mts';
import type { RunNodeOptions } from '../../support/n8nCore/execute.mts';
import { people } from '../../support/people.mts';
import { mayHaveBeenCharged } from '../../support/texts.mts';
import { FIND } from './money.mts';
import { found, hintOf, World } from '../../support/n8nCore/processes.mts';

// What was paid is known in every process of n8n, and after its end, where the credential says so. On a real
// n8n: `e2e/memory`.

const DAY_MS = 86_400_000;
const UNCAPPED: Partial<RunNodeOptions> = { parameters: { ...FIND, options: {} } };

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

/** Batches of five, by what differs in their custom data. */
const inBatches = (count: number): [IDataObject[], Partial<RunNodeOptions>] => [
	people(count).map((person, n) => ({ ...person, of: Math.floor(n / 5) })),
	{ parameters: { ...FIND, options: { custom: '={{ ({ of: $json.of }) }}' } } },
];

describe.for(['submitAndWait', 'submitBulkAndWait'])('%s', (operation) => {
	it('is paid once by two processes, and by one that was started since', async () => {
		const world = new World();
		const [one, other] = [await world.process(), await world.process()];
		await one.run(operation, people(3));
		const second = await other.run(operation, people(5));
		expect(found(second.rows)).toEqual(Array(5).fill(true));
		expect(hintOf(second)).toContain('3 read from searches of the last 7 days');
		const third = await (await world.process()).run(operation, people(5));
		expect(found(third.rows)).toEqual(Array(5).fill(true));
		expect(world.ledger.totals().searches).toBe(5);
		expect(world.ledger.chargedTwice()).toEqual([]);
	});

	it('is paid by each of them where the credential does not say so', async () => {
		const world = new World({});
		await (await world.process()).run(operation, people(2));
		await (await world.process()).run(operation, people(2));
		expect(world.ledger.totals().searches).toBe(4);
		expect(world.tables.calls).toEqual([]);
	});

	it('is known for so many days', async () => {
		const world = new World({ memory: 'dataTable', memoryDays: 3 });
		const process = await world.process();
		await process.run(operation, people(1));
		skipTime(3 * DAY_MS - 60_000);
		await (await world.process()).run(operation, people(1));
		expect(world.posts).toHaveLength(1);
		skipTime(120_000);
		await (await world.process()).run(operation, people(1));
		expect(world.posts).toHaveLength(2);
	});

	it('keeps nothing in clear, no result and no key', async () => {
		const world = new World();
		await (await world.process()).run(operation, people(2));
		const text = JSON.stringify(world.tables.rowsOf('contact_data_searches'));
		const { apiKey } = world.service.credentials.contactDataApi;
		for (const word of ['Ada', 'acme', '@', apiKey]) expect(text).not.toContain(word);
	});

	it('goes on where n8n has no Data Table, and says so once', async () => {
		const world = new World();
		world.tables.before = async () =>
			await Promise.reject(new Error('The Data Table module is off'));
		const process = await world.process();
		const run = await process.run(operation, people(2));
		expect(found(run.rows)).toEqual([true, true]);
		expect(hintOf(run).split('The Data Table module is off')).toHaveLength(2);
		await process.run(operation, people(2));
		expect(world.ledger.totals().searches).toBe(2);
	});
});

it('of three batches, two accepted and the third on its way as n8n is killed: read, and told to be in doubt', async () => {
	const world = new World();
	const [items, more] = inBatches(15);
	let batches = 0;
	await (
		await world.process()
	).killedWhen(
		({ method }, leg) => method === 'POST' && leg === 'leaving' && ++batches === 3,
		5_000,
		'submitBulkAndWait',
		items,
		more,
	);
	const { rows } = await (await world.process()).run('submitBulkAndWait', items, more);
	expect(found(rows.slice(0, 10))).toEqual(Array(10).fill(true));
	for (const { error } of rows.slice(10)) expect(error).toMatch(mayHaveBeenCharged);
	expect(world.posts).toHaveLength(3);
	expect(world.ledger.chargedTwice()).toEqual([]);
});

it('of 200 singles, killed at the 77th: all are read but those of the last second', async () => {
	const world = new World({ memory: 'dataTable', requestsPerSecond: 10 });
	let answers = 0;
	await (
		await world.process()
	).killedWhen(
		({ method }, leg) => method === 'POST' && leg === 'answered' && ++answers === 77,
		0,
		'submitAndWait',
		people(200),
		UNCAPPED,
	);
	const { rows } = await (await world.process()).run('submitAndWait', people(200), UNCAPPED);
	expect(found(rows)).toEqual(Array(200).fill(true));
	expect(world.ledger.chargedTwice().length).toBeLessThanOrEqual(12);
});

it('a batch that was refused leaves no doubt behind', async () => {
	const world = new World();
	world.service.faults.add({ kind: 'status', status: 400, on: 'POST *' });
	await (await world.process()).run('submitBulkAndWait', people(3));
	const { rows } = await (await world.process()).run('submitBulkAndWait', people(3));
	expect(found(rows)).toEqual([true, true, true]);
});

it('and takes away no doubt of an earlier one', async () => {
	const world = new World();
	const process = await world.process();
	world.service.faults.add({ kind: 'reset', when: 'after', on: 'POST *', times: 1 });
	await process.run('submitBulkAndWait', people(3));
	world.service.faults.add({ kind: 'status', status: 400, on: 'POST *', times: 1 });
	await process.run('submitBulkAndWait', people(3), {
		parameters: { ...FIND, options: { searchAgain: true } },
	});
	const { rows } = await (await world.process()).run('submitBulkAndWait', people(3));
	expect(rows[0]?.error).toMatch(mayHaveBeenCharged);
	expect(world.ledger.chargedTwice()).toEqual([]);
});

it('a page that one run has read is known to another at once', async () => {
	const world = new World();
	await (await world.process()).run('submitAndWait', people(1));
	const rows = world.tables.rowsOf('contact_data_searches');
	const [row] = rows;
	// Two pages: all but the first row are of others.
	for (let n = 0; n < 1_200; n++) {
		const searches = String(n).padStart(12, 'x');
		rows.push({ ...row, id: 10_000 + n, searches, search_id: `other${n}` });
	}
	skipTime(60_000);
	const process = await world.process();
	let gets = 0;
	let isOnSecondPage = () => {};
	const secondPage = new Promise<void>((resolve) => (isOnSecondPage = resolve));
	let goOn = () => {};
	const gate = new Promise<void>((resolve) => (goOn = resolve));
	world.tables.before = async (operation) => {
		if (operation !== 'get' || ++gets !== 2) return;
		isOnSecondPage();
		await gate;
	};
	const slow = process.run('submitAndWait', people(1, 'another'));
	await passTime(secondPage, 60_000);
	await process.run('submitAndWait', people(1));
	goOn();
	await slow;
	expect(world.ledger.chargedTwice()).toEqual([]);
});

it('an ID of more than a day that cannot be read any more is forgotten by all', async () => {
	const world = new World();
	const one = await world.process();
	await one.run('submitAndWait', people(1));
	skipTime(2 * DAY_MS);
	world.service.service.expire();
	const other = await world.process();
	const [lost] = (await other.run('submitAndWait', people(1))).rows;
	expect(lost?.error).toContain('the next run searches, and pays, anew');
	expect(found((await one.run('submitAndWait', people(1))).rows)).toEqual([true]);
	expect(world.posts).toHaveLength(2);
});
