import { asRecord, excerpt } from '../common/values';
import { ensureError } from '../common/errors';
import type { LastingConnection } from '../run/credential';

const CALL_TIMEOUT_MS = 30_000;
const MAX_TEXT_LENGTH = 200;

/** What n8n answers to a call of a resume URL. */
export interface Answer {
	/**
	 * `refused` where no such execution is paused, not yet or no more; `failed` where something else has
	 * answered, or nothing.
	 */
	kind: 'taken' | 'refused' | 'failed';
	/** What the log says of it. */
	text: string;
}

/** Calls n8n as the service would have done, without the account's key; never throws. */
export async function callResumeUrl(
	{ sendUnsigned }: Pick<LastingConnection, 'sendUnsigned'>,
	url: string,
): Promise<Answer> {
	try {
		const answer: unknown = await sendUnsigned({
			method: 'POST',
			url,
			timeout: CALL_TIMEOUT_MS,
			// n8n's `timeout` is for silence only.
			abortSignal: AbortSignal.timeout(CALL_TIMEOUT_MS),
			disableFollowRedirect: true,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		});
		const status = Number(asRecord(answer)?.statusCode);
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
