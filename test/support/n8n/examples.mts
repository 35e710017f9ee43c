import { readFile } from 'node:fs/promises';

import type { CredentialRef, WorkflowJson } from './api.mts';
import { withCredential } from './workflows.mts';

export const EXAMPLES = new URL('../../../examples/', import.meta.url);

/** A workflow of `examples/`, by its name without `.json`, with the credential in its nodes. */
export async function readExample(name: string, credential: CredentialRef): Promise<WorkflowJson> {
	const text = await readFile(new URL(`${name}.json`, EXAMPLES), 'utf8');
	return withCredential(JSON.parse(text) as WorkflowJson, credential);
}
