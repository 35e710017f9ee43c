import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { asRecord, asText, excerpt } from '../common/values';
import { ensureError, ProblemError } from '../common/errors';
import { hasPrivateHost } from '../input/hosts';
import { isBlocked } from '../service/request';
import { callN8n, isRefusedByN8n } from './resumeCall';

/** The end of the resume URL's path: a late call for this node resumes no Wait node that comes after it. */
export const RESUME_PATH = 'contact-data';

/** The largest number that a database of n8n holds: no execution has come so far. */
const NO_SUCH_EXECUTION = '2147483647';
const TIMEOUT_MS = 10_000;
const MAX_ANSWER_LENGTH = 100;

/** Where the service is to call: the beginning that all its URLs share, and what n8n adds for an execution. */
const PARTS = /^(.*)\/[^/?]+\/([^/?]+)(?:\?.*)?$/;

/** The address at which this process last asked for n8n, and what else answers there. */
let asked: { base: string; answer: Promise<string | undefined> } | undefined;

/**
 * The URL by which the service resumes this execution; it carries n8n's signature.
 * @throws ProblemError when the service could never reach it, before money is spent
 */
export function findResumeUrl(context: IExecuteFunctions, serviceUrl: string): string {
	// n8n takes what `getSignedResumeUrl` gives for an operation called sendAndWait only, and answers 401.
	const url = asText(context.evaluateExpression('{{ $execution.resumeUrl }}', 0)) ?? '';
	if (url !== '' && (!hasPrivateHost(url) || hasPrivateHost(serviceUrl))) {
		return url.replace(/\?|$/, `/${RESUME_PATH}$&`);
	}
	const address = url.replace(/\?.*/, '');
	throw new ProblemError({
		problem: {
			message: 'The service cannot reach this n8n, so a paused execution would never be resumed',
			description: `The address of this n8n, ${address}, cannot be reached from the internet. Set n8n's webhook URL (WEBHOOK_URL, newer: N8N_WEBHOOK_URL) to a public address, or set 'Wait Mode' to Keep Running.`,
			remedy: 'again',
		},
	});
}

/**
 * Whether the service can call n8n: it is asked there for an execution that does not exist, before the first
 * pause and after a call that has failed.
 * @returns why it cannot, in the user's words; `undefined` where n8n itself answers
 */
export async function obstacleOfAddress(
	context: IExecuteFunctions,
	resumeUrl: string,
): Promise<string | undefined> {
	const [, base = '', path = ''] = PARTS.exec(resumeUrl) ?? [];
	if (asked?.base !== base) {
		asked = { base, answer: askN8n(context, `${base}/${NO_SUCH_EXECUTION}/${path}`) };
	}
	const answer = await asked.answer;
	if (answer === undefined) return undefined;
	forgetAddress();
	return `at ${base}, where the service is to call this n8n, ${answer} answers. Let calls of that path through, without a login`;
}

/** A call of the address has failed: before the next pause it is asked again. */
export function forgetAddress(): void {
	asked = undefined;
}

/** What answers in place of n8n. */
async function askN8n(context: IExecuteFunctions, url: string): Promise<string | undefined> {
	try {
		const send = async (options: IHttpRequestOptions): Promise<unknown> =>
			await context.helpers.httpRequest(options);
		const answer = await callN8n(send, url, TIMEOUT_MS);
		if (isRefusedByN8n(answer, NO_SUCH_EXECUTION)) return undefined;
		const target = asText(asRecord(answer.headers)?.location);
		return target === undefined
			? `something else (status ${String(answer.statusCode)})`
			: `a redirect to ${excerpt(target.replace(/[?#].*/s, ''), MAX_ANSWER_LENGTH)}`;
	} catch (error) {
		if (isBlocked(error)) return undefined;
		return `nothing (${excerpt(ensureError(error).message, MAX_ANSWER_LENGTH)})`;
	}
}
