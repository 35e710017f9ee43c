import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { readTexts, ROOT } from './repository.mts';

it('the messages of docs/troubleshooting.md are those of the code, or of the service', async () => {
	const page = await readFile(new URL('docs/troubleshooting.md', ROOT), 'utf8');
	const messages = [...page.matchAll(/^\| (?!Message|-)(.+?) +\|/gm)].map(([, message]) => message);
	expect(messages.length).toBeGreaterThan(15);
	const sources = await Promise.all(
		['nodes/', 'credentials/'].map((folder) => readTexts(/\.ts$/, new URL(folder, ROOT))),
	);
	const api = await readFile(new URL('docs/contributing/service-api.md', ROOT), 'utf8');
	const said = [api, ...sources.flatMap((texts) => [...texts.values()])].join('\n');
	// What differs from case to case stands as an ellipsis.
	const parts = messages.flatMap((message) => message.split('…').map((part) => part.trim()));
	expect(parts.filter((part) => !said.includes(part))).toEqual([]);
});
