import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { asNumber } from '../common/json';
import { collect, collectLists } from '../results/collect';
import { summarize } from '../results/summary';
import type { Started } from '../spending/start';
import { resumeAfterMissedCallback } from '../suspension/missedCallback';
import { park } from '../suspension/parked';
import { POLL_BEFORE_PARKING_MS } from '../suspension/schedule';
import { canPark, canSuspend, findResumeUrl } from '../suspension/suspend';
import type { Watched, WaitOutcome } from '../waiting/wait';
import { waitForAll } from '../waiting/wait';
import { finish } from './finish';
import type { OperationRun } from './operationRun';
import { startSearches } from './startSearches';

/** Operations Find and Find Many: submits, waits for the whole set, and gives the results. */
export async function submitAndWait(operation: OperationRun): Promise<INodeExecutionData[]> {
	const { context, run, lookup, size, options } = operation;
	const isList = size === 'bulk' && context.getNodeParameter('inputMode', 0, 'each') === 'array';
	const resumeUrl =
		context.getNodeParameter('waitMode', 0, 'poll') === 'suspend' && canSuspend(context)
			? findResumeUrl(context, run)
			: undefined;
	const started = await startSearches(operation, () => resumeUrl);

	const mayPark = resumeUrl !== undefined && canPark(started, isList);
	const { timeoutMs } = options;
	const pollMs = mayPark ? Math.min(POLL_BEFORE_PARKING_MS, timeoutMs) : timeoutMs;
	const waitOutcomes = await waitForStarted(operation, started, pollMs);
	const unfinished = [...waitOutcomes].flatMap(([id, { kind }]) =>
		kind === 'ongoing' ? [id] : [],
	);
	const parkMs = mayPark && unfinished.length > 0 ? timeoutMs - pollMs : 0;

	const onTimeout = resumeUrl === undefined ? options.onTimeout : 'output';
	const waited = { node: run.node, lookup, size, started, waitOutcomes, timeoutMs, onTimeout };
	let outputs = collect(waited);
	context.addExecutionHints({
		message: summarize(waited, outputs),
		location: 'outputPane',
		type: 'info',
	});
	if (isList) {
		const split =
			resumeUrl === undefined && context.getNodeParameter('splitResults', 0, true) !== false;
		outputs = collectLists(waited, outputs, split);
	}
	const items = finish(operation, started, outputs);
	if (resumeUrl !== undefined && parkMs > 0) {
		await park(context, items, parkMs);
		// Not awaited: the execution must end, so that n8n saves it.
		void resumeAfterMissedCallback({
			source: { connection: run.connection, lookup, size },
			ids: unfinished,
			resumeUrl,
			sendUnsigned: async (request): Promise<unknown> => await context.helpers.httpRequest(request),
			logger: run.logger,
		});
	}
	return items;
}

async function waitForStarted(
	{ run, lookup, size, options }: OperationRun,
	{ outcomes }: Started,
	timeoutMs: number,
): Promise<Map<string, WaitOutcome>> {
	// Where the run ends with an error anyway, its results are left for the retry to collect.
	const failing = outcomes.some(({ kind }) => kind !== 'accepted');
	if (failing && !run.continueOnFail) return new Map();
	const watched = outcomes.flatMap((outcome) =>
		outcome.kind === 'accepted' ? [toWatched(outcome.id, outcome.answer)] : [],
	);
	const { connection, signal } = run;
	const { firstDelayMs } = options;
	return await waitForAll({ connection, lookup, size, timeoutMs, firstDelayMs, signal }, watched);
}

/** `estimated_duration` is in minutes, and not guaranteed (`service-api.md` 4.3). */
function toWatched(id: string, answer: IDataObject): Watched {
	const minutes = asNumber(answer.estimated_duration);
	return {
		id,
		startedAt: Date.now(),
		estimateMs: minutes === undefined ? undefined : minutes * 60_000,
	};
}
