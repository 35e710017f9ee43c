import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { expect, it } from 'vitest';
import { readTexts, ROOT } from './repository.mts';

const PAGE = 'docs/releasing.md';
/** What stands for a maintainer and for the repository until there are some. */
const NEUTRAL =
	/maintainers@example\.com|example\.com\/n8n-nodes-contact-data|Contact Data maintainers/;

it('the files with neutral values are those of the open boxes in docs/releasing.md', async () => {
	const page = await readFile(new URL(PAGE, ROOT), 'utf8');
	const [, section = ''] = page.split('\n## Once: replace the neutral values\n');
	const [list] = section.split('\n## ');
	const open = [...list.matchAll(/^- \[ \] \[[^\]]+\]\(([^)]+)\)/gm)].map(([, target]) =>
		posix.join(posix.dirname(PAGE), target),
	);
	// Tests are no `.ts`.
	const texts = await readTexts(/\.(md|json|ts|js|yml)$/);
	const neutral = [...texts].flatMap(([path, text]) => (NEUTRAL.test(text) ? [path] : []));
	expect(open.sort()).toEqual(neutral.sort());
});

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
