import type { IExecuteFunctions, NodeApiError } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

/** The two kinds of error that n8n shows with an item. */
export type ItemError = NodeOperationError | NodeApiError;

/** What is wrong, and how to mend it, as the error of an item. */
export function problemError(
	context: IExecuteFunctions,
	{ message, description }: { message: string; description: string },
	itemIndex: number,
): NodeOperationError {
	return new NodeOperationError(context.getNode(), message, { description, itemIndex });
}

/** What was thrown, as an error, whatever it is. */
export function ensureError(thrown: unknown): Error {
	// V8's words for it, such as "Maximum call stack size exceeded", help nobody.
	if (thrown instanceof RangeError) {
		return new Error('A value is nested too deeply, or is too large, to be handled', {
			cause: thrown,
		});
	}
	return thrown instanceof Error ? thrown : new Error(String(thrown));
}
