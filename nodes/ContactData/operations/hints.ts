import type { IExecuteFunctions } from 'n8n-workflow';
import { tellOfOthers } from '../results/summary';
import type { Started } from '../spending/start';

/** Shows one line in the output pane. */
export function addHint(context: IExecuteFunctions, message: string): void {
	context.addExecutionHints({ message, location: 'outputPane', type: 'info' });
}

/** Shows that others have slowed the run, where they have. */
export function addHintOnOthers(context: IExecuteFunctions, { traffic }: Started): void {
	const told = tellOfOthers(traffic);
	if (told !== undefined) addHint(context, told);
}
