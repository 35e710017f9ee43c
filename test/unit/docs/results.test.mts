import { readdir, readFile } from 'node:fs/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aboutOf } from '../../support/results/hosts.mts';
import { BLOCKS, namesIn, PAGES, PLACE, readPage, render } from '../../support/results/pages.mts';
import { readResults, type Result } from '../../support/results/result.mts';
import { stamp } from '../../support/results/write.mts';

const results = await readResults();
const pages = new Map(
	await Promise.all(PAGES.map(async (page) => [page, await readPage(page)] as const)),
);

/** Where figures come from results only, and nowhere else. */
const MEASURED = new Map([
	['docs/performance.md', pages.get('docs/performance.md') ?? ''],
	['docs/reliability.md', pages.get('docs/reliability.md') ?? ''],
]);

/** Figures that a text has by itself: outside of marked places, code and the targets of links. */
function figuresIn(text: string): string[] {
	const own = text.replaceAll(PLACE, '').replaceAll(/`[^`]*`|\]\([^)]*\)/g, '');
	// Not those of names such as n8n and V8.
	return own.match(/(?<![A-Za-z])\d\S*/g) ?? [];
}

describe.for(PAGES)('%s', (page) => {
	const text = pages.get(page) ?? '';

	it('shows the figures of docs/results: if not, `npm run results` puts them there', () => {
		expect(text).toBe(render(text, results));
	});

	it('has an end for each marked place', () => {
		const places = text.match(PLACE) ?? [];
		expect(places.length).toBeGreaterThan(0);
		expect(text.match(/<!-- results:/g)).toHaveLength(places.length);
		expect(text.match(/<!-- \/results -->/g)).toHaveLength(places.length);
	});
});

describe.for([...MEASURED.keys()])('%s', (name) => {
	const text = MEASURED.get(name) ?? '';

	it('has results', () => {
		expect(text.match(PLACE)).not.toBeNull();
	});

	it('has no other figures', () => {
		expect(figuresIn(text)).toEqual([]);
	});
});

it('every result is shown, and everything that is shown has one', () => {
	const shown = [...pages.values()].flatMap((text) =>
		[...text.matchAll(PLACE)].map(([, name]) => name),
	);
	expect([...new Set(shown)].sort()).toEqual(Object.keys(BLOCKS).sort());
	const blocks = Object.values(BLOCKS);
	const names = new Set(blocks.flatMap((block) => namesIn(block, results)));
	expect([...names].sort()).toEqual([...results.keys()].sort());
	const unmeasured = blocks.flatMap(({ of }) => of).filter((one) => !one.endsWith('/'));
	expect(unmeasured.filter((one) => !results.has(one))).toEqual([]);
});

describe.for([...results])('%s', ([, result]) => {
	it('says when, of which code, where and by what it was measured', async () => {
		const { date, commit, machine, runs, command } = result;
		expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
		expect(commit).toMatch(/^[0-9a-f]{7,}$/);
		expect(machine.cores).toBeGreaterThan(0);
		expect(runs).toBeGreaterThan(0);
		const manifest = await readFile(new URL('../../../package.json', import.meta.url), 'utf8');
		const { scripts } = JSON.parse(manifest) as { scripts: Record<string, string> };
		expect(scripts).toHaveProperty([/^npm (?:run )?(\S+)/.exec(command)?.[1] ?? command]);
	});

	it('has a cell in each column', () => {
		for (const { head, rows } of result.tables) {
			for (const row of rows) expect(row).toHaveLength(head.length);
		}
	});
});

describe('what a run measures', () => {
	afterEach(() => {
		vi.useRealTimers();
	});

	it('is of the day on which the run began, in whatever time it plays', () => {
		const measured = { command: 'npm test', runs: 3, tables: [] };
		const { date } = stamp(measured);
		vi.useFakeTimers({ now: 0 });
		expect(stamp(measured)).toMatchObject({ date, machine: { node: process.versions.node } });
	});
});

describe('a page', () => {
	const place = '<!-- results:mutation -->\n<!-- /results -->';
	const result = (folder: string, figures: number): Result => ({
		command: 'npm run test:mutation',
		date: '2026-11-22',
		commit: 'abcdef0',
		machine: { cores: 2, node: '20.20.2' },
		runs: 1,
		tables: [{ head: ['Folder', 'Mutants'], rows: [[folder, figures]] }],
		notes: ['A note.'],
	});

	it('has one table for results with the same head, their notes, and where they come from', () => {
		const results = new Map([
			['mutation/a', result('a', 1_234)],
			['mutation/b', { ...result('b|c', 5), isChanged: true as const, notes: [] }],
		]);
		expect(render(`Before\n\n${place}\n\nAfter\n`, results)).toBe(`Before

<!-- results:mutation -->

| Folder | Mutants |
| --- | ---: |
| a | 1,234 |
| b\\|c | 5 |

- A note.

| Measured by | Date | Commit | Runs | On |
| --- | --- | --- | ---: | --- |
| \`npm run test:mutation\` | 2026-11-22 | abcdef0 | 1 | 2 cores, Node 20.20.2 |
| \`npm run test:mutation\` | 2026-11-22 | abcdef0 with changes | 1 | 2 cores, Node 20.20.2 |

<!-- /results -->

After
`);
	});

	it('loses what is written into a marked place by hand', () => {
		const results = new Map([['mutation/a', result('a', 1_234)]]);
		const page = render(place, results);
		expect(render(page.replace('1,234', '1,235'), results)).toBe(page);
	});

	it('has no places for what nobody measures', () => {
		const page = place.replace('mutation', 'guesses');
		expect(() => render(page, new Map())).toThrow('guesses');
	});
});

describe('figures of a text', () => {
	it.for([
		['It takes 5 seconds, or 1.5 MB.', ['5', '1.5']],
		['| 1,000 | 106 s |', ['1,000', '106']],
		['`kill -9` of [n8n](docs/a1.md#2) and a V8 isolate', []],
		['<!-- results:bench -->\n\n12 s\n\n<!-- /results -->', []],
	] as const)('%j', ([text, figures]) => {
		expect(figuresIn(text)).toEqual(figures);
	});
});

it('each file of the end-to-end tests has words for the table of the hosts', async () => {
	const files = await readdir(new URL('../../e2e/', import.meta.url));
	for (const file of files.filter((name) => name.endsWith('.e2e.mts'))) aboutOf(file);
	expect(() => aboutOf('unknown.e2e.mts')).toThrow('What is unknown.e2e.mts about?');
});
