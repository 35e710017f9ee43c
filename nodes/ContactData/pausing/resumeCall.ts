import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { ensureError } from '../common/errors';
import { asRecord, asText, excerpt, parseJson } from '../common/values';
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

/** Whether n8n itself says that it does not resume an execution: it names that, and what answers in its place cannot. */
export function isRefusedByN8n({ statusCode, body }: IDataObject, executionId: string): boolean {
	const message = asText(asRecord(parseJson(body))?.message) ?? '';
	// Some of its messages lack the quote behind it.
	const isNamed = message.includes(`execution "${executionId}`);
	return isNamed && (statusCode === 404 || statusCode === 409);
}

/** What n8n answers to a call of a resume URL. */
export interface Answer {
	/** `refused`: the execution is not paused (yet, or any more). `failed`: something else answered, or nothing. */
	kind: 'taken' | 'refused' | 'failed';
	/** What the log says of it. */
	text: string;
}

/** Calls n8n as the service would have done; never throws. */
export async function callResumeUrl(
	{ sendUnsigned }: Pick<LastingConnection, 'sendUnsigned'>,
	url: string,
	executionId: string,
): Promise<Answer> {
	try {
		const answer = await callN8n(sendUnsigned, url, CALL_TIMEOUT_MS);
		const status = Number(answer.statusCode);
		const text = `status ${status}`;
		if (status >= 200 && status < 300) return { kind: 'taken', text };
		return { kind: isRefusedByN8n(answer, executionId) ? 'refused' : 'failed', text };
	} catch (error) {
		// Whoever has the signature may resume the execution.
		const [, signature = url] = url.split('?');
		const text = ensureError(error).message.split(signature).join('[signature]');
		return { kind: 'failed', text: excerpt(text, MAX_TEXT_LENGTH) };
	}
}
