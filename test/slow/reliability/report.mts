import { printFigures, type Measured, type Table } from '../../support/figures.mts';
import { ensureN8n, versionsOf } from '../../support/n8n/install.mts';
import { TITLES, TRIED, type Cell, type Finding } from './cells.mts';

/** Columns stand in the order of the life cycle. */
const COLUMNS = [
	...['submit', 'wait by poll', 'wait by suspend', 'trigger'],
	...['before submitting', 'while submitting', 'waiting by poll', 'parked'],
	'while a trigger call is followed up',
];

/** Prints what came of each fault and of the soaks. */
export async function report(findings: readonly Finding[]): Promise<void> {
	const cells = findings.flatMap((one) => (one.kind === 'cell' ? [one.cell] : []));
	if (cells.length > 0) {
		const { tables, notes } = inNumbers(cells);
		printFigures({ tables: [...toMatrices(cells), ...tables], notes });
	}
	for (const one of findings) if (one.kind === 'soak') printFigures(one.measured);
	console.log(`\nn8n ${await versionsOf(await ensureN8n())}`);
}

/** Tables of cells: one row for each fault, one column for each way. */
function toMatrices(cells: readonly Cell[]): Table[] {
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
		tables: [{ head: TRIED, rows: [row] }],
		notes: [
			`The ids of ${kept} searches are in an output, an error, a receipt or n8n's log; the items of ${told}, whose ids never came, say that they may have been charged; ${caught}, which n8n forgot when it was killed, came by the trigger.`,
		],
	};
}
