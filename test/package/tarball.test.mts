import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { preProcessFile } from 'typescript';
import { expect, inject, test } from 'vitest';

/** Far above the size of the package: what is larger has files that do not belong into it. */
const ALARM_BYTES = 250_000;

const unpacked = inject('unpacked');

async function listFiles(folder: string): Promise<string[]> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
		.sort();
}

test('the tarball holds what n8n needs, and nothing else', async () => {
	const needed = [
		/^(package\.json|README\.md|LICENSE\.md|index\.js)$/,
		/^dist\/(credentials|nodes)\/[\w./]+\.js$/,
		/^dist\/nodes\/\w+\/\w+(\.dark)?\.svg$/,
		/^dist\/nodes\/\w+\/\w+\.node\.json$/,
		/^dist\/nodes\/\w+\/__schema__\/[\w./]+\.json$/,
	];
	const files = await listFiles(unpacked);

	expect(files.filter((file) => !needed.some((pattern) => pattern.test(file)))).toEqual([]);
	expect(files).toEqual(expect.arrayContaining(['package.json', 'README.md', 'LICENSE.md']));
});

test('the tarball is small', async () => {
	expect((await stat(inject('tarball'))).size).toBeLessThan(ALARM_BYTES);
});

test('the code requires nothing but n8n-workflow, crypto and files of its own', async () => {
	const files = await listFiles(unpacked);
	const scripts = files.filter((file) => file.endsWith('.js'));
	const foreign: string[] = [];
	for (const script of scripts) {
		const source = await readFile(join(unpacked, script), 'utf8');
		for (const { fileName } of preProcessFile(source, true, true).importedFiles) {
			const path = join(dirname(script), fileName);
			const isOwn =
				fileName.startsWith('.') &&
				(files.includes(`${path}.js`) || files.includes(join(path, 'index.js')));
			const isAllowed = ['n8n-workflow', 'crypto', 'node:crypto'].includes(fileName);
			if (!isOwn && !isAllowed) foreign.push(`${script} requires ${fileName}`);
		}
	}

	expect(scripts.length).toBeGreaterThan(3);
	expect(foreign).toEqual([]);
});
