import type { IHttpRequestOptions, Logger } from 'n8n-workflow';
import { ensureError } from '../common/itemErrors';
import { isRecord } from '../common/json';
import { pause } from '../common/pause';
import type { FinalReading, StateSource } from '../waiting/readState';
import { MISSED_CALLBACK_DELAYS_MS, RESUME_RETRY_DELAYS_MS } from './schedule';
import { readUnfinished } from './unfinished';

const CALL_TIMEOUT_MS = 30_000;
const OVER = 404;

/** What a parked execution is called by. */
export interface ParkedExecution {
	source: StateSource;
	/** Of the lookups that were not finished when it was parked. */
	ids: string[];
	resumeUrl: string;
	/** Sends a request without the account's key. */
	sendUnsigned(options: IHttpRequestOptions): Promise<unknown>;
	logger: Logger;
}

/**
 * n8n refuses a callback that comes before it has saved the parked execution, and the service may
 * never send it again. So a little later the node looks whether nothing is left to call back, and
 * then calls the execution itself, as the service would have done.
 */
export async function resumeAfterMissedCallback(parked: ParkedExecution): Promise<void> {
	const { source, ids, logger } = parked;
	try {
		for (const delayMs of MISSED_CALLBACK_DELAYS_MS) {
			await pause(delayMs);
			const state = await readUnfinished(source, ids, new Map<string, FinalReading>());
			if (state === 'finished') return await callBack(parked);
		}
	} catch (error) {
		logger.warn(`A parked execution could not be called: ${ensureError(error).message}`);
	}
}

async function callBack({ resumeUrl, sendUnsigned }: ParkedExecution): Promise<void> {
	for (const delayMs of [0, ...RESUME_RETRY_DELAYS_MS]) {
		await pause(delayMs);
		const answer: unknown = await sendUnsigned({
			method: 'POST',
			url: resumeUrl,
			timeout: CALL_TIMEOUT_MS,
			disableFollowRedirect: true,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		});
		const status = isRecord(answer) ? Number(answer.statusCode) : NaN;
		if (status < 300 || status === OVER) return;
	}
}
