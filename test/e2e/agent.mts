import type { INode } from 'n8n-workflow';

import { readExample } from '../support/n8n/examples.mts';
import type { Execution } from '../support/n8n/execution.mts';
import type { Harness } from '../support/n8n/harness.mts';
import { startModel, type ModelAnswer, type ModelRequest } from './model.mts';

/**
 * Runs the example of an agent with a model that follows a script.
 * @param adapt what is changed of a node
 */
export async function runAgent(
	{ n8n: { api }, credential }: Pick<Harness, 'n8n' | 'credential'>,
	script: (request: ModelRequest) => ModelAnswer,
	adapt: (node: INode) => INode = (node) => node,
): Promise<{ execution: Execution; requests: readonly ModelRequest[] }> {
	const model = await startModel(script);
	try {
		const openAi = await api.importCredential({
			name: 'Scripted model',
			type: 'openAiApi',
			data: { apiKey: 'none', url: model.url },
		});
		const { nodes, ...rest } = await readExample('agent-finds-contacts', credential);
		const adapted = nodes.map((each) =>
			each.name === 'Model' ? { ...each, credentials: { openAiApi: openAi } } : adapt(each),
		);
		const execution = await api.runWorkflow({ ...rest, nodes: adapted });
		return { execution, requests: model.requests };
	} finally {
		await model.close();
	}
}
