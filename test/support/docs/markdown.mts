import type { Cell, Table } from '../figures.mts';

/** A table in Markdown; columns of numbers are aligned to the right. */
export function toTable({ head, rows }: Table): string {
	const isNumeric = (column: number) => rows.every((row) => typeof row[column] === 'number');
	const line = (cells: readonly Cell[]) => `| ${cells.map(toText).join(' | ')} |`;
	const rule = head.map((_, column) => (isNumeric(column) ? '---:' : '---'));
	return [line(head), line(rule), ...rows.map(line)].join('\n');
}

function toText(cell: Cell): string {
	return typeof cell === 'number' ? cell.toLocaleString('en') : cell.replaceAll('|', '\\|');
}
