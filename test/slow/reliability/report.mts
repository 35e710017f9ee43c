import Table from 'cli-table3';

import { ensureN8n, versionsOf } from '../../support/n8n/install.mts';
import { showAll } from '../../support/results/markdown.mts';
import { type Measured, TRIED } from '../../support/results/result.mts';
import { stamp, writeResult } from '../../support/results/write.mts';
import { type Cell, type Finding, TITLES } from './cells.mts';
import { isFull, isFullSoak } from './form.mts';

/** Columns stand in the order of the life cycle. */
const COLUMNS = [
	...['submit', 'wait by poll', 'wait by suspend', 'trigger'],
	...['before submitting', 'while submitting', 'waiting by poll', 'parked'],
	'while a trigger call is followed up',
];

/** A table of cells: one row for each fault, one column for each way. */
interface Matrix {
	readonly head: readonly string[];
	readonly rows: readonly string[][];
}

/** Prints what came of each fault and of the soaks; in the full form writes it as results. */
export async function report(findings: readonly Finding[]): Promise<void> {
	const n8n = await versionsOf(await ensureN8n());
	const cells = findings.flatMap((one) => (one.kind === 'cell' ? [one.cell] : []));
	const matrices = toMatrices(cells);
	for (const matrix of matrices) print(matrix);
	if (cells.length > 0) {
		const inShort = { ...inNumbers(cells), n8n };
		console.log(`\n${showAll([stamp(inShort)])}`);
		const faults = { ...inShort, tables: [...inShort.tables, ...matrices] };
		const isWhole = matrices.length === Object.keys(TITLES).length;
		if (isFull && isWhole) await writeResult('reliability/faults', faults);
	}
	for (const one of findings) {
		if (one.kind !== 'soak') continue;
		const measured = { ...one.measured, n8n };
		console.log(`\n${showAll([stamp(measured)])}`);
		if (isFullSoak) await writeResult(`reliability/${one.name}`, measured);
	}
}

function print({ head, rows }: Matrix): void {
	const colWidths = head.map((_, column) => (column === 0 ? 22 : 34));
	const style = { head: [], border: [] };
	const table = new Table({ head: [...head], colWidths, wordWrap: true, style });
	table.push(...rows);
	console.log(`\n${table.toString()}`);
}

function toMatrices(cells: readonly Cell[]): Matrix[] {
	return Object.entries(TITLES).flatMap(([table, title]) => {
		const own = cells.filter((cell) => cell.table === table);
		if (own.length === 0) return [];
		const ways = COLUMNS.filter((column) => own.some(({ way }) => way === column));
		const rows = distinct(own.map(({ fault }) => fault))
			.sort()
			.map((fault) => {
				const texts = ways.map((way) => {
					const cell = own.find((one) => one.fault === fault && one.way === way);
					return cell === undefined ? '' : toText(cell);
				});
				return [fault, ...texts];
			});
		return { head: [title, ...ways], rows };
	});
}

function distinct(names: readonly string[]): string[] {
	return [...new Set(names)];
}

function toText({ seen, then }: Cell): string {
	return then === undefined ? seen : `${seen}. ${then}`;
}

function inNumbers(cells: readonly Cell[]): Measured {
	const sum = (count: (cell: Cell) => number | undefined) =>
		cells.reduce((total, cell) => total + (count(cell) ?? 0), 0);
	const charged = sum(({ money }) => money.charged);
	const kept = sum(({ money }) => money.kept);
	const told = sum(({ money }) => money.told);
	const caught = sum(({ money }) => money.caught);
	const faults = distinct(cells.map(({ fault }) => fault)).length;
	const what = `${faults} faults on a real n8n, in ${cells.length} ways and moments of use`;
	// A cell in which something was charged twice has failed, and is not among them.
	const row = [what, charged, 0, charged - kept - told - caught, 0];
	return {
		command: 'npm run test:reliability -- --full',
		runs: 1,
		tables: [{ head: TRIED, rows: [row] }],
		notes: [
			`The ids of ${kept} searches are in an output, an error, a receipt or n8n's log; the items of ${told}, whose ids never came, say that they may have been charged; ${caught}, which n8n forgot when it was killed, came by the trigger.`,
		],
	};
}
