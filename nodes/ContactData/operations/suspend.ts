import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { getAccount } from '../service/account';
import { hasPrivateHost } from '../service/privateHost';
import { asText } from '../service/wire';

/** Whether n8n can park this execution: a call as an AI tool must end with its answer. */
export function canSuspend(context: IExecuteFunctions): boolean {
	const { type, rewireOutputLogTo } = context.getNode();
	const isTool = type.endsWith('Tool') || rewireOutputLogTo !== undefined;
	return !isTool && asText(context.getExecutionId()) !== undefined;
}

/**
 * The URL by which the service resumes this execution; it carries n8n's signature.
 * @throws NodeOperationError when the service could never reach it, before money is spent
 */
export async function resumeUrl(context: IExecuteFunctions): Promise<string> {
	const url = asText(context.evaluateExpression('{{ $execution.resumeUrl }}', 0)) ?? '';
	const { baseUrl } = await getAccount(context);
	if (url !== '' && (!hasPrivateHost(url) || hasPrivateHost(baseUrl))) return url;
	throw new NodeOperationError(
		context.getNode(),
		'The service cannot call this n8n back, so the execution would never be resumed',
		{
			description: `Its address is ${url.split('?')[0]}, which is not reachable from the internet. Set n8n's webhook URL (WEBHOOK_URL) to a public address, or set 'Wait Mode' to Poll. Nothing was started.`,
		},
	);
}

/**
 * Parks the execution. n8n keeps the node's input meanwhile: it is replaced by the items, so that
 * they are there at the callback, and come out as they are when the time is over.
 */
export async function park(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	forMs: number,
): Promise<void> {
	const input = context.getInputData();
	input.length = 0;
	for (const item of items) input.push(item);
	await context.putExecutionToWait(new Date(Date.now() + Math.max(0, forMs)));
}
