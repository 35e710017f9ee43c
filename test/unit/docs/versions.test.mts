import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { readTexts, ROOT } from './repository.mts';

it('the README names the versions of n8n that the end-to-end tests run on', async () => {
	const manifests = [
		...(await readTexts(/^package\.json$/, new URL('test/slow/hosts/', ROOT))),
		...(await readTexts(/^package\.json$/, new URL('test/support/n8n/', ROOT))),
	].map(([, text]) => text);
	const tested = manifests.map((text) => /"n8n": "(.+)"/.exec(text)?.[1]);
	const readme = await readFile(new URL('README.md', ROOT), 'utf8');
	const [, named] = /^Tested on n8n (.+?), in /m.exec(readme) ?? [];
	expect(named?.split(/, | and /).sort()).toEqual(tested.sort());
});
