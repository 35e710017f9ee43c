import { LoadOptionsContext } from 'n8n-core';
import type { INodeListSearchResult } from 'n8n-workflow';
import {
	createAdditionalData,
	createWorkflow,
	nodeName,
	type EnvironmentOptions,
	type NodeUnderTest,
} from './environment.mts';

const PATH = 'parameters.options.webhook';

export interface ListSearchOptions extends NodeUnderTest, EnvironmentOptions {
	/** A key of the node's `methods.listSearch`. */
	method: string;
	filter?: string;
}

/** Fills a resource locator's list, as the editor does. Rejects with what the method threw. */
export async function listSearch(options: ListSearchOptions): Promise<INodeListSearchResult> {
	const { method, filter } = options;
	const search = options.node.methods?.listSearch?.[method];
	const workflow = createWorkflow([options], {}, options);
	const node = workflow.getNode(nodeName(options));
	if (node === null || search === undefined) throw new Error(`The node has no list '${method}'`);

	const additionalData = createAdditionalData('internal', options);
	delete additionalData.executionId;
	additionalData.currentNodeParameters = structuredClone(options.parameters ?? {});
	const context = new LoadOptionsContext(workflow, node, additionalData, PATH);
	return await search.call(context, filter);
}
