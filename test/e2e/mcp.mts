import { randomUUID } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { INode, INodeParameters } from 'n8n-workflow';
import { onTestFinished } from 'vitest';

import type { WorkflowJson } from '../support/n8n/api.mts';
import type { Harness } from '../support/n8n/harness.mts';
import { withCredential } from '../support/n8n/workflows.mts';

/** An MCP client, until the test is over, of a published workflow whose MCP Server Trigger has this one tool. */
export async function connect(
	{ n8n: { api, url }, credential }: Harness,
	parameters: INodeParameters,
): Promise<Client> {
	const path = randomUUID();
	const trigger = node('MCP', '@n8n/n8n-nodes-langchain.mcpTrigger', 2, {
		authentication: 'none',
		path,
	});
	const tool = node('Find email', 'n8n-nodes-contact-data.contactDataTool', 1, parameters);
	const server: WorkflowJson = {
		name: 'MCP server',
		nodes: [{ ...trigger, webhookId: path }, tool],
		connections: { 'Find email': { ai_tool: [[{ node: 'MCP', type: 'ai_tool', index: 0 }]] } },
	};
	const id = await api.importWorkflow(withCredential(server, credential));
	await api.activate(id);
	const client = new Client({ name: 'test', version: '1.0.0' });
	await client.connect(new StreamableHTTPClientTransport(new URL(`${url}mcp/${path}`)));
	onTestFinished(async () => {
		await client.close();
		await api.deactivate(id);
	});
	return client;
}

/** Calls the one tool and gives the text that a model would read. */
export async function call(client: Client, given: Record<string, string>): Promise<string> {
	const answer = await client.callTool({ name: 'Find_email', arguments: given });
	const [first] = CallToolResultSchema.parse(answer).content;
	return first.type === 'text' ? first.text : JSON.stringify(first);
}

function node(name: string, type: string, typeVersion: number, parameters: INodeParameters): INode {
	return { id: randomUUID(), name, type, typeVersion, position: [0, 0], parameters };
}
