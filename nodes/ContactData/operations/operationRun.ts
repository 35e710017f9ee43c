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

/** Shows one line in the output pane, where there is one. */
export function addHint(context: IExecuteFunctions, message: string | undefined): void {
	if (message === undefined) return;
	context.addExecutionHints({ message, location: 'outputPane', type: 'info' });
}
