import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { ensureError } from '../common/errors';
import { isToolCall } from './toolCall';

/** What n8n saves with the execution, and hands to its retry. */
export interface Saved {
	/** Of this node. */
	node: IDataObject;
	/** Of all nodes. */
	flow: IDataObject;
	executionId: string;
	/** Names the run of the node among its others: in a loop its number, as each turn is one. */
	turn: string;
}

/** All calls of a tool in an execution are one turn, though n8n counts each as a run. */
export const TOOL_TURN = 'tool';

export function openSaved(context: IExecuteFunctions): Saved {
	return {
		node: savedData(context, 'node'),
		flow: savedData(context, 'flow'),
		executionId: context.getExecutionId(),
		turn: isToolCall(context.getNode())
			? TOOL_TURN
			: String(context.evaluateExpression('{{ $runIndex }}', 0)),
	};
}

/** n8n's native agents run a node without an execution: then nothing is saved. */
export function savedData(context: IExecuteFunctions, of: 'node' | 'flow'): IDataObject {
	try {
		return context.getContext(of);
	} catch (error) {
		// Receipts that are lost would be paid for again.
		if (context.getExecutionId()) {
			throw new NodeOperationError(context.getNode(), ensureError(error));
		}
		return {};
	}
}
