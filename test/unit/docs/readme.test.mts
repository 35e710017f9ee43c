import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const README = new URL('../../../README.md', import.meta.url);

/** Two screens more, and nobody reads it. */
const MOST_WORDS = 1_000;

/** What a reader sees: no JSON, no addresses, no comments. */
function wordsOf(page: string): string[] {
	const text = page
		.replaceAll(/```json[^]*?```/g, '')
		.replaceAll(/<!--[^]*?-->/g, '')
		.replaceAll(/^\[[^\]]+\]: \S+$/gm, '')
		.replaceAll(/\]\([^)]*\)/g, ']');
	return text.match(/[\p{L}\p{N}][\p{L}\p{N}’'.-]*/gu) ?? [];
}

it('the README can be read in a few minutes', async () => {
	const words = wordsOf(await readFile(README, 'utf8'));
	expect(words.length).toBeGreaterThan(500);
	expect(words.length).toBeLessThanOrEqual(MOST_WORDS);
});

it('words are counted as they are read', () => {
	const page =
		'Find **it**.\n<!-- not this -->\n```json\n{ "a": 1 }\n```\n[Here](b.md), [there].\n\n[there]: c.md\n';
	expect(wordsOf(page)).toEqual(['Find', 'it', 'Here', 'there']);
});
