import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import Table from 'cli-table3';

import type { Cell, Finding } from './cells.mts';
import { isFull } from './form.mts';

const RESULTS = fileURLToPath(new URL('RESULTS.md', import.meta.url));

/** Columns stand in the order of the life cycle. */
const COLUMNS = [
	...['submit', 'wait by poll', 'wait by suspend', 'trigger'],
	...['before submitting', 'while submitting', 'waiting by poll', 'parked'],
	'while a trigger call is followed up',
];

/** A table of cells: one row for each fault, one column for each way. */
interface Matrix {
	readonly title: string;
	readonly ways: readonly string[];
	readonly rows: ReadonlyArray<{ readonly fault: string; readonly texts: readonly string[] }>;
}

/** Prints what came of each fault, and in the full form writes it as markdown. */
export async function report(findings: readonly Finding[]): Promise<void> {
	const cells = findings.flatMap((one) => (one.kind === 'cell' ? [one.cell] : []));
	const lines = findings.flatMap((one) => (one.kind === 'figures' ? [one.text] : []));
	const matrices = toMatrices(cells);
	for (const { title, ways, rows } of matrices) {
		const table = new Table({
			head: [title, ...ways],
			colWidths: [22, ...ways.map(() => 34)],
			wordWrap: true,
			style: { head: [], border: [] },
		});
		for (const { fault, texts } of rows) table.push([fault, ...texts]);
		console.log(`\n${table.toString()}`);
	}
	const figures = [...(cells.length > 0 ? [inNumbers(cells)] : []), ...lines];
	console.log(`\n${figures.join('\n')}`);
	if (isFull && cells.length > 0) await writeFile(RESULTS, toMarkdown(matrices, figures));
}

function toMatrices(cells: readonly Cell[]): Matrix[] {
	return distinct(cells.map(({ table }) => table)).map((title) => {
		const own = cells.filter(({ table }) => table === title);
		const ways = COLUMNS.filter((column) => own.some(({ way }) => way === column));
		const rows = distinct(own.map(({ fault }) => fault))
			.sort()
			.map((fault) => ({
				fault,
				texts: ways.map((way) => {
					const cell = own.find((one) => one.fault === fault && one.way === way);
					return cell === undefined ? '' : toText(cell);
				}),
			}));
		return { title, ways, rows };
	});
}

function distinct(names: readonly string[]): string[] {
	return [...new Set(names)];
}

function toText({ seen, then }: Cell): string {
	return then === undefined ? seen : `${seen}. ${then}`;
}

function inNumbers(cells: readonly Cell[]): string {
	const sum = (count: (cell: Cell) => number | undefined) =>
		cells.reduce((total, cell) => total + (count(cell) ?? 0), 0);
	const charged = sum(({ money }) => money.charged);
	const kept = sum(({ money }) => money.kept);
	const told = sum(({ money }) => money.told);
	const caught = sum(({ money }) => money.caught);
	return `${cells.length} cells: ${charged} searches charged, 0 of them twice. The ids of ${kept} are in an output, an error, a receipt or n8n's log; the items of ${told}, whose ids never came, say that they may have been charged; ${caught}, which n8n forgot when it was killed, came by the trigger. Lost: 0.`;
}

function toMarkdown(matrices: readonly Matrix[], figures: readonly string[]): string {
	const row = (cells: readonly string[]) =>
		`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
	const tables = matrices.flatMap(({ title, ways, rows }) => [
		row([title, ...ways]),
		row(['---', ...ways.map(() => '---')]),
		...rows.map(({ fault, texts }) => row([fault, ...texts])),
		'',
	]);
	const date = new Date().toISOString().slice(0, 10);
	return [
		'# What was tried, and what came of it',
		'',
		`\`npm run test:reliability -- --full\` on ${date}: Node ${process.version}, ${cpus().length} cores, a real n8n with the packed package.`,
		'',
		...figures.map((figure) => `- ${figure}`),
		'',
		...tables,
	].join('\n');
}
