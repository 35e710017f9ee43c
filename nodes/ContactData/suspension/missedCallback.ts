import type { IExecuteFunctions } from 'n8n-workflow';
import { ensureError } from '../common/itemErrors';
import { pause } from '../common/pause';
import { isRecord } from '../common/json';
import type { Finished, Rest } from './unfinished';
import { lookAtRest } from './unfinished';

/** After the node has parked the execution, n8n still has to save it: a busy one takes longer. */
const LOOK_AFTER_MS = [3_000, 15_000];
/** Between calls that n8n does not take, for it has not saved the execution yet or is too busy. */
const CALL_AGAIN_AFTER_MS = [3_000, 10_000, 30_000];
const CALL_TIMEOUT_MS = 30_000;
const OVER = 404;

/**
 * n8n refuses a callback that comes before it has saved the parked execution, and the service may
 * never send it again. So a little later it is looked whether nothing is left to call back, and
 * then the execution is called from here, as the service would have done.
 */
export async function makeUpForMissedCallback(
	context: IExecuteFunctions,
	rest: Rest,
	resumeUrl: string,
): Promise<void> {
	try {
		for (const delayMs of LOOK_AFTER_MS) {
			await pause(delayMs);
			const state = await lookAtRest(rest, new Map<string, Finished>());
			if (state === 'finished') return await callBack(context, resumeUrl);
		}
	} catch (error) {
		context.logger.warn(`A parked execution could not be called: ${ensureError(error).message}`);
	}
}

async function callBack({ helpers }: IExecuteFunctions, url: string): Promise<void> {
	for (const delayMs of [0, ...CALL_AGAIN_AFTER_MS]) {
		await pause(delayMs);
		const answer: unknown = await helpers.httpRequest({
			method: 'POST',
			url,
			timeout: CALL_TIMEOUT_MS,
			disableFollowRedirect: true,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		});
		const status = isRecord(answer) ? Number(answer.statusCode) : NaN;
		if (status < 300 || status === OVER) return;
	}
}
