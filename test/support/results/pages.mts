import { readFile, writeFile } from 'node:fs/promises';

import { showHosts, showHostsBriefly, showHostsInFull } from './hosts.mts';
import { showAll, showLast } from './markdown.mts';
import { readResults, type Result } from './result.mts';

const ROOT = new URL('../../../', import.meta.url);

/** The pages with marked places: `<!-- results:bench -->` to `<!-- /results -->`. */
export const PAGES = [
	'README.md',
	'docs/hosts.md',
	'docs/performance.md',
	'docs/reliability.md',
	'docs/waiting.md',
];

export const PLACE = /<!-- results:(\S+) -->\n[^]*?<!-- \/results -->/g;

interface Block {
	/** Names of results; those that end with a slash stand for all below. */
	readonly of: readonly string[];
	readonly show: (results: readonly Result[]) => string;
}

const BENCH = [
	'singles',
	'batch',
	'bulk',
	'cpu',
	'looks',
	'parkedFew',
	'parked',
	'parkedRush',
	'lost',
	'queue',
	'processes',
	'workers2',
	'workers4',
	'flood',
	'loading',
].map((row) => `bench/${row}`);
const SOAKS = ['regular', 'queue'].map((mode) => `reliability/soak-${mode}`);

/** What a marked place shows. */
export const BLOCKS: Readonly<Record<string, Block>> = {
	bench: { of: BENCH, show: showAll },
	waits: { of: ['bench/looks'], show: showLast },
	simulation: { of: ['simulation'], show: showAll },
	faults: { of: ['reliability/faults'], show: showAll },
	soaks: { of: SOAKS, show: showAll },
	mutation: { of: ['mutation/'], show: showAll },
	'hosts-briefly': { of: ['hosts/'], show: showHostsBriefly },
	hosts: { of: ['hosts/'], show: showHosts },
	'hosts-in-full': { of: ['hosts/'], show: showHostsInFull },
};

/** The results that a block shows, by their names. */
export function namesIn({ of }: Block, results: ReadonlyMap<string, Result>): string[] {
	const all = [...results.keys()];
	return of.flatMap((wanted) =>
		all.filter((name) => (wanted.endsWith('/') ? name.startsWith(wanted) : name === wanted)),
	);
}

/** A page with the figures of the results in its marked places. */
export function render(page: string, results: ReadonlyMap<string, Result>): string {
	return page.replace(PLACE, (_, name: string) => {
		const block = BLOCKS[name];
		if (block === undefined) throw new Error(`No results are called ${name}`);
		const shown = namesIn(block, results).flatMap((one) => results.get(one) ?? []);
		const text = shown.length === 0 ? 'Not measured.' : block.show(shown);
		return `<!-- results:${name} -->\n\n${text}\n\n<!-- /results -->`;
	});
}

export async function readPage(page: string): Promise<string> {
	return await readFile(new URL(page, ROOT), 'utf8');
}

/** Puts the results into all pages. */
export async function renderPages(): Promise<void> {
	const results = await readResults();
	for (const page of PAGES) {
		const text = await readPage(page);
		const rendered = render(text, results);
		if (rendered !== text) await writeFile(new URL(page, ROOT), rendered);
	}
}
