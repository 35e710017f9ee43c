import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { readTexts, ROOT } from './repository.mts';

it('a version of the package in the docs is that of the package', async () => {
	const { version } = JSON.parse(await readFile(new URL('package.json', ROOT), 'utf8')) as {
		version: string;
	};
	const texts = await readTexts(/\.md$/);
	const named = [...texts].flatMap(([path, text]) =>
		[...text.matchAll(/n8n-nodes-contact-data@(\d[\w.-]*)/g)].map(([, other]) => ({
			path,
			version: other,
		})),
	);
	expect(named).toContainEqual({ path: 'docs/queue-mode.md', version });
	expect(named.filter((one) => one.version !== version)).toEqual([]);
});
