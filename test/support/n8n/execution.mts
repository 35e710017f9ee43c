import { createRequire } from 'node:module';
import type {
	ExecutionStatus,
	IDataObject,
	INodeExecutionData,
	IRunExecutionData,
	ITaskData,
} from 'n8n-workflow';

/** An execution as `GET /rest/executions/:id` gives it: `data` is serialised by `flatted`. */
export interface ExecutionRecord {
	id: string;
	workflowId: string;
	status: ExecutionStatus;
	mode: string;
	/** ISO 8601. */
	startedAt: string | null;
	stoppedAt: string | null;
	data: string;
}

/** What a failed node or execution says: n8n's `message` and `description`. */
export interface ReadError {
	message: string;
	description?: string | null;
	/** The whole error as it was saved, for looking at what else is in it. */
	[field: string]: unknown;
}

/** An execution, read back from n8n. Node names are the workflow's; a run is one pass of a loop. */
export class Execution {
	readonly id: string;
	readonly workflowId: string;
	readonly status: ExecutionStatus;
	readonly data: IRunExecutionData;

	constructor(
		readonly record: ExecutionRecord,
		unflatten: (text: string) => unknown,
	) {
		this.id = record.id;
		this.workflowId = record.workflowId;
		this.status = record.status;
		this.data = unflatten(record.data) as IRunExecutionData;
	}

	/** The name of the node that ran last. */
	get lastNode(): string | undefined {
		return this.data.resultData.lastNodeExecuted;
	}

	/** The error that ended the execution. */
	get error(): ReadError | undefined {
		return this.data.resultData.error as ReadError | undefined;
	}

	/** The error of a node, also of one that let the execution go on. */
	nodeError(node: string): ReadError | undefined {
		return this.run(node)?.error as ReadError | undefined;
	}

	/** The JSON of the items of a node (default: the node that ran last). */
	json<T = IDataObject>(node?: string, output = 0): T[] {
		return this.items(node, output).map((item) => item.json as T);
	}

	/** The items of a node with pairing and binary data; output 1 is the error output, if on. */
	items(node = this.lastNode, output = 0): INodeExecutionData[] {
		if (node === undefined) return [];
		return this.run(node)?.data?.main[output] ?? [];
	}

	/** How a node ran the last time: timing, error, hints and data. Undefined: it did not run. */
	run(node: string): ITaskData | undefined {
		return this.data.resultData.runData[node]?.at(-1);
	}

	/** How long it took, in seconds. 0 while it is not finished. */
	get seconds(): number {
		const { startedAt, stoppedAt } = this.record;
		return startedAt !== null && stoppedAt !== null
			? (Date.parse(stoppedAt) - Date.parse(startedAt)) / 1000
			: 0;
	}
}

/** Gives the reader of n8n's execution data: the very `flatted` that the installed n8n writes with. */
export function unflattenerOf(n8nBin: string): (text: string) => unknown {
	const { parse } = createRequire(n8nBin)('flatted') as { parse: (text: string) => unknown };
	return parse;
}
