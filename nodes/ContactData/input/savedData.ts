import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

/**
 * What n8n saves with the execution, of the node or of all its nodes. n8n's native agents run a node
 * without an execution: then nothing is saved.
 */
export function savedData(context: IExecuteFunctions, of: 'node' | 'flow'): IDataObject {
	try {
		return context.getContext(of);
	} catch (error) {
		// Receipts that are lost would be paid for again.
		if (context.getExecutionId()) throw error;
		return {};
	}
}
