import type { IExecuteFunctions } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { obstacleOfLastPause } from '../../../nodes/ContactData/pausing/pauseEnd.ts';

// n8n resumes an execution again whose pause was over before it ran. `contract/pausing/heldUp` has the rest.

const NOW = Date.now();
const MINUTE = 60_000;

/** An execution that went on so long before the end of its pause. */
function contextOf(earlyMs: number, startTime: number | null = NOW, execution = '7') {
	const pause = { execution, end: NOW + earlyMs, node: 'One', run: 0 };
	const context: Partial<IExecuteFunctions> & { runExecutionData: object } = {
		getExecutionId: () => '7',
		runExecutionData: {
			executionData: { contextData: { flow: { contactDataPause: pause } } },
			resultData: { runData: { One: [{ startTime }] } },
		},
	};
	return context as IExecuteFunctions;
}

it.for([
	['two minutes before its end', true, contextOf(2 * MINUTE)],
	// n8n's timer for the pause runs from 70 s before.
	['a minute before its end', false, contextOf(MINUTE)],
	['at its end', false, contextOf(0)],
	['an hour after its end', false, contextOf(-60 * MINUTE)],
	['now, which is after its end', false, contextOf(-MINUTE, null)],
	['after the pause of the execution that it retries', true, contextOf(-MINUTE, NOW, '6')],
] as const)('an execution that was resumed %s may be paused again: %s', ([, can, context]) => {
	expect(obstacleOfLastPause(context) === undefined).toBe(can);
});

it.for([undefined, {}, { executionData: {} }, { executionData: { contextData: { flow: {} } } }])(
	'an execution of which n8n keeps nothing of a pause may be paused: %j',
	(runExecutionData) => {
		const context = Object.assign(contextOf(0), { runExecutionData });
		expect(obstacleOfLastPause(context)).toBeUndefined();
	},
);
