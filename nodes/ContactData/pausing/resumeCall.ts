import { monotonicMs } from '../common/time';
import { asRecord, excerpt } from '../common/values';
import { ensureError } from '../common/errors';
import { forgetAddress } from './address';
import type { Watch } from './pausedWait';

/** Between calls of a resume URL, each twice as long as the one before. */
const CALL_AGAIN_MS = 5_000;
const LONGEST_CALL_AGAIN_MS = 600_000;
/** After a call that n8n has taken: the next one tells whether it has resumed the execution. */
const TAKEN_MS = 30_000;
const CALL_TIMEOUT_MS = 30_000;
/** What n8n answers where no such execution is paused: not yet, or no more. */
const REFUSALS = [404, 409];
const MAX_TEXT_LENGTH = 200;

/** Of n8n to a call. */
interface Answer {
	/** `NaN` where none came. */
	status: number;
	/** What the log says of it. */
	text: string;
}

/** Calls n8n as the service would have done, without the account's key; never throws. */
export async function callResumeUrl({ resumeUrl: url, shared }: Watch): Promise<Answer> {
	try {
		const answer: unknown = await shared.connection.sendUnsigned({
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
		return { status, text: `status ${status}` };
	} catch (error) {
		// Whoever has the signature may resume the execution.
		const [, signature = url] = url.split('?');
		const text = ensureError(error).message.split(signature).join('[signature]');
		return { status: NaN, text: excerpt(text, MAX_TEXT_LENGTH) };
	}
}

/**
 * Plans the next call of an execution that this process has not seen to be resumed: another one may
 * resume it.
 * @returns whether there is one: not where none is paused any more
 */
export function planNextCall(executionId: string, watch: Watch, { status, text }: Answer): boolean {
	const isTaken = status >= 200 && status < 300;
	const isRefused = REFUSALS.includes(status);
	// Before a call is taken, a proxy may answer for an n8n that starts.
	if (isRefused && watch.isTaken) return false;
	watch.isTaken ||= isTaken;
	const delayMs = Math.min(LONGEST_CALL_AGAIN_MS, CALL_AGAIN_MS * 2 ** watch.calls);
	watch.nextLookAt = monotonicMs() + (isTaken ? Math.max(TAKEN_MS, delayMs) : delayMs);
	if (!isTaken && !isRefused) forgetAddress();
	if (watch.calls++ === 0 && !isTaken && !isRefused) {
		watch.shared.connection.logger.warn(
			`The results for execution ${executionId} are there, but n8n did not take the call to resume it, which is made again: ${text}`,
		);
	}
	return true;
}
