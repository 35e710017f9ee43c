import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const ROOT = new URL('../../../', import.meta.url);
const DECLARATION = /^(?:export )?(?:async )?(?:function|interface|type|class) (?<name>\w+)/gm;

/** The functions and types of the product, and its files, with where each of them is. */
async function named(): Promise<Map<string, string[]>> {
	const places = new Map<string, string[]>();
	const add = (name: string, place: string) =>
		places.set(name, [...(places.get(name) ?? []), place]);
	for (const folder of ['nodes/', 'credentials/']) {
		const files = await readdir(new URL(folder, ROOT), { recursive: true });
		for (const file of files.filter((name) => name.endsWith('.ts'))) {
			const base = file.split('/').at(-1) ?? file;
			// The front door of a folder, wherever there is one.
			if (base !== 'index.ts') add(base, folder + file);
			const text = await readFile(new URL(folder + file, ROOT), 'utf8');
			for (const { groups } of text.matchAll(DECLARATION)) add(groups?.name ?? '', folder + file);
		}
	}
	return places;
}

it('no two files, functions or types of the product have one name', async () => {
	const places = await named();
	expect(places.size).toBeGreaterThan(300);
	expect([...places].filter(([, where]) => where.length > 1)).toEqual([]);
});
