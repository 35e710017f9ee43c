import type { IExecuteFunctions, INode, INodeExecutionData, Logger } from 'n8n-workflow';
import { monotonicMs } from '../common/time';
import type { Connection } from '../service/request';
import { connect } from './credential';
import { MemoryTable } from './memoryTable';
import { ExecutionNotes, type Saved } from './saved';
import type { Parameters } from '../input/parameters';
import type { Settings } from '../input/settings';
import { readTimeLimit, type TimeLimit } from './timeLimit';
import { givesFailures, type ToolCall } from './toolCall';

/**
 * One run of the node: what the floors below need of n8n, made once. `connection` keeps n8n's context
 * alive, which n8n needs to sign requests: what outlives the run must not keep it for long.
 */
export interface Run {
	settings: Settings;
	connection: Connection;
	/** For errors. */
	node: INode;
	input: readonly INodeExecutionData[];
	parameters: Parameters;
	/** Whether the workflow goes on after an item that failed. */
	continueOnFail: boolean;
	/** Aborted when the execution is stopped. */
	signal?: AbortSignal;
	/** The call of a tool that the run is. */
	call?: ToolCall;
	/** Left out where there is none. */
	limit?: TimeLimit;
	logger: Logger;
	/** What the execution has cost and found so far. */
	notes: ExecutionNotes;
	saved: Saved;
	/** What is remembered in n8n's database; left out where that is this process's memory alone. */
	table?: MemoryTable;
	/** Shows one line in the output pane, where there is one. */
	hint(line: string | undefined): void;
}

/** What is known of a run before it asks the service. */
export type Beginning = Pick<Run, 'input' | 'parameters' | 'saved' | 'call'>;

/** @throws NodeOperationError when the credential cannot be used */
export async function openRun(
	context: IExecuteFunctions,
	beginning: Beginning,
	settings: Settings,
): Promise<Run> {
	const connection = { ...(await connect(context)), readsEndAt: beginning.call?.readsEndAt };
	const { fingerprint, memoryDays } = connection.account;
	return {
		...beginning,
		settings,
		connection,
		...(memoryDays !== undefined && { table: new MemoryTable(context, fingerprint, memoryDays) }),
		node: context.getNode(),
		continueOnFail: givesFailures(context),
		signal: context.getExecutionCancelSignal(),
		limit: readTimeLimit(context, beginning.saved),
		logger: context.logger,
		notes: ExecutionNotes.of(context, beginning.saved),
		hint: (message) => {
			if (message === undefined) return;
			context.addExecutionHints({ message, location: 'outputPane', type: 'info' });
		},
	};
}

/** Aborted when nothing more may wait for its turn: the execution ends soon, or a call's answer is due. */
export function patienceOf({
	signal,
	call,
	limit,
}: Pick<Run, 'signal' | 'call' | 'limit'>): AbortSignal | undefined {
	const ends = [signal, call?.timeUp, limit?.near].filter((end) => end !== undefined);
	return ends.length > 1 ? AbortSignal.any(ends) : ends[0];
}

export function isStopped({ signal }: Pick<Run, 'signal'>): boolean {
	return signal?.aborted === true;
}

/** Whether Retry On Fail is on: n8n then runs the node again where the first item has an `error`, before 2.30 even null. */
export function mayRunAgain({ node }: Pick<Run, 'node'>): boolean {
	return node.retryOnFail === true;
}

/** Milliseconds until a wait must end, whatever its Timeout: a call is due, or n8n ends the execution. */
export function msLeft({ call, limit }: Pick<Run, 'call' | 'limit'>): number {
	const endsAt = Math.min(call?.endsAt ?? Infinity, limit?.waitsEndAt ?? Infinity);
	return Math.max(0, endsAt - monotonicMs());
}

/** Whether it is n8n's time limit that has ended a wait, and not its Timeout. */
export function isAtLimit({ limit }: Pick<Run, 'limit'>): boolean {
	return limit !== undefined && monotonicMs() >= limit.waitsEndAt;
}
