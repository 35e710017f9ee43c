import type { IExecuteFunctions } from 'n8n-workflow';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type {
	MemoryRow,
	MemoryTable,
	PastRow,
} from '../../../nodes/ContactData/run/memoryTable.ts';
import { skipTime, startClock } from '../../support/clock.mts';
import { PlayedDataTables } from '../../support/n8nCore/dataTables.mts';

// A real n8n is asked in e2e; here each process has modules of its own.

const NAME = 'contact_data_searches';
const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;

let n8n: PlayedDataTables;
beforeEach(() => {
	startClock();
	n8n = new PlayedDataTables();
});
afterEach(() => {
	vi.resetModules();
	vi.useRealTimers();
});

/** A process of n8n: what opens the memory of a run in it. */
async function startProcess() {
	vi.resetModules();
	const { MemoryTable } = await import('../../../nodes/ContactData/run/memoryTable.ts');
	return (account = 'a', days = 7) => {
		const { executeWorkflow } = n8n;
		const context = { executeWorkflow, getWorkflow: () => ({ id: 'workflow' }) };
		return new MemoryTable(context as unknown as IExecuteFunctions, account.repeat(64), days);
	};
}

function rowOf(id: string, more: Partial<MemoryRow> = {}): MemoryRow {
	const searches = id.padStart(12, 'x');
	const usual = {
		kind: '/email/find/single',
		event: 'accepted',
		credits: 1,
		execution: '7',
	} as const;
	return { ...usual, search_id: id, searches, ...more };
}
async function read(table: MemoryTable): Promise<PastRow[]> {
	const rows: PastRow[] = [];
	await table.readNew((row) => rows.push(row));
	return rows;
}
const idsOf = (rows: MemoryRow[]) => rows.map(({ search_id: id }) => id);

it('what one process writes, another reads once, and the process itself not at all', async () => {
	const [open, openOther] = [await startProcess(), await startProcess()];
	const rows = [
		rowOf('one'),
		rowOf('batch', { kind: '/email/find/bulk', searches: 'abcdefghijklmnopqrstuvwx' }),
		rowOf('', { event: 'unknown', searches: 'yyyyyyyyyyyy' }),
		rowOf('one', { event: 'refunded', searches: '' }),
	];
	await open().append(rows);
	await open('b').append([rowOf('of another account')]);
	const at = Math.floor(Date.now() / 1000);
	expect(await read(openOther())).toEqual(rows.map((row) => ({ ...row, at })));
	expect(await read(openOther())).toEqual([]);
	expect(await read(open())).toEqual([]);
});

it('singles that are written together take one row', async () => {
	const [open, openOther] = [await startProcess(), await startProcess()];
	const rows = ['1', '2', '3'].map((id) => rowOf(id));
	await open().append(rows);
	expect(n8n.rowsOf(NAME)).toHaveLength(1);
	expect(await read(openOther())).toMatchObject(rows);
});

it('reads thousands in their order', async () => {
	const [open, openOther] = [await startProcess(), await startProcess()];
	const rows = Array.from({ length: 2_000 }, (_, n) => rowOf(`${n}`, { execution: `${n}` }));
	await open().append(rows);
	expect(idsOf(await read(openOther()))).toEqual(idsOf(rows));
});

it('reads a row that turns up behind a later one', async () => {
	const [open, openOther] = [await startProcess(), await startProcess()];
	await open().append([rowOf('early')]);
	const [early] = n8n.rowsOf(NAME).splice(0);
	await open().append([rowOf('late')]);
	expect(idsOf(await read(openOther()))).toEqual(['late']);
	if (early !== undefined) n8n.rowsOf(NAME).push(early);
	expect(idsOf(await read(openOther()))).toEqual(['early']);
});

it('reads no row again that is ten seconds older than the newest', async () => {
	const [open, openOther] = [await startProcess(), await startProcess()];
	for (const id of ['first', 'second', 'third']) {
		await open().append([rowOf(id)]);
		skipTime(11 * SECOND);
	}
	await read(openOther());
	const before = n8n.rowsRead;
	await read(openOther());
	expect(n8n.rowsRead - before).toBe(1);
});

it('a table that was deleted is made again', async () => {
	const open = await startProcess();
	await open().append([rowOf('lost with the table')]);
	n8n.tables.clear();
	const table = open();
	await table.append([rowOf('kept')]);
	expect(table.problem).toBeUndefined();
	const openOther = await startProcess();
	expect(idsOf(await read(openOther()))).toEqual(['kept']);
});

