import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { monotonicMs } from '../common/clock';
import { asNumber } from '../common/json';
import type { Waited } from '../results/collect';
import { collect, collectLists } from '../results/collect';
import type { ItemOutput } from '../results/output';
import { summarize } from '../results/summary';
import type { Started } from '../spending/start';
import { resumeAfterMissedCallback } from '../suspension/missedCallback';
import { park } from '../suspension/parked';
import { POLL_BEFORE_PARKING_MS } from '../suspension/schedule';
import {
	findResumeUrl,
	obstacleOfExecution,
	obstacleOfItems,
	obstacleOfStarted,
} from '../suspension/suspend';
import type { Watched, WaitOutcome } from '../waiting/wait';
import { waitForAll } from '../waiting/wait';
import { finish, goOn, throwCause } from './finish';
import { addHint } from './hints';
import type { OperationRun } from './operationRun';
import { startSearches } from './startSearches';

/** Operations Find and Find Many: submits, waits for the whole set, and gives the results. */
export async function submitAndWait(operation: OperationRun): Promise<INodeExecutionData[]> {
	const { context, run, size } = operation;
	const isList = size === 'bulk' && context.getNodeParameter('inputMode', 0, 'each') === 'array';
	const suspends = context.getNodeParameter('waitMode', 0, 'poll') === 'suspend';
	const obstacle = suspends ? obstacleOfExecution(context) : undefined;
	const resumeUrl = suspends && obstacle === undefined ? findResumeUrl(context, run) : undefined;
	const split =
		resumeUrl === undefined && context.getNodeParameter('splitResults', 0, true) !== false;
	const started = await startSearches(operation, () => resumeUrl);
	const way = { isList, split, resumeUrl, obstacle };
	return await goOn(operation, started, async () => await waitForResults(operation, started, way));
}

/** How the results of a run are waited for and given. All that the user says of it was read before. */
interface Way {
	isList: boolean;
	/** Whether a list gives one item for each of its results. */
	split: boolean;
	/** Where the service calls back; `undefined` where the node polls. */
	resumeUrl: string | undefined;
	/** Why it polls although it was to park. */
	obstacle: string | undefined;
}

async function waitForResults(
	operation: OperationRun,
	started: Started,
	{ isList, split, resumeUrl, ...way }: Way,
): Promise<INodeExecutionData[]> {
	const { context, run, lookup, size, options } = operation;
	const { timeoutMs } = options;
	let { obstacle } = way;
	const onTimeout = resumeUrl === undefined ? options.onTimeout : 'output';
	const outputsOf = (waitOutcomes: ReadonlyMap<string, WaitOutcome>): Outputs => {
		const waited = { node: run.node, lookup, size, started, waitOutcomes, timeoutMs, onTimeout };
		const all = collect(waited);
		return { waited, all, given: isList ? collectLists(waited, all, split) : all };
	};

	let waitOutcomes: ReadonlyMap<string, WaitOutcome> = new Map();
	let waitedMs = 0;
	const obstacleOf = ({ given }: Outputs) =>
		obstacleOfItems(run.node, given, options.includeInputFields ? context.getInputData() : []);
	if (resumeUrl !== undefined) {
		obstacle = obstacleOfStarted(started) ?? obstacleOf(outputsOf(waitOutcomes));
	}
	if (resumeUrl !== undefined && obstacle === undefined) {
		waitedMs = Math.min(POLL_BEFORE_PARKING_MS, timeoutMs);
		waitOutcomes = await waitForStarted(operation, started, waitedMs, waitOutcomes);
		const isOngoing = [...waitOutcomes.values()].some(({ kind }) => kind === 'ongoing');
		if (isOngoing && timeoutMs > waitedMs) {
			const outputs = outputsOf(waitOutcomes);
			obstacle = obstacleOf(outputs);
			const forMs = timeoutMs - waitedMs;
			if (obstacle === undefined) {
				return await parkRun(operation, outputs, { resumeUrl, forMs });
			}
		}
	}
	if (timeoutMs > waitedMs) {
		waitOutcomes = await waitForStarted(operation, started, timeoutMs - waitedMs, waitOutcomes);
	}
	const outputs = outputsOf(waitOutcomes);
	addHint(context, summarize(outputs.waited, outputs.all));
	if (obstacle !== undefined) {
		addHint(context, `Wait Mode Suspend was not used: ${obstacle}. The node waited by itself.`);
	}
	return finish(operation, started, outputs.given);
}

/** What a run has to give, and what it was made from. */
interface Outputs {
	waited: Waited;
	/** One for each search. */
	all: ItemOutput[];
	/** One for each item that the node gives out. */
	given: ItemOutput[];
}

async function parkRun(
	operation: OperationRun,
	{ waited, all, given }: Outputs,
	{ resumeUrl, forMs }: { resumeUrl: string; forMs: number },
): Promise<INodeExecutionData[]> {
	const { context, run, lookup, size, options } = operation;
	addHint(context, summarize(waited, all));
	throwCause(run, given);
	// The receipts stay: an execution that crashes later can be retried on what is parked here.
	const items = await park(context, given, options.includeInputFields, forMs);
	// Not awaited: the execution must end, so that n8n saves it.
	void resumeAfterMissedCallback({
		source: { connection: run.connection, lookup, size },
		ids: [...waited.waitOutcomes].flatMap(([id, { kind }]) => (kind === 'ongoing' ? [id] : [])),
		resumeUrl,
		sendUnsigned: async (request): Promise<unknown> => await context.helpers.httpRequest(request),
		logger: run.logger,
	});
	return items;
}

/** @param known how waits have ended already, for which nothing is waited again */
async function waitForStarted(
	{ run, lookup, size, options }: OperationRun,
	{ outcomes }: Started,
	timeoutMs: number,
	known: ReadonlyMap<string, WaitOutcome>,
): Promise<ReadonlyMap<string, WaitOutcome>> {
	// Where the run ends with an error anyway, its results are left for the retry to collect.
	const failing = outcomes.some(({ kind }) => kind !== 'accepted');
	if (failing && !run.continueOnFail) return known;
	const isOver = (id: string) => {
		const kind = known.get(id)?.kind;
		return kind === 'completed' || kind === 'failed';
	};
	const watched = outcomes.flatMap((outcome) =>
		outcome.kind === 'accepted' && !isOver(outcome.id)
			? [toWatched(outcome.id, outcome.answer)]
			: [],
	);
	const { connection, signal } = run;
	const { firstDelayMs } = options;
	const wait = { connection, lookup, size, timeoutMs, firstDelayMs, reachedBefore: true, signal };
	return new Map([...known, ...(await waitForAll(wait, watched))]);
}

/** `estimated_duration` is in minutes, and not guaranteed (`service-api.md` 4.3). */
function toWatched(id: string, answer: IDataObject): Watched {
	const minutes = asNumber(answer.estimated_duration);
	return {
		id,
		startedAt: monotonicMs(),
		estimateMs: minutes === undefined ? undefined : minutes * 60_000,
	};
}
