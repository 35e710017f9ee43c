import type { Cell, Machine, Result, Table } from './result.mts';

/** All that some results say: tables, notes, and where the figures come from. */
export function showAll(results: readonly Result[]): string {
	const tables = joined(results.flatMap((result) => result.tables)).map(toTable);
	const notes = results.flatMap((result) => result.notes ?? []).map((note) => `- ${note}`);
	const parts = [...tables, notes.join('\n'), toTable(sourcesOf(results))];
	return parts.filter(Boolean).join('\n\n');
}

/** The last table of each result. */
export function showLast(results: readonly Result[]): string {
	return joined(results.flatMap(({ tables }) => tables.slice(-1)))
		.map(toTable)
		.join('\n\n');
}

/** Tables with the same head become one. */
function joined(tables: readonly Table[]): Table[] {
	const groups = new Map<string, Table>();
	for (const table of tables) {
		const key = JSON.stringify(table.head);
		const rows = [...(groups.get(key)?.rows ?? []), ...table.rows];
		groups.set(key, { head: table.head, rows });
	}
	return [...groups.values()];
}

/** Where the figures of results come from. */
export function sourcesOf(results: readonly Result[]): Table {
	return {
		head: ['Measured by', 'Date', 'Commit', 'Runs', 'On'],
		rows: results.map(({ command, date, commit, isChanged, runs, machine, n8n }) => [
			`\`${command}\``,
			date,
			isChanged ? `${commit} with changes` : commit,
			runs,
			[describe(machine), n8n && `n8n ${n8n}`].filter(Boolean).join(', '),
		]),
	};
}

function describe({ cores, cpu, memory, system, node }: Machine): string {
	const processor = cpu === undefined ? `${cores} cores` : `${cores} × ${cpu}`;
	return [processor, memory, system, node && `Node ${node}`].filter(Boolean).join(', ');
}

export function toTable({ head, rows }: Table): string {
	const isNumeric = (column: number) => rows.every((row) => typeof row[column] === 'number');
	const line = (cells: readonly Cell[]) => `| ${cells.map(toText).join(' | ')} |`;
	const rule = head.map((_, column) => (isNumeric(column) ? '---:' : '---'));
	return [line(head), line(rule), ...rows.map(line)].join('\n');
}

function toText(cell: Cell): string {
	return typeof cell === 'number' ? cell.toLocaleString('en') : cell.replaceAll('|', '\\|');
}
