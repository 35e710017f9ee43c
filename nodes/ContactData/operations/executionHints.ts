import type { IExecuteFunctions } from 'n8n-workflow';
import { tellOfOthers } from '../results/summary';
import type { Started } from '../spending/start';

/** Shows one line in the output pane, where there is one. */
export function addHint(context: IExecuteFunctions, message: string | undefined): void {
	if (message === undefined) return;
	context.addExecutionHints({ message, location: 'outputPane', type: 'info' });
}

/** Shows that others have slowed the run, where they have. */
export function addHintOnOthers(context: IExecuteFunctions, { traffic }: Started): void {
	addHint(context, tellOfOthers(traffic));
}
