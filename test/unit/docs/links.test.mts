import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { jsonParse } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { readTexts, ROOT } from './repository.mts';

/** `[text](target)`, `![text](target "title")` and `[text]: target`. */
const MARKDOWN_LINK = /\]\(<?([^)\s>]*)>?(?:\s[^)]*)?\)|^ {0,3}\[[^\]]+\]:\s+(\S+)/gm;
const HTML_LINK = /<[a-z]+\b[^>]*\s(?:href|src|srcset)="([^"]*)"/g;
const CODE = /^ *(`{3,}|~{3,})[^]*?^ *\1|`[^`\n]*`/gm;
const ANCHOR = /<[a-z]+\b[^>]*\s(?:id|name)="([^"]+)"/g;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/** What `package.json` says of the repository's own addresses. */
interface Addresses {
	/** What follows one of these is a path in the repository. */
	readonly homes: readonly string[];
	/** Below a home, and no file. */
	readonly others: readonly string[];
}

/** Whether a path of the repository, of a file or a folder, is there. */
type IsThere = (path: string) => boolean;

async function readAddresses(): Promise<Addresses> {
	const manifest = jsonParse<{
		homepage: string;
		repository: { url: string };
		bugs: { url: string };
	}>(await readFile(new URL('package.json', ROOT), 'utf8'));
	const repository = manifest.repository.url.replace(/^git\+|\.git$/g, '');
	const homes = [manifest.homepage.replace(/#.*/, ''), repository];
	return { homes, others: [manifest.bugs.url] };
}

/** The targets of all links and pictures of a page. */
function targetsIn(page: string): string[] {
	const text = page.replace(CODE, '');
	return [MARKDOWN_LINK, HTML_LINK].flatMap((pattern) =>
		[...text.matchAll(pattern)].map(([, inline, reference]) => inline ?? reference),
	);
}

/** The anchors that GitHub gives to the headings of a page, and those that it sets itself. */
function anchorsOf(page: string): ReadonlySet<string> {
	const text = page.replace(/^ *(`{3,}|~{3,})[^]*?^ *\1/gm, '');
	const anchors = new Set([...text.matchAll(ANCHOR)].map(([, anchor]) => anchor));
	for (const [, heading] of text.matchAll(/^#{1,6} +(.+?)(?: +#+)? *$/gm)) {
		const shown = heading.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
		const name = shown.replace(/[^\p{L}\p{M}\p{N} _-]/gu, '').replaceAll(' ', '-');
		let anchor = name;
		for (let again = 1; anchors.has(anchor); again++) anchor = `${name}-${again}`;
		anchors.add(anchor);
	}
	return anchors;
}

/** What a link leads to in the repository; `undefined` for what is not in it. */
function destinationOf(
	target: string,
	from: string,
	{ homes, others }: Addresses,
): { path: string; anchor: string } | undefined {
	const [address = '', anchor = ''] = target.split('#', 2);
	const home = homes.find((url) => address === url || address.startsWith(`${url}/`));
	if (home !== undefined && !others.includes(address)) {
		const below = address.slice(home.length + 1).replace(/^(?:blob|tree|raw)\/[^/]+\/?/, '');
		return { path: below === '' ? 'README.md' : decodeURIComponent(below), anchor };
	}
	if (SCHEME.test(address)) return undefined;
	if (address === '') return { path: from, anchor };
	return { path: posix.join(posix.dirname(from), decodeURIComponent(address)), anchor };
}

/** What is wrong with the links of pages, by their paths. */
function problems(
	pages: ReadonlyMap<string, string>,
	isThere: IsThere,
	addresses: Addresses,
): string[] {
	return [...pages].flatMap(([from, page]) =>
		targetsIn(page).flatMap((target) => {
			const destination = destinationOf(target, from, addresses);
			if (destination === undefined) return [];
			const { path, anchor } = destination;
			if (path.startsWith('..') || !isThere(path)) return [`${from}: ${target} is not there`];
			const text = pages.get(path);
			const isFound = anchor === '' || text === undefined || anchorsOf(text).has(anchor);
			return isFound ? [] : [`${from}: ${target} names no heading`];
		}),
	);
}

it('every link in Markdown leads somewhere', async () => {
	const pages = await readTexts(/\.md$/);
	const isThere: IsThere = (path) => existsSync(new URL(path, ROOT));
	expect([...pages.values()].flatMap(targetsIn).length).toBeGreaterThan(50);
	expect(problems(pages, isThere, await readAddresses())).toEqual([]);
});
