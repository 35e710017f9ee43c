import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { seededRandom } from '../../support/sandbox/random.mts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Stryker changes what lies in a range as a whole: long enough for most conditions and calls. */
const BLOCK_LINES = 12;

/**
 * Parts of a folder's files, for Stryker's `--mutate`. A draw has the same ones each time, so that two
 * runs can be compared.
 * @param folder from the root, with a slash at its end
 * @param percent of the lines
 * @param draw a number; another one gives other lines
 */
export function sampleLines(folder: string, percent: number, draw: number): string[] {
	const random = seededRandom(draw);
	const files = readdirSync(ROOT + folder).filter((file) => file.endsWith('.ts'));
	return files.sort().flatMap((file) => {
		const lines = readFileSync(ROOT + folder + file, 'utf8').split('\n').length;
		const blocks = Array.from(
			{ length: Math.ceil(lines / BLOCK_LINES) },
			(_, n) => n * BLOCK_LINES,
		);
		return blocks
			.filter(() => random() * 100 < percent)
			.map((start) => `${folder}${file}:${start + 1}-${Math.min(lines, start + BLOCK_LINES)}`);
	});
}
