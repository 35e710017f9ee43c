import { type IDataObject, type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';
import { ensureError } from '../common/errors';
import { addCredits, asNumber } from '../common/values';
import type { Size } from '../lookups/types';
import type { ToolCall } from './toolCall';

/** What n8n saves with the execution, and hands to its retry. */
export interface Saved {
	/** Of this node. */
	node: IDataObject;
	/** Of all nodes. */
	flow: IDataObject;
	executionId: string;
	/** Names the run of the node among its others: in a loop its number, as each turn is one. */
	loopTurn: string;
}

/** All calls of a tool in an execution are one turn, though n8n counts each as a run. */
const TOOL_TURN = 'tool';

export function openSaved(context: IExecuteFunctions, call: ToolCall | undefined): Saved {
	return {
		node: savedData(context, 'node'),
		flow: savedData(context, 'flow'),
		executionId: context.getExecutionId(),
		loopTurn: call ? TOOL_TURN : String(context.evaluateExpression('{{ $runIndex }}', 0)),
	};
}

/** n8n's native agents run a node without an execution: then nothing is saved. */
export function savedData(context: IExecuteFunctions, of: 'node' | 'flow'): IDataObject {
	try {
		return context.getContext(of);
	} catch (error) {
		// Receipts that are lost would be paid for again.
		if (context.getExecutionId()) {
			throw new NodeOperationError(context.getNode(), ensureError(error));
		}
		return {};
	}
}

const IDS = 'contact_data_ids';
/** n8n cuts off what is longer. */
const MAX_NOTE_LENGTH = 255;
const SPENT = 'contact_data_credits_spent';
/** Names, in what n8n saves, the execution that has spent it. */
const OWNER = 'contactDataExecution';
/** In the same place: how many submissions were sent, and of how many nobody knows the fate. */
const SENT = 'contactDataSent';
const UNKNOWN: Record<Size, string> = {
	single: 'contactDataUnknownSingles',
	bulk: 'contactDataUnknownBatches',
};

/** What an execution has started and spent, in its custom data, which n8n shows, and keeps when it is stopped. */
export class ExecutionNotes {
	/**
	 * @param data `undefined` where n8n has none
	 * @param saved what n8n saves for all nodes with the execution, and hands to its retry
	 */
	constructor(
		private readonly data: IExecuteFunctions['customData'] | undefined,
		private readonly saved: IDataObject,
	) {}

	static of(context: IExecuteFunctions, { flow: saved, executionId }: Saved): ExecutionNotes {
		// Some versions of n8n have no custom data here.
		const notes = new ExecutionNotes(context.customData, saved);
		// A retry is given all that the execution before has noted.
		const isOfAnother = saved[OWNER] !== undefined && saved[OWNER] !== executionId;
		if (isOfAnother && notes.data?.get(SPENT) !== undefined) notes.data.set(SPENT, '0');
		saved[OWNER] = executionId;
		return notes;
	}

	/** Submissions that are paid for, or may be, of all nodes and at all turns of a loop, earlier tries included. */
	get sent(): number {
		return asNumber(this.saved[SENT]) ?? 0;
	}

	/** Notes a submission before it leaves, and when it certainly was not accepted. */
	countSent(more: 1 | -1): void {
		this.saved[SENT] = this.sent + more;
	}

	/** Submissions of unknown fate, of all nodes and turns. */
	countUnknown(size: Size): number {
		return asNumber(this.saved[UNKNOWN[size]]) ?? 0;
	}

	noteUnknown(size: Size): void {
		this.saved[UNKNOWN[size]] = this.countUnknown(size) + 1;
	}

	/** Notes an id that is paid for, as long as there is room. Batches go first. */
	addId(id: string, size: Size): void {
		const ids = this.data?.get(IDS)?.split(' ') ?? [];
		if (ids.includes(id)) return;
		const all = size === 'bulk' ? [id, ...ids] : [...ids, id];
		while (all.join(' ').length > MAX_NOTE_LENGTH) all.pop();
		this.data?.set(IDS, all.join(' '));
	}

	/** @param credits that the service says it charged */
	addSpent(credits: number): void {
		this.data?.set(SPENT, String(addCredits(Number(this.data.get(SPENT) ?? 0), credits)));
	}
}
