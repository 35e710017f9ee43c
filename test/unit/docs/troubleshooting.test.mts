import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { readMessages } from '../../support/docs/messages.mts';
import { TROUBLESHOOTING_PAGE, troubleshootingPage } from '../../support/docs/troubleshooting.mts';

it('docs/troubleshooting.md has every message of the code: if not, `npm run docs` puts it there', async () => {
	const page = await readFile(TROUBLESHOOTING_PAGE, 'utf8');
	expect(page).toBe(await troubleshootingPage());
	const rows = page.split('<!-- messages -->')[1]?.match(/^\| (?!Message|---).+ \|$/gm) ?? [];
	const messages = new Set((await readMessages()).map(({ message }) => message));
	expect(rows.length).toBeGreaterThanOrEqual(messages.size);
	expect(messages.size).toBeGreaterThan(50);
});