it('takes no table with a longer name for its own', async () => {
	n8n.tables.set('other', { name: `${NAME} (Ada)`, rows: [] });
	const table = (await startProcess())();
	await table.append([rowOf('one')]);
	expect(n8n.rowsOf(NAME)).toHaveLength(1);
});

it('leaves out rows that are not its own', async () => {
	const [open, openOther] = [await startProcess(), await startProcess()];
	await open().append([rowOf('one')]);
	const [own] = n8n.rowsOf(NAME);
	for (const odd of [
		{ event: 'noted' },
		{ search_id: null },
		{ searches: 7 },
		{ event: undefined },
	]) {
		if (own) n8n.rowsOf(NAME).push({ ...own, id: own.id + 1, ...odd });
	}
	expect(idsOf(await read(openOther()))).toEqual(['one']);
});

it('reads, and keeps, no older rows than the credential says', async () => {
	const open = await startProcess();
	await open().append([rowOf('old')]);
	await open('b').append([rowOf('of another account')]);
	skipTime(7 * DAY);
	await open().append([rowOf('new')]);
	skipTime(SECOND);
	const openOther = await startProcess();
	expect(idsOf(await read(openOther()))).toEqual(['new']);
	await openOther().prune();
	expect(n8n.rowsOf(NAME).map((row) => row.search_id)).toEqual(['of another account', 'new']);
});

it('deletes once an hour', async () => {
	const open = await startProcess();
	const deletions = () => n8n.calls.filter((operation) => operation === 'deleteRows').length;
	for (const [afterMs, count] of [
		[0, 1],
		[HOUR - 1, 1],
		[1, 2],
	] as const) {
		skipTime(afterMs);
		await open().prune();
		expect(deletions()).toBe(count);
	}
});

it('says what n8n says, and tries again at the next call', async () => {
	const table = (await startProcess())();
	n8n.before = async () => await Promise.reject(new Error('storage is full'));
	expect(await read(table)).toEqual([]);
	await table.append([rowOf('one')]);
	expect(table.problem).toContain('(storage is full)');
	n8n.before = async () => await Promise.resolve();
	await table.append([rowOf('two')]);
	expect(n8n.rowsOf(NAME)).toMatchObject([{ search_id: 'two' }]);
});

it('a run reads seven seconds of a long table, and writes its own rows; the next one reads on', async () => {
	const [open, openOther] = [await startProcess(), await startProcess()];
	const rows = Array.from({ length: 4_000 }, (_, n) => rowOf(`${n}`, { execution: `${n}` }));
	for (let written = 0; written < rows.length; written += 500) {
		await open().append(rows.slice(written, written + 500));
		skipTime(11 * SECOND);
	}
	n8n.before = async (operation) =>
		await Promise.resolve(operation === 'get' ? skipTime(3 * SECOND) : undefined);
	const table = openOther();
	const first = await read(table);
	expect(idsOf(first)).toEqual(idsOf(rows.slice(0, 3_000)));
	expect(table.problem).toMatch(
		/^was not read to its end within 7 s: this run may have paid for searches/,
	);
	await table.append([rowOf('own')]);
	expect(n8n.rowsOf(NAME).at(-1)).toMatchObject({ search_id: 'own' });
	expect(idsOf([...first, ...(await read(openOther()))])).toEqual(idsOf(rows));
});

it('a run waits ten seconds for a table that hangs, and no longer; the next run reads all', async () => {
	const [open, openOther] = [await startProcess(), await startProcess()];
	await open().append([rowOf('one')]);
	const timeouts = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		const controller = new AbortController();
		setTimeout(() => controller.abort(), ms);
		return controller.signal;
	});
	let goOn = () => {};
	n8n.before = async () => await new Promise((resolve) => (goOn = resolve));
	const table = openOther();
	const reading = read(table);
	await vi.advanceTimersByTimeAsync(9_999);
	expect(table.problem).toBeUndefined();
	await vi.advanceTimersByTimeAsync(1);
	expect(await reading).toEqual([]);
	expect(table.problem).toContain('(no answer within 10 s)');
	const asked = n8n.calls.length;
	await table.append([rowOf('two')]);
	expect(n8n.calls).toHaveLength(asked);
	n8n.before = async () => await Promise.resolve();
	goOn();
	expect(idsOf(await read(openOther()))).toEqual(['one']);
	timeouts.mockRestore();
});
