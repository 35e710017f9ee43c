import { basename } from 'node:path';

import { sourcesOf, toTable } from './markdown.mts';
import type { Cell, Result } from './result.mts';

/** The head of what passed on one n8n. */
export const HOSTS_HEAD = ['What', 'Passed', 'Failed', 'Skipped'] as const;

/** What the files of the end-to-end tests are about. */
const ABOUT: Readonly<Record<string, string>> = {
	ai: 'AI Agent and MCP',
	answers: 'answers that contradict themselves',
	credits: 'paid once, and as far as you allow',
	demo: 'the demo',
	editor: 'the editor in a browser',
	engine: "n8n's new engine",
	examples: 'the example workflows',
	flood: 'floods of notifications',
	found: "the search of n8n's agents and builders",
	key: 'where the API key goes',
	n8n3: 'the settings of n8n 3',
	nativeAgent: "n8n's native agents",
	package: 'loading, credential test, pairing',
	pictures: 'what the README and the examples tell to do',
	queue: 'queue mode: waiting, a killed worker',
	'queue.setup': 'queue mode: the steps of its page',
	'queue.trigger': 'queue mode: the trigger',
	results: 'results that are not in order',
	spending: 'a run that breaks half way',
	suspend: 'pausing, over restarts',
	'suspend.places': 'pausing, wherever the node stands',
	'suspend.prefix': 'pausing, behind a path prefix',
	'suspend.scale': 'pausing, in numbers',
	'suspend.limit': 'pausing, with one execution at a time',
	timing: 'timing',
	trigger: 'the trigger',
};

/** @throws for a file that has no words here */
export function aboutOf(path: string): string {
	const about = ABOUT[basename(path, '.e2e.mts')];
	if (about === undefined) throw new Error(`What is ${path} about? ${import.meta.url} must say it`);
	return about;
}

/** One row for each n8n, the newest first. */
export function showHosts(results: readonly Result[]): string {
	const head = [...SUMS, 'What it has not got'];
	const lacked = ({ notes = [] }: Result) => notes.join('; ');
	return toTable({
		head,
		rows: newestFirst(results).map((result) => [...sumsOf(result), lacked(result)]),
	});
}

/** The same without what each lacks. */
export function showHostsBriefly(results: readonly Result[]): string {
	return toTable({ head: SUMS, rows: newestFirst(results).map(sumsOf) });
}

const SUMS = ['n8n', 'Node', 'Tests passed', 'Failed', 'Skipped'];

function sumsOf(result: Result): Cell[] {
	const sum = (column: number) =>
		rowsOf(result).reduce((total, row) => total + Number(row[column]), 0);
	const [version = '', node = ''] = (result.n8n ?? '').split(' on Node ');
	return [version, node, sum(1), sum(2), sum(3)];
}

/** What the tests are about, with one column for each n8n, and where the figures come from. */
export function showHostsInFull(results: readonly Result[]): string {
	const hosts = newestFirst(results);
	const topics = [...new Set(hosts.flatMap((host) => rowsOf(host).map(([about]) => about)))];
	const rows = topics
		.sort()
		.map((about): Cell[] => [
			about,
			...hosts.map((host) => toCell(rowsOf(host).find(([other]) => other === about))),
		]);
	const head = ['What was tried', ...hosts.map(({ n8n }) => versionOf(n8n))];
	return [toTable({ head, rows }), toTable(sourcesOf(hosts))].join('\n\n');
}

function toCell(row: readonly Cell[] | undefined): Cell {
	if (row === undefined) return '';
	const [, passed, failed, skipped] = row;
	const parts = [
		passed === 0 ? '' : `${passed} passed`,
		failed === 0 ? '' : `**${failed} failed**`,
		skipped === 0 ? '' : `${skipped} skipped`,
	];
	return parts.filter(Boolean).join(', ');
}

function rowsOf({ tables: [table] }: Result): ReadonlyArray<readonly Cell[]> {
	return table?.rows ?? [];
}

function newestFirst(results: readonly Result[]): Result[] {
	const inOrder = (a: Result, b: Result) =>
		versionOf(b.n8n).localeCompare(versionOf(a.n8n), 'en', { numeric: true });
	return [...results].sort(inOrder);
}

function versionOf(n8n = ''): string {
	return n8n.split(' ')[0] ?? '';
}
