import TextTable from 'cli-table3';

/** Words, or a number. */
export type Cell = string | number;

export interface Table {
	readonly head: readonly string[];
	readonly rows: ReadonlyArray<readonly Cell[]>;
}

/** What a run has measured. */
export interface Measured {
	readonly tables: readonly Table[];
	readonly notes?: readonly string[];
}

/** Prints tables and notes; no cell is wider than 40 characters. */
export function printFigures({ tables, notes = [] }: Measured): void {
	for (const { head, rows } of tables) {
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
	for (const note of notes) console.log(`- ${note}`);
}

function show(cell: Cell | undefined): string {
	return typeof cell === 'number' ? cell.toLocaleString('en') : (cell ?? '');
}
