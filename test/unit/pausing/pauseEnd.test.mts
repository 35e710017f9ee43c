import type { IExecuteFunctions } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { obstacleOfLastPause } from '../../../nodes/ContactData/pausing/pauseEnd.ts';

// n8n resumes an execution again whose pause was over before it ran. `contract/pausing/heldUp` has the rest.

const NOW = Date.now();
const MINUTE = 60_000;

/** An execution that goes on so long before the end of its pause, or after that of the one that it retries. */
function contextOf(earlyMs: number, execution = '7') {
	const flow = { contactDataPause: { execution, wakesAt: NOW + earlyMs } };
	const context: Partial<IExecuteFunctions> & { runExecutionData: object } = {
		getExecutionId: () => '7',
		runExecutionData: { executionData: { contextData: { flow } } },
	};
	return context as IExecuteFunctions;
}

it.for([
	['two minutes before the end of its last pause', true, contextOf(2 * MINUTE)],
	// n8n's timer for the pause runs from 70 s before.
	['a minute before that', false, contextOf(MINUTE)],
	['after the pause of the execution that it retries', true, contextOf(-MINUTE, '6')],
] as const)('an execution may be paused %s: %s', ([, can, context]) => {
	expect(obstacleOfLastPause(context) === undefined).toBe(can);
});
