import type { INode } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

/** What is wrong, and how to mend it, in the user's words. */
export interface Problem {
	message: string;
	description: string;
}

/** The two kinds of error that n8n shows with an item. */
export type ItemError = NodeOperationError | NodeApiError;

/** What went wrong with one input item. */
export interface ItemFailure {
	item: number;
	error: ItemError;
	/** As it was sent, or was to be; `undefined` where it could not be read, or the error is of a whole list. */
	search?: Readonly<Record<string, string>>;
	/** What was already paid for, where there is something. */
	ids?: { id?: string; batch_id?: string };
	/** Whether it was refused because of the user's cap. */
	isOfCap?: boolean;
	/** Whether it only follows from the failure of another item. */
	isConsequence?: boolean;
}

export function isFailure<T extends object>(item: T | ItemFailure): item is ItemFailure {
	return 'error' in item;
}

/** The problem of one item as the error that n8n shows. */
export function problemError(
	node: INode,
	{ message, description }: Problem,
	itemIndex?: number,
): NodeOperationError {
	return new NodeOperationError(node, message, { description, itemIndex });
}

/** What was thrown, as the error that n8n shows. */
export function toItemError(node: INode, thrown: unknown, itemIndex?: number): ItemError {
	if (thrown instanceof NodeOperationError || thrown instanceof NodeApiError) return thrown;
	return new NodeOperationError(node, ensureError(thrown), { itemIndex });
}

/** What was thrown, as an error, whatever it is. */
export function ensureError(thrown: unknown): Error {
	return thrown instanceof Error ? thrown : new Error(String(thrown));
}
