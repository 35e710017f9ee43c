import type { IExecuteFunctions, INode, Logger } from 'n8n-workflow';
import type { Connection } from '../service/request';
import { connect } from './credential';
import { ExecutionNotes } from './executionNotes';

/**
 * What the floors below need of n8n for one run of the node, made once. `connection` keeps n8n's
 * context alive, which n8n needs to sign requests: what outlives the run must not keep it for long.
 */
export interface Run {
	connection: Connection;
	/** For errors. */
	node: INode;
	/** Whether the workflow goes on after an item that failed. */
	continueOnFail: boolean;
	/** Aborted when the execution is stopped. */
	signal?: AbortSignal;
	logger: Logger;
	/** What the execution has cost and found so far. */
	notes: ExecutionNotes;
}

/** @throws NodeOperationError when the credential cannot be used */
export async function openRun(context: IExecuteFunctions): Promise<Run> {
	return {
		connection: await connect(context),
		node: context.getNode(),
		continueOnFail: context.continueOnFail(),
		signal: context.getExecutionCancelSignal(),
		logger: context.logger,
		notes: ExecutionNotes.of(context),
	};
}

/** Whether an AI agent calls the node: n8n has registered it a second time, as a tool. */
export function isToolCall({ type, rewireOutputLogTo }: INode): boolean {
	return type.endsWith('Tool') || rewireOutputLogTo !== undefined;
}
