import { createRequire } from 'node:module';
import type { INodeTypeDescription } from 'n8n-workflow';
import { beforeAll, describe, expect, it } from 'vitest';

import { useHarness } from '../support/n8n/harness.mts';
import { ensureN8n } from '../support/n8n/install.mts';
import { lacks } from '../support/n8n/lacks.mts';

// The search of n8n's own builders, agents and MCP server, over all nodes of this n8n.

/** What is used of n8n's package `@n8n/ai-utilities/node-catalog`. */
interface NodeCatalog {
	NodeTypeParser: new (types: INodeTypeDescription[]) => object;
	searchCodeBuilderNodes(parser: object, queries: string[]): { results: string };
}

/** And of `@n8n/workflow-sdk`: the types that a model reads before it writes a node. */
interface WorkflowSdk {
	generateNodeTypeFile(nodes: INodeTypeDescription[]): string;
}

const ACTION = 'n8n-nodes-contact-data.contactData';
const TRIGGER = 'n8n-nodes-contact-data.contactDataTrigger';

describe.skipIf(lacks('the node search of its agents'))('the search of builders and agents', () => {
	const harness = useHarness();
	let search: (query: string) => string;
	let typesOf: (node: string) => string;

	beforeAll(async () => {
		const { bin } = await ensureN8n(() => {});
		const require = createRequire(bin);
		const catalog = require('@n8n/ai-utilities/node-catalog') as NodeCatalog;
		const sdk = require('@n8n/workflow-sdk') as WorkflowSdk;
		const { url, api } = harness.n8n;
		const response = await fetch(`${url}types/nodes.json`, { headers: api.headers });
		const all = (await response.json()) as INodeTypeDescription[];
		const parser = new catalog.NodeTypeParser(all);
		typesOf = (node) => sdk.generateNodeTypeFile(all.filter(({ name }) => name === node));
		search = (query) => catalog.searchCodeBuilderNodes(parser, [query]).results;
	});

	it.each([
		'email finder',
		'find email addresses',
		'email lookup',
		'email verification',
		'verify email',
		'validate email',
		'bounce',
		'phone numbers',
		'enrich contacts',
		'lead enrichment',
		'prospecting',
		'contact data',
	])('finds the node by "%s"', (query) => {
		expect(search(query)).toContain(`- ${ACTION}\n`);
	});

	it('tells how to build with it, and what goes with it', () => {
		const found = search('contact data');
		expect(found).toContain('@builderHint Every submission costs credits');
		expect(found).toContain(`- ${TRIGGER}: "Starts a workflow when a search`);
		expect(found).toContain(`- ${ACTION}: "Starts the searches`);
		expect(found).toMatch(/- submitBulkAndWait\n\s+Find the email addresses of many people/);
	});

	it('the types tell how a list is done for at most so many credits', () => {
		const types = typesOf(ACTION);
		const [many = ''] =
			/ContactDataV1EmailFinderSubmitBulkAndWaitParams = \{.*?\n\};/s.exec(types) ?? [];
		const [example = ''] = /<pattern .*?<\/pattern>/s.exec(many) ?? [];
		expect(example).toContain("operation: 'submitBulkAndWait'");
		expect(example).toContain("inputMode: 'each'");
		expect(example).toContain("fullname: expr('{{ $json.fullname }}')");
		expect(example).toContain('options: { maxCredits: 500 }');
		for (const parameter of ['inputMode', 'waitMode', 'maxCredits', 'earlierId']) {
			expect(many).toMatch(
				new RegExp(String.raw`@builderHint (?:(?!\*/).)*\*/\s+${parameter}\?:`, 's'),
			);
		}
	});
});
