import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readTexts, ROOT } from './repository.mts';

/** `4.3`, `3 and 4`, `2.3, 2.5, 2.7`, `4.1 to 4.4`. */
const NUMBERS = String.raw`\d+(?:\.\d+)*(?:(?:,? and |, | to )\d+(?:\.\d+)*)*`;

const NAME_FIRST = new RegExp(
	String.raw`service-api\.md\W{0,2}(?: sections?)? (?<numbers>${NUMBERS})(?:, (?:rule|item)s? (?<items>${NUMBERS}))?`,
	'gi',
);
const NUMBER_FIRST = new RegExp(
	String.raw`sections? (?<numbers>${NUMBERS}) of \W?(?:docs/)?service-api\.md`,
	'gi',
);

/** The single numbers of `NUMBERS`, with those in between for ranges. */
function expand(numbers: string): string[] {
	return numbers.split(/,? and |, /).flatMap((part) => {
		const [first, last = first] = part.split(' to ');
		const [, parent, from] = /^(.*?)(\d+)$/.exec(first) ?? [];
		const length = Number(/\d+$/.exec(last)?.[0]) - Number(from);
		const between = Array.from({ length: Math.max(0, length) }, (_, i) => Number(from) + i);
		return [...new Set([first, ...between.map((number) => `${parent}${number}`), last])];
	});
}

/** The sections that a text cites; item 5 of the list in section 5 is `5.5`. */
function citedIn(text: string): string[] {
	const flat = text.replace(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/g, ' ');
	return [NAME_FIRST, NUMBER_FIRST].flatMap((pattern) =>
		[...flat.matchAll(pattern)].flatMap(({ groups: { numbers = '', items } = {} }) => {
			const sections = expand(numbers);
			if (items === undefined) return sections;
			return expand(items).map((item) => `${sections.at(-1)}.${item}`);
		}),
	);
}

/** The numbers of headings, and of list items below them. */
function sectionsOf(page: string): Set<string> {
	let section = '';
	const numbers = page.split('\n').map((line) => {
		const heading = /^##+ (\d+(?:\.\d+)*)/.exec(line)?.[1];
		section = heading ?? section;
		const item = /^(\d+)\. /.exec(line)?.[1];
		return heading ?? (item && `${section}.${item}`);
	});
	return new Set(numbers.filter((number) => number !== undefined));
}

/** What is wrong with the citations of `page` in texts, by their names. */
function problems(page: string, texts: ReadonlyMap<string, string>): string[] {
	const sections = sectionsOf(page);
	const cited = [...texts].flatMap(([name, text]) =>
		citedIn(text).map((section) => ({ name, section })),
	);
	const missing = cited.filter(({ section }) => !sections.has(section));
	const strange = [...texts].filter(([, text]) => /(?<![\w-])service\.md/.test(text));
	return [
		...(cited.length === 0 ? ['nothing is cited'] : []),
		...missing.map(({ name, section }) => `${name} cites ${section}`),
		...strange.map(([name]) => `${name} cites service.md, which is not in the repository`),
	];
}

it('every cited section is in docs/service-api.md', async () => {
	const page = await readFile(new URL('docs/service-api.md', ROOT), 'utf8');
	const texts = new Map(await readTexts(/\.(md|[mc]?[jt]s)$/));
	// Its own examples cite what is not there.
	expect(texts.delete(import.meta.url.slice(ROOT.href.length))).toBe(true);
	expect(problems(page, texts)).toEqual([]);
});

describe('a citation', () => {
	it.for([
		['(`service-api.md` 4.9 to 4.12)', ['4.9', '4.10', '4.11', '4.12']],
		['(`service-api.md` 2.3, 2.5, 2.7), so', ['2.3', '2.5', '2.7']],
		['`service-api.md` sections 4 and 8: path', ['4', '8']],
		['`service-api.md` section 3, rules 3 and 4', ['3.3', '3.4']],
		['service-api.md section 4.13.', ['4.13']],
		['// Section 7 of service-api.md, row 5', ['7']],
		['not\n * documented (`service-api.md`\n\t * section 6), so', ['6']],
		['[the API](docs/service-api.md) 5.5', ['5.5']],
		['starts `service-api.md` over HTTP', []],
	] as const)('%j', ([text, sections]) => {
		expect(citedIn(text)).toEqual(sections);
	});
});

it.for([
	['`service-api.md` 2.1 and 3', []],
	['`service-api.md` 2.3', ['a.ts cites 2.3']],
	['`service-api.md` 2.1 to 2.3', ['a.ts cites 2.2', 'a.ts cites 2.3']],
	['`service-api.md` section 3, rules 1 and 2', ['a.ts cites 3.2']],
	['`service.md` 3', ['nothing is cited', 'a.ts cites service.md, which is not in the repository']],
] as const)('%j, with sections 2.1 and 3.1', ([text, expected]) => {
	const page = '## 2. Two\n\n### 2.1 Part\n\n## 3. Three\n\n1. Rule\n';
	expect(problems(page, new Map([['a.ts', text]]))).toEqual(expected);
});
