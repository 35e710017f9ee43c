import { readdir, readFile } from 'node:fs/promises';

export const ROOT = new URL('../../../', import.meta.url);

/** What is installed, built or kept by tools. */
const NOT_OURS = /^(node_modules|dist|coverage|\.(?!github$).*)$/;

/** The texts of the repository whose file names match, by path. */
export async function readTexts(
	fileNames: RegExp,
	folder = ROOT,
): Promise<ReadonlyMap<string, string>> {
	const entries = await readdir(folder, { withFileTypes: true });
	const texts = entries
		.filter(({ name }) => !NOT_OURS.test(name))
		.map(async (entry): Promise<Array<[string, string]>> => {
			const url = new URL(encodeURIComponent(entry.name), folder);
			if (entry.isDirectory()) return [...(await readTexts(fileNames, new URL(`${url.href}/`)))];
			if (!fileNames.test(entry.name)) return [];
			return [[url.href.slice(ROOT.href.length), await readFile(url, 'utf8')]];
		});
	return new Map((await Promise.all(texts)).flat());
}
