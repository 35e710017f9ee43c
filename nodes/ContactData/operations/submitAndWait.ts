import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Lookup, Size } from '../lookups/types';
import { asNumber } from '../service/wire';
import { collect } from './collect';
import { finish } from './finish';
import type { RunOptions } from './runOptions';
import { readRunOptions } from './runOptions';
import type { Started } from './start';
import { start } from './start';
import { addSummary } from './summary';
import type { WaitEnd, Watched } from './wait';
import { waitForAll } from './wait';

/** Operations Find and Find Many: submits, waits for the whole set, and gives the results. */
export async function submitAndWait(
	context: IExecuteFunctions,
	lookup: Lookup,
	size: Size,
): Promise<INodeExecutionData[]> {
	const options = readRunOptions(context, size);
	const started = await start(context, lookup, size, options, () => undefined);
	const ends = await waitForStarted(context, lookup, size, started, options);
	const collected = collect(context, lookup, size, started, ends, options);
	addSummary(context, lookup, size, started, ends, collected);
	return finish(context, size, started, collected, options.includeInputFields);
}

async function waitForStarted(
	context: IExecuteFunctions,
	lookup: Lookup,
	size: Size,
	started: Started,
	{ timeoutMs, firstDelayMs }: RunOptions,
): Promise<Map<string, WaitEnd>> {
	// Where the run ends with an error anyway, its results are left for the retry to collect.
	const failing = started.outcomes.some(({ kind }) => kind !== 'accepted');
	if (failing && !context.continueOnFail()) return new Map();
	const watched = started.outcomes.flatMap((outcome) =>
		outcome.kind === 'accepted' ? [toWatched(outcome.id, outcome.answer)] : [],
	);
	return await waitForAll(
		{
			caller: context,
			account: started.account,
			lookup,
			size,
			timeoutMs,
			firstDelayMs,
			signal: context.getExecutionCancelSignal(),
		},
		watched,
	);
}

/** `estimated_duration` is in minutes, and not guaranteed (`service.md` 4.3). */
function toWatched(id: string, answer: IDataObject): Watched {
	const minutes = asNumber(answer.estimated_duration);
	return {
		id,
		startedAt: Date.now(),
		estimateMs: minutes !== undefined && minutes > 0 ? minutes * 60_000 : undefined,
	};
}
