import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Where the files are that tests look at. */
export const ROOT = process.env.RENEW_INTO ?? '.';

/** The text of a file of the project; `npm run renew` has it made, and put where `RENEW_INTO` says. */
export async function renewed(path: string, make: () => Promise<string>): Promise<string> {
	if (process.env.RENEW_INTO === undefined) return await readFile(path, 'utf8');
	const text = await make();
	const file = join(ROOT, path);
	await mkdir(dirname(file), { recursive: true });
	await writeFile(file, text);
	return text;
}
