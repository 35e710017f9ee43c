import { readdir, readFile } from 'node:fs/promises';

import type { CredentialRef, WorkflowJson } from './api.mts';
import { withCredential } from './workflows.mts';

export const EXAMPLES = new URL('../../../examples/', import.meta.url);

/** The names of all workflows of `examples/`, without `.json`. */
export async function exampleNames(): Promise<string[]> {
	const files = await readdir(EXAMPLES);
	return files
		.filter((file) => file.endsWith('.json'))
		.map((file) => file.slice(0, -'.json'.length))
		.sort();
}

/** A workflow of `examples/`, by its name without `.json`, with the credential in its nodes. */
export async function readExample(name: string, credential: CredentialRef): Promise<WorkflowJson> {
	const text = await readFile(new URL(`${name}.json`, EXAMPLES), 'utf8');
	return withCredential(JSON.parse(text) as WorkflowJson, credential);
}
