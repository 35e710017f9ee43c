import type { IExecuteFunctions, WorkflowExecuteMode } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

// Which executions n8n's limit of executions at once has held up until their pause was over: where n8n
// was started a moment ago, and of which kinds. `contract/pausing/heldUp` has the rest.

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 0, 1);

beforeEach(() => {
	vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
	vi.resetModules();
});
afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
	vi.resetModules();
});

interface Pause {
	/** How long after the end of its pause the execution went on. */
	lateMs: number;
	/** When that was. */
	resumedAt?: number;
	calledBackIn?: string;
	/** Of n8n; default `trigger`. */
	mode?: WorkflowExecuteMode;
	/** Which execution has noted it; default: this one. */
	execution?: string;
}

function contextOf({ lateMs, mode = 'trigger', ...given }: Pause): IExecuteFunctions {
	const { resumedAt = Date.now(), calledBackIn, execution = '7' } = given;
	const pause = { execution, end: resumedAt - lateMs, node: 'One', run: 0, calledBackIn };
	const context: Partial<IExecuteFunctions> & { runExecutionData: object } = {
		getMode: () => mode,
		getExecutionId: () => '7',
		runExecutionData: {
			executionData: { contextData: { flow: { contactDataPause: pause } } },
			resultData: { runData: { One: [{ startTime: resumedAt }] } },
		},
	};
	return context as IExecuteFunctions;
}

/** Whether an execution counts as held up, in an n8n that runs for so long and has just loaded the package. */
async function inN8n({ runsMs }: { runsMs: number }): Promise<(pause: Pause) => boolean> {
	vi.spyOn(performance, 'now').mockReturnValue(runsMs);
	const { obstacleOfLastPause } = await import('../../../nodes/ContactData/pausing/pauseEnd.ts');
	return (pause) => obstacleOfLastPause(contextOf(pause)) !== undefined;
}

it.for([
	['webhook', true],
	['trigger', true],
	['chat', true],
	['manual', false],
	['integrated', false],
] as const)('an execution of the mode %s can be held up: %s', async ([mode, can]) => {
	const isHeldUp = await inN8n({ runsMs: 24 * HOUR_MS });
	expect(isHeldUp({ lateMs: HOUR_MS, mode })).toBe(can);
});

it('a pause of the execution that this one is a retry of says nothing of this one', async () => {
	const isHeldUp = await inN8n({ runsMs: 24 * HOUR_MS });
	expect(isHeldUp({ lateMs: HOUR_MS, execution: '6' })).toBe(false);
});

describe('a pause that was over while n8n did not run', () => {
	it.for([
		['was not held up when n8n first looks for it', 50_000, NOW, false],
		['nor later, when that is asked again', 100_000, NOW - 50_000, false],
		['was held up when n8n has looked for it twice', 130_000, NOW - 60_000, true],
	] as const)('%s', async ([, runsMs, resumedAt, expected]) => {
		const isHeldUp = await inN8n({ runsMs });
		expect(isHeldUp({ lateMs: 8 * HOUR_MS, resumedAt })).toBe(expected);
	});
});

describe('a callback that came to another process', () => {
	const late = { lateMs: HOUR_MS };

	it('says that this one is a worker, and that no limit holds it up', async () => {
		const isHeldUp = await inN8n({ runsMs: 24 * HOUR_MS });
		vi.setSystemTime(NOW + 1_000);
		expect(isHeldUp({ ...late, calledBackIn: 'another' })).toBe(false);
		expect(isHeldUp(late)).toBe(false);
	});

	it('says nothing where n8n was restarted, or the package updated, since', async () => {
		const isHeldUp = await inN8n({ runsMs: 24 * HOUR_MS });
		const resumedAt = NOW - 1_000;
		expect(isHeldUp({ ...late, calledBackIn: 'another', resumedAt })).toBe(false);
		expect(isHeldUp(late)).toBe(true);
	});
});

it.for([undefined, {}, { executionData: {} }, { executionData: { contextData: { flow: {} } } }])(
	'where n8n keeps nothing of a pause, none was held up: %j',
	async (runExecutionData) => {
		const { obstacleOfLastPause } = await import('../../../nodes/ContactData/pausing/pauseEnd.ts');
		const context = { ...contextOf({ lateMs: HOUR_MS }), runExecutionData };
		expect(obstacleOfLastPause(context)).toBeUndefined();
	},
);
