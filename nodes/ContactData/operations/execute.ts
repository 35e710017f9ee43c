import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { lookups } from '../lookups';
import type { Lookup } from '../lookups/types';
import { getInfo } from './getInfo';
import type { ItemError } from '../common/itemErrors';
import { toItems } from '../results/output';
import { ensureError } from '../common/itemErrors';
import { getBulkResult, getResult } from './getResult';
import { submitOnly } from './submitOnly';
import { submitAndWait } from './submitAndWait';

type Operation = (context: IExecuteFunctions, lookup: Lookup) => Promise<INodeExecutionData[]>;

const operations = new Map<unknown, Operation>([
	['submitAndWait', async (context, lookup) => await submitAndWait(context, lookup, 'single')],
	['submit', async (context, lookup) => await submitOnly(context, lookup, 'single')],
	['getResult', getResult],
	['submitBulkAndWait', async (context, lookup) => await submitAndWait(context, lookup, 'bulk')],
	['submitBulk', async (context, lookup) => await submitOnly(context, lookup, 'bulk')],
	['getBulkResult', getBulkResult],
]);

/** Runs the node once for all its input items. */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = context.getInputData();
	if (items.length === 0) return [[]];
	try {
		return [await runOperation(context)];
	} catch (error) {
		const problem = toNodeError(context, error);
		// A run that throws under "Continue" would pass its input on as if it had succeeded.
		if (!context.continueOnFail()) throw problem;
		return [
			toItems(
				context,
				items.map((_, item) => ({ item, error: problem })),
			),
		];
	}
}

function toNodeError(context: IExecuteFunctions, error: unknown): ItemError {
	if (error instanceof NodeOperationError || error instanceof NodeApiError) return error;
	return new NodeOperationError(context.getNode(), ensureError(error));
}

async function runOperation(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const resource = context.getNodeParameter('resource', 0);
	if (resource === 'account') {
		const info = await getInfo(context);
		return context.getInputData().map((_, item) => ({ json: { ...info }, pairedItem: item }));
	}
	const operation = context.getNodeParameter('operation', 0, '');
	const lookup = Object.values(lookups).find(({ name }) => name === resource);
	const run = operations.get(operation);
	if (lookup === undefined || run === undefined) {
		throw new NodeOperationError(
			context.getNode(),
			`There is no operation '${String(operation)}' for the resource '${String(resource)}'`,
			{ description: "Choose 'Resource' and 'Operation' from their lists." },
		);
	}
	return await run(context, lookup);
}
