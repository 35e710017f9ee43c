import { randomUUID } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { INode } from 'n8n-workflow';
import { describe, expect, it, onTestFinished } from 'vitest';

import { readExample } from '../support/n8n/examples.mts';
import type { Execution } from '../support/n8n/execution.mts';
import { useHarness } from '../support/n8n/harness.mts';
import { lacks } from '../support/n8n/lacks.mts';
import { companyMissing } from '../support/texts.mts';
import { runAgent, withModel, withOpenAi } from './agent.mts';
import { toolResult, toolResults, type ModelAnswer, type ModelRequest } from './model.mts';

/** Each with its own way of telling a model what went wrong. */
const AGENT_VERSIONS = [2, 2.3, 3, 3.1].filter(
	(version) =>
		!(version === 2.3 && lacks('version 2.3 of the AI Agent')) &&
		!(version === 3.1 && lacks('version 3.1 of the AI Agent')),
);

/** n8n does nothing where something else follows the link of a decision. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
/** As the example has it: the agent's questions and answers come by nodes of their own. */
const OF_CHAT = { responseMode: 'responseNodes' };

const harness = useHarness();

it('as a tool of an MCP client says what it does and what it needs, and finds an email', async () => {
	const { api, url } = harness.n8n;
	const path = randomUUID();
	const node = { typeVersion: 1, position: [0, 0] as [number, number] };
	const trigger: INode = {
		...node,
		id: randomUUID(),
		name: 'MCP',
		webhookId: path,
		type: '@n8n/n8n-nodes-langchain.mcpTrigger',
		typeVersion: 2,
		parameters: { authentication: 'none', path },
	};
	const tool: INode = {
		...node,
		id: randomUUID(),
		name: 'Find email',
		type: 'n8n-nodes-contact-data.contactDataTool',
		parameters: {
			resource: 'emailFinder',
			operation: 'submitAndWait',
			fullname: "={{ $fromAI('Full_Name', 'First and last name of the person', 'string') }}",
			companyDomain: "={{ $fromAI('Company_Domain', 'Domain of the company', 'string') }}",
		},
		credentials: { contactDataApi: harness.credential },
	};
	const id = await api.importWorkflow({
		name: 'MCP server',
		nodes: [trigger, tool],
		connections: { 'Find email': { ai_tool: [[{ node: 'MCP', type: 'ai_tool', index: 0 }]] } },
	});
	await api.activate(id);
	const client = new Client({ name: 'test', version: '1.0.0' });
	onTestFinished(async () => {
		await client.close();
		await api.deactivate(id);
	});
	await client.connect(new StreamableHTTPClientTransport(new URL(`${url}mcp/${path}`)));
	const { tools } = await client.listTools();
	expect(tools).toMatchObject([
		{
			name: 'Find_email',
			description: 'Find email in Contact Data',
			inputSchema: {
				properties: {
					Full_Name: { type: 'string', description: 'First and last name of the person' },
					Company_Domain: { type: 'string', description: 'Domain of the company' },
				},
				required: ['Full_Name', 'Company_Domain'],
			},
		},
	]);
	const given = { Full_Name: 'Amelia Hart', Company_Domain: 'northfreight.example' };
	const answer = await client.callTool({ name: 'Find_email', arguments: given });
	const [first] = CallToolResultSchema.parse(answer).content;
	expect(JSON.parse(first.type === 'text' ? first.text : '')).toMatchObject([
		{ email: 'amelia.hart@northfreight.example', status: 'completed', found: true },
	]);
});

describe("as a tool of n8n's AI Agent", () => {
	it('answers the question of the example with its result', async () => {
		const { execution, requests } = await runAgent(harness, (request) => {
			const result = toolResult(request);
			if (result === undefined) {
				const given = { Full_Name: 'Amelia Hart', Company_Domain: 'northfreight.example' };
				return { tool: 'Find_Email', arguments: given };
			}
			return { text: `I found ${/[\w.]+@[\w.]+/.exec(result)?.[0]}.` };
		});
		expect(execution.error).toBeUndefined();
		expect(execution.json('AI Agent')).toEqual([
			{ output: 'I found amelia.hart@northfreight.example.' },
		]);
		const tools = requests[0].tools?.map(({ function: { name, description } }) => [
			name,
			description.split('.')[0],
		]);
		expect(Object.fromEntries(tools ?? [])).toEqual({
			Find_Email: 'Finds the business email address of one person at a company',
			Find_Phone_Number:
				'Finds the phone number of one person by the address of their profile page',
		});
		expect(harness.sandbox.ledger.totals().charged).toBe(1);
	});

	it.each(AGENT_VERSIONS)(
		'answers each of several calls of one turn, and how to mend the one that lacks a field (version %d)',
		async (typeVersion) => {
			const turn = `turn ${typeVersion * 10}`;
			const calls = [
				{ Full_Name: `mustfind ada ${turn}`, Company_Domain: 'acme.example' },
				{ Full_Name: `mustfind cyd ${turn}` },
				{ Full_Name: `mustfind ben ${turn}`, Company_Domain: 'acme.example' },
			].map((given) => ({ tool: 'Find_Email', arguments: given }));
			const { execution, requests } = await runAgent(
				harness,
				(request) => (toolResults(request).length === 0 ? { calls } : { text: 'Two of three.' }),
				(node) => (node.name === 'AI Agent' ? { ...node, typeVersion } : withCap(node, 10)),
			);
			expect(execution.json('AI Agent')).toEqual([{ output: 'Two of three.' }]);
			const results = toolResults(requests[1]);
			expect(results.map((result) => result.includes('"found":true'))).toEqual([true, false, true]);
			expect(results[1]).toContain(companyMissing);
			expect(results[1]).toContain("Fill in the company's domain or name");
			expect(harness.sandbox.ledger.totals()).toMatchObject({ searches: 2, charged: 2 });
		},
	);
});

