import TextTable from 'cli-table3';

/** Words, or a number. */
export type Cell = string | number;

export interface Table {
	readonly head: readonly string[];
	readonly rows: ReadonlyArray<readonly Cell[]>;
}

/** Prints what a run has measured; no cell is wider than 40 characters. */
export function printFigures({ head, rows }: Table): void {
	const widths = head.map((title, column) =>
		Math.max(title.length, ...rows.map((row) => show(row[column]).length)),
	);
	const table = new TextTable({
		head: [...head],
		colWidths: widths.map((width) => Math.min(width, 40) + 2),
		wordWrap: true,
		style: { head: [], border: [] },
	});
	table.push(...rows.map((row) => row.map(show)));
	console.log(`\n${table.toString()}`);
}

function show(cell: Cell | undefined): string {
	return typeof cell === 'number' ? cell.toLocaleString('en') : (cell ?? '');
}
