import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { EXAMPLES } from '../../support/n8n/examples.mts';

const E2E = new URL('../../e2e/', import.meta.url);

const examples = (await readdir(EXAMPLES)).map((file) => file.replace(/\.json$/, '')).sort();

it('every example is run by an end-to-end test', async () => {
	const files = (await readdir(E2E)).filter((file) => file.endsWith('.mts'));
	const sources = await Promise.all(files.map((file) => readFile(new URL(file, E2E), 'utf8')));
	const run = sources.flatMap((source) =>
		[...source.matchAll(/readExample\(\s*'([^']+)'/g)].map(([, name]) => name),
	);
	expect([...new Set(run)].sort()).toEqual(examples);
});

describe.for(examples)('%s', (name) => {
	it('explains itself in sticky notes', async () => {
		const workflow: unknown = JSON.parse(await readFile(new URL(`${name}.json`, EXAMPLES), 'utf8'));
		expect(workflow).toMatchObject({ name: expect.stringMatching(/\S/) as unknown });
		expect(workflow).toHaveProperty(
			'nodes',
			expect.arrayContaining([expect.objectContaining({ type: 'n8n-nodes-base.stickyNote' })]),
		);
	});

	it('is in the README', async () => {
		const readme = await readFile(new URL('../README.md', EXAMPLES), 'utf8');
		expect(readme).toContain(`(examples/${name}.json)`);
	});
});
