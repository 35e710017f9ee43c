import type { schema } from '@stryker-mutator/api/core';

import type { Measured } from '../../support/results/result.mts';

export const NODES = 'nodes/ContactData/';

/** The folders of which a run has changed all files; one of a single file is no figure of its folder. */
export function wholeFolders({ files, config }: schema.MutationTestResult): string[] {
	const { mutate: patterns = [] } = (config ?? {}) as { mutate?: string[] };
	const whole = new Set(patterns.flatMap(withoutBraces));
	const folders = Object.keys(files).flatMap((file) => folderOf(file) ?? []);
	return [...new Set(folders)].filter((folder) => whole.has(`${NODES}${folder}/*.ts`)).sort();
}

/** The folders that the arguments of a run name. */
export function foldersIn(args: readonly string[]): string[] {
	return [...new Set(args.flatMap((arg) => folderOf(arg) ?? []))];
}

/** `{a,b}/*.ts` is `a/*.ts` and `b/*.ts`. */
function withoutBraces(pattern: string): string[] {
	const [, before, within, after] = /^(.*?)\{(.*?)\}(.*)$/.exec(pattern) ?? [];
	if (within === undefined) return [pattern];
	return within.split(',').map((part) => `${before}${part}${after}`);
}

function folderOf(file: string): string | undefined {
	return new RegExp(`^${NODES}([^/]+)/`).exec(file)?.[1];
}

/**
 * What became of the mutants of a folder.
 * @param sample which of its lines, where not all were changed
 */
export function toMeasured(
	folder: string,
	{ files }: schema.MutationTestResult,
	sample?: { percent: string | undefined; draw: string },
): Measured {
	const mutants = Object.entries(files)
		.filter(([file]) => folderOf(file) === folder)
		.flatMap(([, file]) => file.mutants);
	const count = (...statuses: schema.MutantStatus[]) =>
		mutants.filter(({ status }) => statuses.includes(status)).length;
	const found = count('Killed', 'Timeout');
	const valid = found + count('Survived', 'NoCoverage');
	const columns = {
		Folder: sample === undefined ? folder : `${folder}, ${sample.percent} % of its lines`,
		Mutants: valid,
		Killed: count('Killed'),
		Timeouts: count('Timeout'),
		Survived: count('Survived'),
		'No coverage': count('NoCoverage'),
		Score: `${((found / valid) * 100).toFixed(1)} %`,
	};
	return {
		command:
			sample === undefined
				? `npm run test:mutation -- --mutate '${NODES}${folder}/*.ts'`
				: `npm run test:mutation -- --sample ${sample.percent} ${folder} --draw ${sample.draw}`,
		runs: 1,
		tables: [{ head: Object.keys(columns), rows: [Object.values(columns)] }],
	};
}
