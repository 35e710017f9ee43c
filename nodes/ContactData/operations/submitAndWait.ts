import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Lookup, Size } from '../lookups/types';
import { asNumber } from '../common/json';
import { collect, collectLists } from '../results/collect';
import { finish } from './finish';
import { makeUpForMissedCallback } from '../suspension/missedCallback';
import { park } from '../suspension/parked';
import { readRunOptions } from '../input/runOptions';
import type { Started } from '../spending/start';
import { start } from '../spending/start';
import { addSummary } from '../results/summary';
import { canPark, canSuspend, resumeUrl } from '../suspension/suspend';
import type { WaitEnd, Watched } from '../waiting/wait';
import { waitForAll } from '../waiting/wait';

/** How long a suspending wait looks by itself: a callback before the execution is parked is lost. */
const POLL_BEFORE_PARKING_MS = 10_000;

/** Operations Find and Find Many: submits, waits for the whole set, and gives the results. */
export async function submitAndWait(
	context: IExecuteFunctions,
	lookup: Lookup,
	size: Size,
): Promise<INodeExecutionData[]> {
	const options = readRunOptions(context, size);
	const isList = size === 'bulk' && context.getNodeParameter('inputMode', 0, 'each') === 'array';
	const callback =
		context.getNodeParameter('waitMode', 0, 'poll') === 'suspend' && canSuspend(context)
			? await resumeUrl(context)
			: undefined;
	const started = await start(context, lookup, size, options, () => callback);

	const mayPark = callback !== undefined && canPark(started, isList);
	const pollMs = mayPark ? Math.min(POLL_BEFORE_PARKING_MS, options.timeoutMs) : options.timeoutMs;
	const waitEnds = await waitForStarted(
		context,
		lookup,
		size,
		started,
		pollMs,
		options.firstDelayMs,
	);
	const unfinished = [...waitEnds].flatMap(([id, { kind }]) => (kind === 'ongoing' ? [id] : []));
	const parkMs = mayPark && unfinished.length > 0 ? options.timeoutMs - pollMs : 0;

	let ends = collect(context, lookup, size, started, waitEnds, {
		...options,
		onTimeout: callback === undefined ? options.onTimeout : 'output',
	});
	addSummary(context, lookup, size, started, waitEnds, ends);
	if (isList) {
		const split =
			callback === undefined && context.getNodeParameter('splitResults', 0, true) !== false;
		ends = collectLists(started, waitEnds, ends, split);
	}
	const items = finish(context, size, started, ends, options.includeInputFields);
	if (callback !== undefined && parkMs > 0) {
		await park(context, items, parkMs);
		const rest = { caller: context, account: started.account, lookup, size, ids: unfinished };
		// Not awaited: the execution must end, so that n8n saves it.
		void makeUpForMissedCallback(context, rest, callback);
	}
	return items;
}

async function waitForStarted(
	context: IExecuteFunctions,
	lookup: Lookup,
	size: Size,
	{ account, outcomes }: Started,
	timeoutMs: number,
	firstDelayMs: number,
): Promise<Map<string, WaitEnd>> {
	// Where the run ends with an error anyway, its results are left for the retry to collect.
	const failing = outcomes.some(({ kind }) => kind !== 'accepted');
	if (failing && !context.continueOnFail()) return new Map();
	const watched = outcomes.flatMap((outcome) =>
		outcome.kind === 'accepted' ? [toWatched(outcome.id, outcome.answer)] : [],
	);
	const signal = context.getExecutionCancelSignal();
	return await waitForAll(
		{ caller: context, account, lookup, size, timeoutMs, firstDelayMs, signal },
		watched,
	);
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
