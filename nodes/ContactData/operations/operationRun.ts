import type { IExecuteFunctions } from 'n8n-workflow';
import type { Run } from '../input/run';
import type { RunOptions } from '../input/runOptions';
import type { Lookup, Size } from '../lookups/types';

/** What an operation is given: what to do, and n8n. Only operations see the context. */
export interface OperationRun {
	context: IExecuteFunctions;
	run: Run;
	lookup: Lookup;
	size: Size;
	options: RunOptions;
}
