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

const ACTION = 'n8n-nodes-contact-data.contactData';

describe.skipIf(lacks('the node search of its agents'))('the search of builders and agents', () => {
	const harness = useHarness();
	let search: (query: string) => string;

	beforeAll(async () => {
		const { bin } = await ensureN8n(() => {});
		const require = createRequire(bin);
		const catalog = require('@n8n/ai-utilities/node-catalog') as NodeCatalog;
		const { url, api } = harness.n8n;
		const response = await fetch(`${url}types/nodes.json`, { headers: api.headers });
		const all = (await response.json()) as INodeTypeDescription[];
		const parser = new catalog.NodeTypeParser(all);
		search = (query) => catalog.searchCodeBuilderNodes(parser, [query]).results;
	});

	it.each(['email finder', 'email lookup', 'verify email', 'bounce', 'phone numbers'])(
		'finds the node by "%s"',
		(query) => {
			expect(search(query)).toContain(`- ${ACTION}\n`);
		},
	);

	it('tells how to build with it', () => {
		const found = search('contact data');
		expect(found).toContain('@builderHint Every submission costs credits');
		expect(found).toMatch(/- submitBulkAndWait\n\s+Find the email addresses of many people/);
	});
});
