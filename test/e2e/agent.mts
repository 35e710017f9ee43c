import type { INode } from 'n8n-workflow';

import type { CredentialRef } from '../support/n8n/api.mts';
import { readExample } from '../support/n8n/examples.mts';
import type { Execution } from '../support/n8n/execution.mts';
import type { Harness } from '../support/n8n/harness.mts';
import { startModel, type ModelAnswer, type ModelRequest } from './model.mts';

/** A model that follows a script, and the credential by which n8n reaches it. */
export async function withModel<T>(
	{ n8n: { api } }: Pick<Harness, 'n8n'>,
	script: (request: ModelRequest) => ModelAnswer,
	use: (openAi: CredentialRef, requests: readonly ModelRequest[]) => Promise<T>,
): Promise<T> {
	const model = await startModel(script);
	try {
		const openAi = await api.importCredential({
			name: 'Scripted model',
			type: 'openAiApi',
			data: { apiKey: 'none', url: model.url },
		});
		return await use(openAi, model.requests);
	} finally {
		await model.close();
	}
}

/** The node of an example, which is given the credential where it is the model. */
export function withOpenAi(node: INode, openAi: CredentialRef): INode {
	return node.name === 'Model' ? { ...node, credentials: { openAiApi: openAi } } : node;
}

/**
 * Runs the example of an agent with a model that follows a script.
 * @param adapt what is changed of a node
 */
export async function runAgent(
	harness: Pick<Harness, 'n8n' | 'credential'>,
	script: (request: ModelRequest) => ModelAnswer,
	adapt: (node: INode) => INode = (node) => node,
): Promise<{ execution: Execution; requests: readonly ModelRequest[] }> {
	return await withModel(harness, script, async (openAi, requests) => {
		const { nodes, ...rest } = await readExample('agent-finds-contacts', harness.credential);
		const adapted = nodes.map((node) => adapt(withOpenAi(node, openAi)));
		const execution = await harness.n8n.api.runWorkflow({ ...rest, nodes: adapted });
		return { execution, requests };
	});
}
