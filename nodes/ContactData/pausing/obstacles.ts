import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { ProblemError } from '../common/errors';
import { asText } from '../common/values';
import type { Run } from '../input/run';
import { isToolCall } from '../input/toolCall';
import type { ItemOutput } from '../results/items';
import { toNodeItems } from '../results/items';
import { hasPrivateHost } from '../input/webhook';
import type { Started } from '../spending/start';

/**
 * The end of the resume URL's path. A call for this node that comes late then finds nothing to
 * resume, where it would otherwise resume a Wait node that the execution has come to since.
 */
export const RESUME_PATH = 'contact-data';

/** The id of the caller of a sub-workflow that is no execution, such as an MCP client. */
const NO_EXECUTION = '__UNKNOWN__';

/** Ids of n8n's opt-in engine, which would hand on what is parked as results. Others are numbers. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * n8n looks once a minute for waits that are over, and can be late by that much. Its own Wait node
 * does not park for less either.
 */
const LEAST_PARKED_MS = 65_000;

/** Why n8n cannot park this execution, in the user's words; `undefined` where it can. */
export function obstacleOfExecution(
	context: IExecuteFunctions,
	timeoutMs: number,
): string | undefined {
	const node = context.getNode();
	if (isToolCall(node)) return 'a tool call cannot be paused';
	// n8n then gives the node a copy of its input, and saves its own: the IDs would be lost.
	if (node.executeOnce === true) return "with 'Execute Once', n8n would not keep the IDs";
	const executionId = asText(context.getExecutionId());
	if (executionId === undefined) return 'n8n gave this execution no ID';
	if (context.getExecutionContext()?.parentExecutionId === NO_EXECUTION) {
		return 'the MCP client that called this workflow is waiting for its answer';
	}
	if (UUID.test(executionId)) return "n8n's new engine cannot pause an execution";
	if (timeoutMs < LEAST_PARKED_MS) {
		return "with a 'Timeout' of less than 65 seconds, n8n could be a minute late";
	}
	return undefined;
}

/**
 * The URL by which the service resumes this execution; it carries n8n's signature.
 * @throws ProblemError when the service could never reach it, before money is spent
 */
export function findResumeUrl(context: IExecuteFunctions, { connection }: Run): string {
	const url = asText(context.evaluateExpression('{{ $execution.resumeUrl }}', 0)) ?? '';
	if (url !== '' && (!hasPrivateHost(url) || hasPrivateHost(connection.account.baseUrl))) {
		return url.replace(/\?|$/, `/${RESUME_PATH}$&`);
	}
	const address = url.replace(/\?.*/, '');
	throw new ProblemError({
		problem: {
			message: 'The service cannot reach this n8n, so a paused execution would never be resumed',
			description: `The address of this n8n, ${address}, cannot be reached from the internet. Set n8n's webhook URL (WEBHOOK_URL) to a public address, or set 'Wait Mode' to Keep Running.`,
			next: 'again',
		},
	});
}

/** Why n8n's time limit leaves no time for a pause; `undefined` where there is enough. */
export function obstacleOfLimit(pauseMs: number): string | undefined {
	return pauseMs < LEAST_PARKED_MS
		? "n8n's time limit for this execution would end it before a pause is over"
		: undefined;
}

/** Why what was started cannot be waited for by parking; `undefined` where it can. */
export function obstacleOfStarted({ submissions, receipts }: Started): string | undefined {
	return submissions.some(({ key }) => receipts.isOfEarlierExecution(key))
		? 'some searches were started by an earlier execution, and the service notifies that one'
		: undefined;
}

/**
 * Why what a run has to give cannot be parked; `undefined` where it can.
 * @param input the input items, where their fields are to stand under those of the waiting ones
 */
export function obstacleOfItems(
	node: INode,
	outputs: ItemOutput[],
	input: INodeExecutionData[],
): string | undefined {
	// n8n pairs by position after a resume.
	if (new Set(outputs.map(({ item }) => item)).size !== outputs.length) {
		return 'a list is in several batches, which n8n could not pair with its item';
	}
	return willRunAgain(node, toNodeItems(node, outputs.slice(0, 1), input))
		? "with 'Retry On Fail', n8n would run the node again, as the first item has an error"
		: undefined;
}

/** n8n's rule for Retry On Fail, in every error mode and also after a run that succeeded. */
export function willRunAgain({ retryOnFail }: INode, items: INodeExecutionData[]): boolean {
	return retryOnFail === true && items[0]?.json.error !== undefined;
}
