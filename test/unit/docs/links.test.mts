import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { jsonParse } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { readTexts, ROOT } from './repository.mts';

/** `[text](target)`, `![text](target)` and `[text]: target`. */
const LINK = /\]\(<?([^)\s>]*)>?\)|^ {0,3}\[[^\]]+\]:\s+(\S+)/gm;
const CODE_BLOCK = /^ *```[^]*?^ *```/gm;

/** The targets of all links and pictures of a page. */
function targetsIn(page: string): string[] {
	const text = page.replace(CODE_BLOCK, '').replace(/`[^`\n]*`/g, '');
	return [...text.matchAll(LINK)].map(([, inline, reference]) => inline ?? reference);
}

/** The anchors that GitHub gives to the headings of a page, all different. */
function anchorsOf(page: string): string[] {
	const headings = [...page.replace(CODE_BLOCK, '').matchAll(/^#{1,6} +(.+)$/gm)];
	return headings.map(([, heading]) =>
		heading
			.trim()
			.toLowerCase()
			.replace(/[^\p{L}\p{M}\p{N} _-]/gu, '')
			.replaceAll(' ', '-'),
	);
}

it('every link in Markdown leads somewhere', async () => {
	const pages = await readTexts(/\.md$/);
	const manifest = await readFile(new URL('package.json', ROOT), 'utf8');
	const { homepage, bugs } = jsonParse<{ homepage: string; bugs: { url: string } }>(manifest);
	const links = [...pages].flatMap(([from, page]) =>
		targetsIn(page).map((target) => ({ from, target })),
	);
	expect(links.length).toBeGreaterThan(50);
	const broken = links.filter(({ from, target }) => {
		if (target === bugs.url) return false;
		// The README, which npm shows without the rest, links to the repository on the web.
		const isAbsolute = target.startsWith(`${homepage}/`);
		if (!isAbsolute && /^[a-z]+:/i.test(target)) return false;
		const local = target.replace(/^https:.*?\/(?:blob|raw)\/main\//, '');
		const [file, anchor] = local.split('#');
		const path = file === '' ? from : posix.join(isAbsolute ? '.' : posix.dirname(from), file);
		const page = pages.get(path);
		if (path.startsWith('..') || !existsSync(new URL(path, ROOT))) return true;
		return anchor !== undefined && page !== undefined && !anchorsOf(page).includes(anchor);
	});
	expect(broken).toEqual([]);
});
