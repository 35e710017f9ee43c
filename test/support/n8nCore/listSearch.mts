import { LoadOptionsContext } from 'n8n-core';
import type { INodeListSearchResult } from 'n8n-workflow';
import {
	createAdditionalData,
	createWorkflow,
	nodeName,
	type EnvironmentOptions,
	type NodeUnderTest,
} from './environment.mts';

export interface ListSearchOptions extends NodeUnderTest, EnvironmentOptions {
	/** A key of the node's `methods.listSearch`. */
	method: string;
	/** The parameter's path. Default `'parameters.options.webhook'`. */
	path?: string;
	filter?: string;
	paginationToken?: string;
}

/** Fills a resource locator's list, as the editor does. Rejects with what the method threw. */
export async function listSearch(options: ListSearchOptions): Promise<INodeListSearchResult> {
	const { method, path = 'parameters.options.webhook', filter, paginationToken } = options;
	const search = options.node.methods?.listSearch?.[method];
	const workflow = createWorkflow([options], {}, options);
	const node = workflow.getNode(nodeName(options));
	if (node === null || search === undefined) throw new Error(`The node has no list '${method}'`);

	const additionalData = createAdditionalData('internal', options);
	delete additionalData.executionId;
	additionalData.currentNodeParameters = structuredClone(options.parameters ?? {});
	const context = new LoadOptionsContext(workflow, node, additionalData, path);
	return await search.call(context, filter, paginationToken);
}
