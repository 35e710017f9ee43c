import { readFile } from 'node:fs/promises';
import { jsonParse, NodeHelpers, type INode, type INodeType } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { ContactData } from '../../../nodes/ContactData/ContactData.node.ts';
import { ContactDataTrigger } from '../../../nodes/ContactData/ContactDataTrigger.node.ts';
import { exampleNames, EXAMPLES } from '../../support/n8n/examples.mts';

const NODES: Record<string, INodeType> = {
	contactData: new ContactData(),
	// An agent's tool is the action node.
	contactDataTool: new ContactData(),
	contactDataTrigger: new ContactDataTrigger(),
};
/** What n8n adds to a node that is a tool. */
const OF_TOOLS = ['descriptionType', 'toolDescription'];

const examples = await exampleNames();

describe.for(examples)('%s', async (name) => {
	const text = await readFile(new URL(`${name}.json`, EXAMPLES), 'utf8');
	const workflow = jsonParse<{ nodes: INode[] }>(text);
	const ours = workflow.nodes.filter(({ type }) => type.startsWith('n8n-nodes-contact-data.'));

	it('has nodes of ours', () => {
		expect(ours).not.toEqual([]);
	});

	it.for(ours)('gives $name what the editor shows, and nothing else', (node) => {
		const { description } = NODES[node.type.replace(/.*\./, '')];
		const { properties } = description;
		const parameters = Object.fromEntries(
			Object.entries(node.parameters).filter(([parameter]) => !OF_TOOLS.includes(parameter)),
		);
		expect(
			NodeHelpers.getNodeParameters(properties, parameters, true, false, node, description),
		).toMatchObject(parameters);
		expect(NodeHelpers.getNodeParametersIssues(properties, node, description)).toBeNull();
		for (const [parameter, value] of Object.entries(parameters)) {
			const choices = properties
				.filter(({ name, type }) => name === parameter && type === 'options')
				.flatMap(({ options = [] }) => options)
				.flatMap((option) => ('value' in option ? [option.value] : []));
			if (choices.length > 0) expect(choices).toContain(value);
		}
	});

	it('is on the page of the examples, with its picture', async () => {
		const page = await readFile(new URL('README.md', EXAMPLES), 'utf8');
		expect(page).toContain(`](${name}.json)`);
		expect(page).toContain(`](../.github/images/examples/${name}.png)`);
	});
});
