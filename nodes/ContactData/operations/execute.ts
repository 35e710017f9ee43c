import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { RunFailure } from '../common/errors';
import { toFailure } from '../common/errors';
import {
	includesInputFields,
	readRunOptions,
	SUBMIT_OPERATIONS,
	WAIT_OPERATIONS,
} from '../input/options';
import { Parameters } from '../input/parameters';
import { ExecutionNotes } from '../input/notes';
import { openRun } from '../input/run';
import type { ToolCall } from '../input/toolCall';
import { givesFailures, openToolCall, problemOfSettings } from '../input/toolCall';
import { findLookup } from '../lookups';
import { toNodeItems } from '../results/items';
import type { Ending } from '../results/explain';
import { toError } from '../results/explain';
import { toToolAnswer } from '../results/toolAnswer';
import { getInfo } from './getInfo';
import { getBulkResult, getResult } from './getResult';
import type { OperationRun } from './operationRun';
import { receiptsOf } from './operationRun';
import { submitAndWait } from './submitAndWait';
import { submitOnly } from './submitOnly';

/** What n8n adds by itself to Resource and Operation of a node whose credential signs requests. */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

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
	const call = openToolCall(context);
	const problem = problemOfSettings(context.getNode());
	if (problem !== undefined) throw toError(context.getNode(), { problem }, NOTHING_PAID);
	const given = await runOrTellFailure(context, items, call);
	return [call === undefined ? given : answerCall(context, call, given)];
}

async function runOrTellFailure(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	call: ToolCall | undefined,
): Promise<INodeExecutionData[]> {
	try {
		return await runOperation(context, call);
	} catch (thrown) {
		const { failure, ending } = endRun(context, call, toFailure(thrown));
		// A run that throws under "Continue" would pass its input on as if it had succeeded.
		if (!givesFailures(context)) throw toError(context.getNode(), failure, ending);
		const failures = items.map((_, item) => ({ ...failure, item }));
		const input = includesInputFields(context) ? items : undefined;
		return toNodeItems(context.getNode(), failures, input);
	}
}

/**
 * What has ended a run, and what its execution has paid for by then. An error that comes before earlier
 * tries are looked at is all that n8n shows of their ids, too.
 */
function endRun(
	context: IExecuteFunctions,
	call: ToolCall | undefined,
	failure: RunFailure,
): { failure: RunFailure; ending: Ending } {
	const { paidFor = [], unsure = 0 } = failure.paid ?? {};
	const hasPaid = paidFor.length > 0 || unsure > 0;
	const asFarAsIsKnown = { failure, ending: { ...NOTHING_PAID, hasPaid } };
	if (call !== undefined) return asFarAsIsKnown;
	const { size = 'single' } = operations.get(context.getNode().parameters?.operation) ?? {};
	try {
		const receipts = receiptsOf(context);
		const known = receipts.paid();
		const ids = new Set([...paidFor, ...known.paidFor]);
		const paid = { size, paidFor: [...ids], unsure: Math.max(unsure, known.unsure) };
		const sent = ExecutionNotes.of(context).sent;
		const hasPaidBefore = sent > receipts.list().length;
		const hasPaidHere = ids.size > 0 || paid.unsure > 0;
		return {
			failure: { ...failure, paid },
			ending: {
				hasPaid: hasPaidBefore || hasPaidHere,
				hasPaidBefore,
				retry: retryOf(context),
			},
		};
	} catch {
		// Where n8n cannot give the receipts, its fault must not hide this one.
		return asFarAsIsKnown;
	}
}

const NOTHING_PAID: Ending = { hasPaid: false, hasPaidBefore: false, retry: 'none' };

/** n8n retries what has failed by itself; of a sub-workflow, it retries the workflow that has called it. */
function retryOf(context: IExecuteFunctions): Ending['retry'] {
	if (context.getExecutionCancelSignal()?.aborted === true) return 'none';
	return context.getMode() === 'integrated' ? 'paysAgain' : 'goesOn';
}

async function runOperation(
	context: IExecuteFunctions,
	call: ToolCall | undefined,
): Promise<INodeExecutionData[]> {
	const resource = context.getNodeParameter('resource', 0);
	const operation = context.getNodeParameter('operation', 0, '');
	if (resource === CUSTOM_API_CALL || operation === CUSTOM_API_CALL) {
		throw new NodeOperationError(context.getNode(), 'This node makes no custom API calls', {
			description:
				"Choose one of its operations, which cover the whole service. For a request of your own use n8n's HTTP Request node, and allow it in the Contact Data API credential under 'HTTP Request Node': it then shows the API key to whoever can see its errors.",
		});
	}
	if (resource === 'account') {
		const info = await getInfo(await openRun(context, call));
		return context.getInputData().map((_, item) => ({ json: { ...info }, pairedItem: item }));
	}
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
	return await run({ context, run: await openRun(context, call), lookup, size, options });
}

/** What a model reads of a call. */
function answerCall(
	context: IExecuteFunctions,
	{ isOfAgent }: ToolCall,
	items: INodeExecutionData[],
): INodeExecutionData[] {
	const lookup = findLookup(context.getNodeParameter('resource', 0));
	const operation = context.getNodeParameter('operation', 0, '');
	const { size } = operations.get(operation) ?? {};
	if (lookup === undefined || size === undefined) return items;
	const isFind = WAIT_OPERATIONS.some((one) => one === operation);
	const isStart = SUBMIT_OPERATIONS.some((one) => one === operation) && !isFind;
	const answer = toToolAnswer(
		{
			lookup,
			size,
			finishesBySameCall: isOfAgent && !isStart,
			takesEarlierId: isFind && new Parameters(context).isAdded('earlierId'),
		},
		items.map(({ json }) => json),
	);
	// A call has one item.
	return answer.map((json) => ({ json, pairedItem: 0 }));
}
