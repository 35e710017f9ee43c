import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { asRecord, excerpt } from '../common/values';
import { ensureError } from '../common/errors';
import type { LastingConnection } from '../run/credential';

const CALL_TIMEOUT_MS = 30_000;
const MAX_TEXT_LENGTH = 200;

/** Calls n8n without the account's key, and does not follow redirects. */
export async function callN8n(
	send: (options: IHttpRequestOptions) => Promise<unknown>,
	url: string,
	timeoutMs: number,
): Promise<IDataObject> {
	const answer = await send({
		method: 'POST',
		url,
		timeout: timeoutMs,
		// n8n's `timeout` is for silence only.
		abortSignal: AbortSignal.timeout(timeoutMs),
		disableFollowRedirect: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	});
	return asRecord(answer) ?? {};
}

/** What n8n answers to a call of a resume URL. */
export interface Answer {
	/** `refused`: no such execution is paused (yet, or any more). `failed`: something else answered, or nothing. */
	kind: 'taken' | 'refused' | 'failed';
	/** What the log says of it. */
	text: string;
}

/** Calls n8n as the service would have done; never throws. */
export async function callResumeUrl(
	{ sendUnsigned }: Pick<LastingConnection, 'sendUnsigned'>,
	url: string,
): Promise<Answer> {
	try {
		const status = Number((await callN8n(sendUnsigned, url, CALL_TIMEOUT_MS)).statusCode);
		const isTaken = status >= 200 && status < 300;
		const kind = isTaken ? 'taken' : status === 404 || status === 409 ? 'refused' : 'failed';
		return { kind, text: `status ${status}` };
	} catch (error) {
		// Whoever has the signature may resume the execution.
		const [, signature = url] = url.split('?');
		const text = ensureError(error).message.split(signature).join('[signature]');
		return { kind: 'failed', text: excerpt(text, MAX_TEXT_LENGTH) };
	}
}
