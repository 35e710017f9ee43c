import { describe, expect, it } from 'vitest';

import { useHarness } from '../support/n8n/harness.mts';
import { lacks } from '../support/n8n/lacks.mts';
import { companyMissing } from '../support/texts.mts';
import { withModel } from './agent.mts';
import { toolResult, type ModelAnswer, type ModelRequest } from './model.mts';

// n8n's own agents, which need no workflow: they run a node by itself, with neither an execution nor
// a cancel signal.

const FIND_EMAIL = {
	resource: 'emailFinder',
	operation: 'submitAndWait',
	fullname: "={{ $fromAI('Full_Name', 'First and last name of the person', 'string') }}",
	companyDomain: "={{ $fromAI('Company_Domain', 'Domain of the company', 'string', '') }}",
};

const harness = useHarness();

describe.skipIf(lacks('native agents'))("as a tool of n8n's native agents", () => {
	it('finds an email, after it was told what is wrong', async () => {
		const given = { Full_Name: 'mustfind ada', Company_Domain: 'acme.example' };
		const { text, requests } = await chat((request) => {
			const result = toolResult(request);
			if (result === undefined) {
				return { tool: 'Find_Email', arguments: { ...given, Company_Domain: '' } };
			}
			const email = /[\w.]+@[\w.]+/.exec(result)?.[0];
			return email !== undefined
				? { text: `I found ${email}.` }
				: { tool: 'Find_Email', arguments: given };
		});
		expect(text).toBe('I found mustfind.ada@acme.example.');
		const tool = requests[0].tools?.find(({ function: { name } }) => name === 'Find_Email');
		expect(tool?.function.parameters).toMatchObject({
			properties: { Full_Name: { type: 'string' }, Company_Domain: { type: 'string' } },
		});
		const result = toolResult(requests[1]);
		expect(result).toContain(companyMissing);
		expect(result).toContain("Fill in the company's domain or name");
		expect(harness.sandbox.ledger.totals()).toMatchObject({ searches: 1 });
	});
});

/** Asks an agent with this one tool, and with a model that follows a script. */
async function chat(
	script: (request: ModelRequest) => ModelAnswer,
): Promise<{ text: string; requests: readonly ModelRequest[] }> {
	const { api } = harness.n8n;
	return await withModel(harness, script, async (openAi, requests) => {
		const { id: projectId } = await api.rest<{ id: string }>('GET', 'projects/personal');
		const agents = `projects/${projectId}/agents/v2`;
		const { id } = await api.rest<{ id: string }>('POST', agents, { name: 'Finder' });
		const config = `${agents}/${id}/config`;
		const { configHash } = await api.rest<{ configHash: string | null }>('GET', config);
		await api.rest('PUT', config, {
			baseConfigHash: configHash,
			config: {
				name: 'Finder',
				model: 'openai/scripted',
				credential: openAi.id,
				instructions: 'You find business contacts.',
				tools: [
					{
						type: 'node',
						name: 'Find_Email',
						description: 'Finds the business email address of one person',
						node: {
							nodeType: 'n8n-nodes-contact-data.contactData',
							nodeTypeVersion: 1,
							nodeParameters: FIND_EMAIL,
							credentials: { contactDataApi: harness.credential },
						},
					},
				],
			},
		});
		const response = await fetch(`${harness.n8n.url}rest/${agents}/${id}/chat`, {
			method: 'POST',
			headers: { ...api.headers, 'content-type': 'application/json' },
			body: JSON.stringify({ message: 'What is the email address of Ada?' }),
		});
		return { text: saidIn(await response.text()), requests };
	});
}

/** What the agent says, from the events in which it comes piece by piece. */
function saidIn(events: string): string {
	const pieces = [...events.matchAll(/^data: (.*"text-delta".*)$/gm)];
	return pieces.map(([, event]) => (JSON.parse(event) as { delta: string }).delta).join('');
}
