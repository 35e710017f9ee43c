import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('../../../', import.meta.url);

const readme = await readFile(new URL('README.md', ROOT), 'utf8');

/** What the node says itself, and what the service says according to the sandbox. */
const sources = (
	await Promise.all(['nodes/ContactData/', 'test/support/sandbox/'].map(readSources))
).flat();

async function readSources(folder: string): Promise<string[]> {
	const url = new URL(folder, ROOT);
	const files = (await readdir(url, { recursive: true })).filter(
		(file) => /\.m?ts$/.test(file) && !/\.test\.mts$/.test(file),
	);
	return await Promise.all(files.map((file) => readFile(new URL(file, url), 'utf8')));
}

describe('the table of troubleshooting', () => {
	const [, table = ''] = /## Troubleshooting\n\n[^\n]+\n[^\n]+\n((?:\|.*\n)+)/.exec(readme) ?? [];
	const messages = [...table.matchAll(/^\| (.+?) \|/gm)].map(([, message]) => message);

	it('has rows', () => {
		expect(messages.length).toBeGreaterThan(5);
	});

	it.for(messages)('%s', (message) => {
		const parts = message.split('…').map((part) => part.trim());
		const said = sources.some((source) => parts.every((part) => source.includes(part)));
		expect(said).toBe(true);
	});
});
