import type { IExecuteFunctions } from 'n8n-workflow';

/** Shows one line in the output pane. */
export function addHint(context: IExecuteFunctions, message: string): void {
	context.addExecutionHints({ message, location: 'outputPane', type: 'info' });
}
