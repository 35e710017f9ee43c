import type { IExecuteFunctions, INode } from 'n8n-workflow';
import { ProblemError } from '../common/errors';
import { asText } from '../common/values';
import type { Given } from '../input/rows';
import type { Run } from '../input/run';
import type { Form } from '../input/form';
import { hasPrivateHost } from '../input/webhook';
import type { Order } from '../orders/order';
import { toNodeItems } from '../results/items';
import { obstacleOfAddress } from './address';

/**
 * The end of the resume URL's path. A call for this node that comes late then finds nothing to
 * resume, where it would otherwise resume a Wait node that the execution has come to since.
 */
export const RESUME_PATH = 'contact-data';

/** The id of the caller of a sub-workflow that is no execution, such as an MCP client. */
const NO_EXECUTION = '__UNKNOWN__';

/** Ids of n8n's opt-in engine, which would hand on what waits as results. Others are numbers. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * n8n looks once a minute for waits that are over, and can be late by that much. Its own Wait node
 * does not pause for less either.
 */
const LEAST_PAUSE_MS = 65_000;

/** Where the service calls back for this execution, or why n8n cannot pause it. */
export type Pausing = { resumeUrl?: string; obstacle?: string };

/** @throws ProblemError when the service could never call back, before money is spent */
export async function openPause(context: IExecuteFunctions, run: Run): Promise<Pausing> {
	const ofExecution = obstacleOfExecution(context, run.settings.timeoutMs);
	if (ofExecution !== undefined) return { obstacle: ofExecution };
	const resumeUrl = findResumeUrl(context, run);
	const obstacle = await obstacleOfAddress(context, resumeUrl);
	return obstacle === undefined ? { resumeUrl } : { obstacle };
}

/** Why n8n cannot pause this execution, in the user's words; `undefined` where it can. */
function obstacleOfExecution(context: IExecuteFunctions, timeoutMs: number): string | undefined {
	const node = context.getNode();
	// n8n then gives the node a copy of its input, and saves its own: the IDs would be lost.
	if (node.executeOnce === true) return "with 'Execute Once', n8n would not keep the IDs";
	const executionId = asText(context.getExecutionId());
	if (executionId === undefined) return 'n8n gave this execution no ID';
	if (context.getExecutionContext()?.parentExecutionId === NO_EXECUTION) {
		return 'the MCP client that called this workflow is waiting for its answer';
	}
	if (UUID.test(executionId)) return "n8n's new engine cannot pause an execution";
	if (timeoutMs < LEAST_PAUSE_MS) {
		return "with a 'Timeout' of less than 65 seconds, n8n could be a minute late";
	}
	return undefined;
}

/**
 * The URL by which the service resumes this execution; it carries n8n's signature.
 * @throws ProblemError when the service could never reach it, before money is spent
 */
function findResumeUrl(context: IExecuteFunctions, { connection }: Run): string {
	// n8n takes what `getSignedResumeUrl` gives for an operation called sendAndWait only, and answers 401.
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
	return pauseMs < LEAST_PAUSE_MS
		? "n8n's time limit for this execution would end it before a pause is over"
		: undefined;
}

/** Why what was started cannot be waited for in a pause; `undefined` where it can. */
export function obstacleOfOrders(
	orders: readonly Order[],
	executionId: string,
): string | undefined {
	return orders.some(({ execution }) => execution !== executionId)
		? 'some searches were started by another execution, and the service notifies that one'
		: undefined;
}

/** Why the items that a paused node gives cannot be parked; `undefined` where they can. */
export function obstacleOfItems(
	node: INode,
	form: Form,
	given: readonly Given[],
): string | undefined {
	// By its `error` n8n runs the node again, in every error mode and also after a run that succeeded.
	const [first] = toNodeItems(node, form, given.slice(0, 1));
	return node.retryOnFail === true && (first?.json.error ?? null) !== null
		? "with 'Retry On Fail', n8n would run the node again, as the first item has an error"
		: undefined;
}
