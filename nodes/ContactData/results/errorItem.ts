import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import type { Failure } from '../common/errors';
import { describeInItem, toError } from './explain';

/**
 * What an item of which something went wrong says: which one it is, and what was already paid for.
 */
export function toErrorJson(failure: Failure): IDataObject {
	const { problem, item, search, ids, status } = failure;
	const description = describeInItem(failure);
	return {
		error: problem.message,
		...(description !== '' && { description }),
		item,
		...(search !== undefined && { search }),
		...(status !== undefined && { status }),
		...ids,
	};
}

export function toErrorItem(node: INode, failure: Failure, json: IDataObject): INodeExecutionData {
	const { item = 0 } = failure;
	// n8n's error output copies the item, and with it `json`, only where the pairing is an object.
	const output: INodeExecutionData = { json, pairedItem: { item } };
	// n8n routes by `error`, but where it can be listed it replaces `json`, and the id with it.
	if (node.onError === 'continueErrorOutput') {
		const error = toError(node, failure);
		Object.defineProperty(output, 'error', { value: error, writable: true });
	}
	return output;
}

/** Whether an item says that something went wrong; a result may have an `error` of the service. */
export function isErrorJson({ error, status }: IDataObject): boolean {
	return error !== undefined && error !== null && status !== 'completed';
}
