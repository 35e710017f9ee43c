import type { IExecuteFunctions, INode, Logger } from 'n8n-workflow';
import type { Connection } from '../service/request';
import { connect } from './credential';

/**
 * What one run of the node needs of n8n below its door, made once. It holds neither the items nor
 * the execution, so what outlives the run keeps neither alive but through `connection`.
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
}

/** @throws NodeOperationError when the credential cannot be used */
export async function openRun(context: IExecuteFunctions): Promise<Run> {
	return {
		connection: await connect(context),
		node: context.getNode(),
		continueOnFail: context.continueOnFail(),
		signal: context.getExecutionCancelSignal(),
		logger: context.logger,
	};
}
