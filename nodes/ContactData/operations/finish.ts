import type { INodeExecutionData } from 'n8n-workflow';
import { isFailure, ProblemError, toFailure } from '../common/errors';
import type { Run } from '../input/run';
import type { ItemOutput } from '../results/items';
import { toNodeItems } from '../results/items';
import { PAID_FOR } from '../results/problems';
import type { Started } from '../spending/start';
import { willRunAgain } from '../pausing/obstacles';
import type { OperationRun } from './operationRun';

/** Goes on with what is started. Whatever goes wrong then, the error names what is paid for. */
export async function goOn<T>(
	{ size }: OperationRun,
	started: Started,
	work: () => Promise<T>,
): Promise<T> {
	try {
		return await work();
	} catch (thrown) {
		const mayBePaid = started.outcomes.some(({ kind }) => kind === 'unknown');
		const paid = { size, paidFor: idsOfStarted(started), mayBePaid };
		throw new ProblemError({ ...toFailure(thrown), paid });
	}
}

/**
 * Hands the items of a run over to n8n. The receipts stay where n8n may try again.
 * @param items what is given out, where that is not one item for each output
 */
export function finish(
	operation: OperationRun,
	started: Started,
	outputs: ItemOutput[],
	{ items = itemsOf(operation, outputs) }: { items?: INodeExecutionData[] } = {},
): INodeExecutionData[] {
	const { run } = operation;
	const isStopped = run.signal?.aborted === true;
	if (isStopped) logStopped(run, idsOfStarted(started));
	else throwCause(run, outputs);
	if (!isStopped && !outputs.some(isFailure) && !willRunAgain(run.node, items)) {
		started.receipts.clear(started.submissions);
	}
	addCost(started, items);
	return items;
}

/** As items of n8n, over the fields of their input items where these are included. */
export function itemsOf(
	{ context, run, options }: OperationRun,
	outputs: ItemOutput[],
): INodeExecutionData[] {
	const input = options.includeInputFields ? context.getInputData() : undefined;
	return toNodeItems(run.node, outputs, input);
}

/**
 * Unless the workflow goes on after errors, the one that caused the others ends the run.
 * @throws the error of the first item that failed by itself
 */
export function throwCause({ continueOnFail, call }: Run, outputs: ItemOutput[]): void {
	const failures = outputs.filter(isFailure);
	const cause = failures.find(({ isConsequence }) => isConsequence !== true) ?? failures[0];
	if (cause === undefined || continueOnFail) return;
	// An error would end some agents, and they could do something else.
	const isAnswer = cause.isOfCap === true && call !== undefined;
	if (!isAnswer) throw new ProblemError(cause);
}

/** A model is told with each answer what the calls of its tool have spent so far. */
function addCost({ receipts: { calls } }: Started, items: INodeExecutionData[]): void {
	if (calls === undefined) return;
	const { credits, unsure } = calls;
	const cost = { credits_spent: credits, ...(unsure > 0 && { searches_maybe_charged: unsure }) };
	for (const item of items) item.json = { ...item.json, ...cost };
}

function logStopped({ logger }: Run, ids: string[]): void {
	if (ids.length === 0) return;
	logger.warn(`Cancelled. ${PAID_FOR}${ids.join(', ')}`);
}

/** Paid for by this run: what was started before is the user's already. */
function idsOfStarted({ outcomes, submissions }: Started): string[] {
	const ids = outcomes.flatMap((outcome, index) =>
		'id' in outcome && submissions[index]?.earlierId === undefined ? [outcome.id] : [],
	);
	return [...new Set(ids)];
}
