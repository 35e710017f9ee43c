import type { IExecuteFunctions, INode } from 'n8n-workflow';
import { monotonicMs } from '../common/time';
import type { Problem } from '../common/errors';
import { isRecord } from '../common/values';

/** Clients of tools give up after a minute. */
export const CALL_S = 45;
const CALL_MS = 1000 * CALL_S;
/** How much longer the last reads may take. */
const LAST_READS_MS = 5_000;

/** A call of the node as a tool of an AI: somebody waits for its answer, and not for long. */
export interface ToolCall {
	/** When its answer is due, by the monotonic clock, in milliseconds. */
	endsAt: number;
	/** Until when a read may take, by the same clock. */
	readsEndAt: number;
	/** Aborted when its answer is due: what has not been sent by then is not sent any more. */
	timeUp: AbortSignal;
	/** Whether an equal call that follows is of the same execution, and finds the receipts of this one. */
	isOfAgent: boolean;
}

/** What is said of a search that nobody came to start in time. */
export const OUT_OF_TIME: Problem = {
	message: `Not started, because the ${CALL_S} seconds of a tool call were over`,
	description:
		'This call has sent nothing for it, so nothing was charged. Call this tool again, in a while.',
};

/** What is wrong with the settings of a tool, where nothing that it pays for would reach the model. */
export function problemOfSettings({ onError, rewireOutputLogTo }: INode): Problem | undefined {
	// n8n's engine takes the first output of such a tool for that of its errors, and empties it.
	const isLost = onError === 'continueErrorOutput' && rewireOutputLogTo !== undefined;
	return isLost
		? {
				message:
					"With 'On Error' Continue (using error output), n8n would lose the answer of this tool",
				description: "Set 'On Error' in the settings of the tool to Continue. Nothing was started.",
			}
		: undefined;
}

/** Whether an AI agent calls the node: n8n has registered it a second time, as a tool. */
function isToolCall({ type }: INode): boolean {
	return type.endsWith('Tool');
}

/** A call that begins now; `undefined` where the node is no tool. */
export function openToolCall(context: IExecuteFunctions): ToolCall | undefined {
	if (!isToolCall(context.getNode())) return undefined;
	const endsAt = monotonicMs() + CALL_MS;
	return {
		endsAt,
		readsEndAt: endsAt + LAST_READS_MS,
		timeUp: AbortSignal.timeout(CALL_MS),
		isOfAgent: Boolean(context.getExecutionId()) && !isOfMcpClient(context),
	};
}

/** Whether failures come out as items: by 'On Error', or in a tool where nobody has set it, as an error ends many agents. */
export function givesFailures(context: IExecuteFunctions): boolean {
	const node = context.getNode();
	const { onError, continueOnFail } = node;
	if (context.continueOnFail()) return true;
	if (onError !== undefined) return onError !== 'stopWorkflow';
	return continueOnFail === true || isToolCall(node);
}

/** n8n tells the context of an invoked tool whose tool it is. */
function isOfMcpClient(context: IExecuteFunctions): boolean {
	if (!('parentNode' in context) || !isRecord(context.parentNode)) return false;
	const { type } = context.parentNode;
	return typeof type === 'string' && type.endsWith('.mcpTrigger');
}
