import { readdir, readFile } from 'node:fs/promises';

/** The home of all figures: one file for each result. */
export const RESULTS = new URL('../../../docs/results/', import.meta.url);

/** Words, or a number. */
export type Cell = string | number;

export interface Table {
	readonly head: readonly string[];
	readonly rows: ReadonlyArray<readonly Cell[]>;
}

/** The head of what was tried in short, of which several suites have a row. */
export const TRIED = [
	'What was tried',
	'Searches charged',
	'… twice',
	'Ids lost',
	'Ids that n8n lost when it was killed',
] as const;

/** What a run has measured. */
export interface Measured {
	/** What measures it again. */
	readonly command: string;
	readonly runs: number;
	/** The n8n that it was measured on, and its Node. */
	readonly n8n?: string;
	/** The first says it in short. Results whose tables have the same head are shown in one table. */
	readonly tables: readonly Table[];
	readonly notes?: readonly string[];
}

/** What was measured, when, of which code and where. */
export interface Result extends Measured {
	readonly date: string;
	readonly commit: string;
	/** The code had changes that were in no commit. */
	readonly isChanged?: true;
	readonly machine: Machine;
}

export interface Machine {
	readonly cores: number;
	/** Unknown of the oldest results. */
	readonly cpu?: string;
	readonly memory?: string;
	readonly system?: string;
	readonly node?: string;
}

/** All results by their names, such as `bench/singles`. */
export async function readResults(): Promise<Map<string, Result>> {
	const files = await readdir(RESULTS, { recursive: true });
	const names = files.filter((file) => file.endsWith('.json')).sort();
	const results = names.map(async (file): Promise<[string, Result]> => {
		const text = await readFile(new URL(file, RESULTS), 'utf8');
		return [file.replace(/\.json$/, ''), JSON.parse(text) as Result];
	});
	return new Map(await Promise.all(results));
}
