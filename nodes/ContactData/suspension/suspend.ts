import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { asText } from '../common/json';
import type { Run } from '../input/run';
import { hasPrivateHost } from '../service/privateHost';
import type { Started } from '../spending/start';

/**
 * The end of the resume URL's path. A call for this node that comes late then finds nothing to
 * resume, where it would otherwise resume a Wait node that the execution has come to since.
 */
export const RESUME_PATH = 'contact-data';

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
export function findResumeUrl(context: IExecuteFunctions, { connection, node }: Run): string {
	const url = asText(context.evaluateExpression('{{ $execution.resumeUrl }}', 0)) ?? '';
	const [address = '', query] = url.split('?');
	if (url !== '' && (!hasPrivateHost(url) || hasPrivateHost(connection.account.baseUrl))) {
		return `${address}/${RESUME_PATH}${query === undefined ? '' : `?${query}`}`;
	}
	throw new NodeOperationError(
		node,
		'The service cannot call this n8n back, so the execution would never be resumed',
		{
			description: `Its address is ${address}, which is not reachable from the internet. Set n8n's webhook URL (WEBHOOK_URL) to a public address, or set 'Wait Mode' to Poll. Nothing was started.`,
		},
	);
}

/**
 * Whether the callbacks of all that was started come to this execution, and its items can be
 * paired: n8n pairs by position after a resume, so a list split into batches cannot be.
 */
export function canPark({ submissions, receipts }: Started, isList: boolean): boolean {
	if (submissions.some(({ key }) => receipts.isOfEarlierExecution(key))) return false;
	const lists = new Set(submissions.map(({ items }) => items[0]?.[0]?.item));
	return !isList || lists.size === submissions.length;
}