describe.skipIf(lacks('human review of tools'))('the example that asks before it spends', () => {
	const PERSON = { First_Name: 'Mustfind', Last_Name: 'Ada', Company_Domain: 'acme.example' };
	/** As n8n asks for them, where a human review stands before a tool. */
	const GIVEN = { toolParameters: PERSON, hitlParameters: {} };

	/** Asks in the chat for a number, decides when the agent asks back, and gives what the agent says then. */
	async function decide(decision: 'Search' | 'No'): Promise<{ output: unknown; asked: string }> {
		const { api, url } = harness.n8n;
		const script = (request: ModelRequest): ModelAnswer => {
			const result = toolResult(request);
			return result === undefined
				? { tool: 'Find_Phone_Number', arguments: GIVEN }
				: { text: result.includes('"found":true') ? 'Found.' : 'Not searched.' };
		};
		return await withModel(harness, script, async (openAi) => {
			const { nodes, ...rest } = await readExample(
				'agent-asks-before-it-spends',
				harness.credential,
			);
			const chat = { webhookId: randomUUID(), parameters: { public: true, options: OF_CHAT } };
			const adapted = nodes.map((node) =>
				node.type.endsWith('.chatTrigger') ? { ...node, ...chat } : withOpenAi(node, openAi),
			);
			const workflowId = await api.importWorkflow({ ...rest, nodes: adapted });
			await api.activate(workflowId);
			onTestFinished(async () => await api.deactivate(workflowId));
			const said = {
				action: 'sendMessage',
				chatInput: 'What is her number?',
				sessionId: workflowId,
			};
			const answer = await fetch(`${url}webhook/${chat.webhookId}/chat`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(said),
			});
			const { executionId: id } = (await answer.json()) as { executionId: string };
			await api.waitForStatus(id, (status) => status === 'waiting');
			expect(harness.sandbox.ledger.entries).toEqual([]);
			const { text, buttons } = askedIn(await api.getExecution(id));
			const { link = '' } = buttons.find((button) => button.text === decision) ?? {};
			const clicked = await fetch(link, { headers: { 'user-agent': BROWSER } });
			expect(clicked.status).toBe(200);
			const outputs = async () => (await api.getExecution(id)).json('AI Agent');
			await expect.poll(outputs, { timeout: 60_000 }).toHaveLength(1);
			return { output: (await outputs())[0]?.output, asked: text };
		});
	}

	it('spends after a yes', async () => {
		const { output, asked } = await decide('Search');
		expect(asked).toBe('This search costs up to 50 credits: Mustfind, Ada, acme.example. Search?');
		expect(output).toBe('Found.');
		expect(harness.sandbox.ledger.totals()).toMatchObject({ searches: 1, charged: 40 });
	});

	it('spends nothing after a no', async () => {
		expect((await decide('No')).output).toBe('Not searched.');
		expect(harness.sandbox.ledger.entries).toEqual([]);
	});
});

/** The node with another 'Max Credits', where it has one. */
function withCap(node: INode, maxCredits: number): INode {
	const { options } = node.parameters;
	if (typeof options !== 'object' || options === null || !('maxCredits' in options)) return node;
	return { ...node, parameters: { ...node.parameters, options: { ...options, maxCredits } } };
}

interface Question {
	text: string;
	buttons: Array<{ text: string; link: string }>;
}

/** What the node of the human review has sent into the chat. */
function askedIn({ data }: Execution): Question {
	const sent = (data.resultData.runData['Human Review'] ?? []).flatMap(({ data: output }) =>
		Object.values(output ?? {}).flatMap((items) => items[0]?.[0]?.sendMessage ?? []),
	);
	const [question] = sent;
	if (typeof question !== 'object') throw new Error(`Nothing was asked: ${JSON.stringify(sent)}`);
	return question;
}
