import { readFile, writeFile } from 'node:fs/promises';

import type { Cell, Table } from './figures.mts';

const ROOT = new URL('../../', import.meta.url);

/**
 * Puts what a command has measured into a page, between the comments `<!-- <command> -->` and
 * `<!-- end -->`.
 *
 * @param file from the root of the repository
 * @param below when and on what it was measured, in a sentence
 */
export async function writeTable(
	file: string,
	command: string,
	table: Table,
	below: string,
): Promise<void> {
	const path = new URL(file, ROOT);
	const page = await readFile(path, 'utf8');
	const start = `<!-- ${command} -->`;
	const from = page.indexOf(start);
	const to = page.indexOf('<!-- end -->', from);
	if (from < 0 || to < 0) throw new Error(`${file} has no place for ${command}`);
	const measured = `${start}\n\n${toTable(table)}\n\n${below}\n\n`;
	await writeFile(path, page.slice(0, from) + measured + page.slice(to));
}

function toTable({ head, rows }: Table): string {
	const line = (cells: readonly Cell[]) => `| ${cells.join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
