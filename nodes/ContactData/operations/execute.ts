import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { toItemError } from '../common/itemErrors';
import { Parameters } from '../input/parameters';
import { openRun } from '../input/run';
import { readRunOptions } from '../input/runOptions';
import { findLookup } from '../lookups';
import { readSwitch } from '../lookups/switch';
import { toNodeItems } from '../results/output';
import { getInfo } from './getInfo';
import { getBulkResult, getResult } from './getResult';
import type { OperationRun } from './operationRun';
import { submitAndWait } from './submitAndWait';
import { submitOnly } from './submitOnly';

type Operation = (operation: OperationRun) => Promise<INodeExecutionData[]>;

const operations = new Map<unknown, { size: OperationRun['size']; run: Operation }>([
	['submitAndWait', { size: 'single', run: submitAndWait }],
	['submit', { size: 'single', run: submitOnly }],
	['getResult', { size: 'single', run: getResult }],
	['submitBulkAndWait', { size: 'bulk', run: submitAndWait }],
	['submitBulk', { size: 'bulk', run: submitOnly }],
	['getBulkResult', { size: 'bulk', run: getBulkResult }],
]);

/** Runs the node once for all its input items. */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = context.getInputData();
	if (items.length === 0) return [[]];
	try {
		return [await runOperation(context)];
	} catch (thrown) {
		const error = toItemError(context.getNode(), thrown);
		// A run that throws under "Continue" would pass its input on as if it had succeeded.
		if (!context.continueOnFail()) throw error;
		const failures = items.map((_, item) => ({ item, error }));
		const input = includesInputFields(context) ? items : undefined;
		return [toNodeItems(context.getNode(), failures, input)];
	}
}

/** What an option says even where another one is what is wrong. */
function includesInputFields(context: IExecuteFunctions): boolean {
	try {
		const given = new Parameters(context).option('includeInputFields', 0);
		return readSwitch('Include Input Fields', given, ({ message }) => {
			throw new Error(message);
		});
	} catch {
		return false;
	}
}

async function runOperation(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const resource = context.getNodeParameter('resource', 0);
	if (resource === 'account') {
		const info = await getInfo(await openRun(context));
		return context.getInputData().map((_, item) => ({ json: { ...info }, pairedItem: item }));
	}
	const operation = context.getNodeParameter('operation', 0, '');
	const lookup = findLookup(resource);
	const found = operations.get(operation);
	if (lookup === undefined || found === undefined) {
		throw new NodeOperationError(
			context.getNode(),
			`There is no operation '${String(operation)}' for the resource '${String(resource)}'`,
			{ description: "Choose 'Resource' and 'Operation' from their lists." },
		);
	}
	const { size, run } = found;
	const options = readRunOptions(context, size);
	return await run({ context, run: await openRun(context), lookup, size, options });
}
