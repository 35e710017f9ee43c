import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

import { temporaryFolder } from '../../support/n8n/folder.mts';
import { readFindings } from './cells.mts';
import { report } from './report.mts';

declare module 'vitest' {
	export interface ProvidedContext {
		/** Path of the file in which the findings are gathered. */
		findings: string;
	}
}

/** Once around all files: gathers what they find, and prints it at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
	const folder = await temporaryFolder('reliability');
	const file = join(folder.path, 'findings');
	project.provide('findings', file);
	return async () => {
		await report(await readFindings(file));
		await folder.remove();
	};
}
