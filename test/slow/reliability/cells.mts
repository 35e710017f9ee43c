import { appendFile, readFile } from 'node:fs/promises';

import type { Measured } from '../../support/figures.mts';

/** What the tables are called. */
export const TITLES = {
	n8n: 'n8n itself',
	database: 'The database of n8n',
	wire: 'Between n8n and the service',
};

/** What came of one fault in one way of using the node. */
export interface Cell {
	/** The table that it belongs to. */
	readonly table: keyof typeof TITLES;
	readonly fault: string;
	readonly way: string;
	/** What the user sees. */
	readonly seen: string;
	/** What the user gets in the end, where that is not what was seen at first. */
	readonly then?: string;
	readonly money: Money;
}

/** What became of the searches of a cell, in numbers. */
export interface Money {
	/** Searches that the service charged; none twice. */
	readonly charged: number;
	/** Of these, the ids that are in an output, an error, a receipt or n8n's log. */
	readonly kept: number;
	/** Those whose id never came, and whose item says that it may have been charged. */
	readonly told: number;
	/** Those that n8n forgot, and whose results came by the trigger. */
	readonly caught?: number;
}

/** What a file has to say at the end: a cell of a matrix, or what a soak measured. */
export type Finding =
	| { readonly kind: 'cell'; readonly cell: Cell }
	| { readonly kind: 'soak'; readonly name: string; readonly measured: Measured };

/** The head of what was tried in short, of the faults and of each soak. */
export const TRIED = [
	'What was tried',
	'Searches charged',
	'… twice',
	'Ids lost',
	'Ids that n8n lost when it was killed',
] as const;

/** Files run in processes of their own: their findings are gathered in one file. */
export async function addFinding(file: string, finding: Finding): Promise<void> {
	await appendFile(file, `${JSON.stringify(finding)}\n`);
}

export async function readFindings(file: string): Promise<Finding[]> {
	const text = await readFile(file, 'utf8').catch(() => '');
	return text
		.split('\n')
		.filter(Boolean)
		.map((line) => JSON.parse(line) as Finding);
}
