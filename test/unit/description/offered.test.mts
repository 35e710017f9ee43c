import type { INode, INodeParameters, INodeProperties } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { ContactData } from '../../../nodes/ContactData/ContactData.node.ts';
import { READ_OPERATIONS, SUBMIT_OPERATIONS } from '../../../nodes/ContactData/input/settings.ts';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import { optionsOf } from '../../support/properties.mts';
import { descriptionOfTool } from '../../support/n8nCore/environment.mts';

const node = new ContactData().description;
const tool = descriptionOfTool(node);

/** The labels of what the editor offers with these parameters, and with the options that have effect on others. */
function offered(description: typeof node, given: INodeParameters): string[] {
	const parameters = { inputMode: 'each', waitMode: 'poll', nameFormat: 'fullName', ...given };
	const where: INode = {
		...{ id: '1', name: '', type: description.name, typeVersion: 1, position: [0, 0] },
		parameters,
	};
	const isShown = (values: INodeParameters) => (property: INodeProperties) =>
		property.type !== 'hidden' &&
		NodeHelpers.displayParameter(values, property, where, description, parameters);
	const { properties } = description;
	return [
		...properties.filter(isShown(parameters)),
		...properties
			.filter(isShown(parameters))
			.flatMap(optionsOf)
			.filter(isShown({ waitForResult: true })),
	].map(({ displayName, default: value }) =>
		displayName === 'Timeout (Seconds)' ? `Timeout: ${Number(value)}` : displayName,
	);
}

it.for<[string, string[], string[]]>([
	[
		'submitAndWait',
		['Include Input Fields', 'On Timeout', 'Timeout: 300', 'Wait Mode'],
		['Timeout: 45'],
	],
	[
		'submitBulkAndWait',
		['Include Input Fields', 'On Timeout', 'Timeout: 7200', 'Wait Mode'],
		['Timeout: 45'],
	],
	['submit', ['Include Input Fields', 'Webhook'], []],
	['submitBulk', ['Include Input Fields', 'Webhook'], []],
	['getResult', ['On Timeout', 'Timeout: 7200'], []],
	['getBulkResult', ['On Timeout', 'Timeout: 7200'], []],
])('a tool is offered what it can do: %s', ([operation, onlyOfNode, onlyOfTool]) => {
	const given = { resource: 'emailFinder', operation };
	const [ofNode, ofTool] = [offered(node, given), offered(tool, given)];
	expect(ofNode.filter((label) => !ofTool.includes(label)).sort()).toEqual(onlyOfNode);
	expect(ofTool.filter((label) => !ofNode.includes(label)).sort()).toEqual(onlyOfTool);
});

it('with a list in one item, the editor offers nothing that is of an item of its own', () => {
	const [each, list] = ['each', 'array'].map((inputMode) =>
		offered(node, { resource: 'emailFinder', operation: 'submitBulkAndWait', inputMode }),
	);
	const options = ['Custom Data per Item', 'ID of an Earlier Search', 'Include Input Fields'];
	expect(each).toEqual(expect.arrayContaining(options));
	for (const option of options) expect(list).not.toContain(option);
});

it('a node is saved with a cap of 100 where it submits, whatever the lookup, and without one where it reads', () => {
	for (const { name: resource } of Object.values(lookups)) {
		for (const operation of [...SUBMIT_OPERATIONS, ...READ_OPERATIONS]) {
			const given = { resource, operation };
			const filled = NodeHelpers.getNodeParameters(
				node.properties,
				given,
				true,
				false,
				{ typeVersion: 1 },
				node,
			);
			const cap = SUBMIT_OPERATIONS.includes(operation) ? { maxCredits: 100 } : {};
			expect(filled?.options, `${resource} ${operation}`).toEqual(cap);
		}
	}
});
