import type { IExecuteFunctions, IWebhookFunctions, WorkflowExecuteMode } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

// Which executions n8n's limit of executions at once has held up until their pause was over.

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

/** How long n8n's process runs. */
function startedBefore(ms: number): void {
	vi.spyOn(performance, 'now').mockReturnValue(ms);
}

/** As n8n has just loaded the package. */
async function load(): Promise<(pause: Pause) => string | undefined> {
	const { obstacleOfLastPause } = await import('../../../nodes/ContactData/pausing/pauseEnd.ts');
	return (pause) => obstacleOfLastPause(contextOf(pause));
}

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

function contextOf({
	lateMs,
	resumedAt = Date.now(),
	calledBackIn,
	mode = 'trigger',
	execution = '7',
}: Pause): IExecuteFunctions {
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

describe('a pause that n8n has ended by itself', () => {
	it.for([
		[500, false],
		[2_000, true],
		[HOUR_MS, true],
	] as const)('%i ms late: held up is %s', async ([lateMs, isHeldUp]) => {
		startedBefore(24 * HOUR_MS);
		const obstacle = await load();
		expect(obstacle({ lateMs }) !== undefined).toBe(isHeldUp);
	});

	it.for([
		['webhook', true],
		['trigger', true],
		['chat', true],
		['manual', false],
		['integrated', false],
	] as const)('in an execution of the mode %s: held up is %s', async ([mode, isHeldUp]) => {
		startedBefore(24 * HOUR_MS);
		const obstacle = await load();
		expect(obstacle({ lateMs: HOUR_MS, mode }) !== undefined).toBe(isHeldUp);
	});

	it('in the execution that this one is a retry of says nothing of this one', async () => {
		startedBefore(24 * HOUR_MS);
		const obstacle = await load();
		expect(obstacle({ lateMs: HOUR_MS, execution: '6' })).toBeUndefined();
	});

	it('while n8n did not run was not held up when n8n first looks for it', async () => {
		startedBefore(50_000);
		const obstacle = await load();
		expect(obstacle({ lateMs: 8 * HOUR_MS })).toBeUndefined();
	});

	it('was held up when n8n has looked for it twice since its start', async () => {
		startedBefore(130_000);
		const obstacle = await load();
		const resumedAt = NOW - 60_000;
		expect(obstacle({ lateMs: 8 * HOUR_MS, resumedAt })).toBeDefined();
	});
});

describe('a callback that came to another process', () => {
	const late = { lateMs: HOUR_MS };

	it('says that this one is a worker, and that no limit holds it up', async () => {
		startedBefore(24 * HOUR_MS);
		const obstacle = await load();
		vi.setSystemTime(NOW + 1_000);
		expect(obstacle({ ...late, calledBackIn: 'another' })).toBeUndefined();
		expect(obstacle(late)).toBeUndefined();
	});

	it('says nothing where n8n was restarted, or the package updated, since', async () => {
		startedBefore(24 * HOUR_MS);
		const obstacle = await load();
		const resumedAt = NOW - 1_000;
		expect(obstacle({ ...late, calledBackIn: 'another', resumedAt })).toBeUndefined();
		expect(obstacle(late)).toBeDefined();
	});
});

describe('a callback that came to this process', () => {
	/** Notes it, as another module of the same process does. */
	async function calledBack(pause: Pause): Promise<boolean> {
		const { noteCalledBack, obstacleOfLastPause } =
			await import('../../../nodes/ContactData/pausing/pauseEnd.ts');
		const context = contextOf(pause);
		noteCalledBack(context as unknown as IWebhookFunctions);
		return obstacleOfLastPause(context) !== undefined;
	}

	it.for([
		[-76_000, false],
		[-74_000, true],
		[0, true],
		[HOUR_MS, true],
	] as const)(
		'and whose execution went on %i ms after its pause: held up is %s',
		async ([lateMs, isHeldUp]) => {
			startedBefore(24 * HOUR_MS);
			expect(await calledBack({ lateMs })).toBe(isHeldUp);
		},
	);

	it('is not one that n8n was late for since it was just started', async () => {
		startedBefore(50_000);
		expect(await calledBack({ lateMs: 8 * HOUR_MS })).toBe(true);
	});
});

it('an execution that went on in the first minute of n8n was not held up, whenever that is asked', async () => {
	startedBefore(100_000);
	const obstacle = await load();
	expect(obstacle({ lateMs: 8 * HOUR_MS, resumedAt: NOW - 50_000 })).toBeUndefined();
});

describe('a pause that is about to end', () => {
	const isEnding = async (context: object): Promise<boolean> => {
		const { msUntilLeftToN8n } = await import('../../../nodes/ContactData/pausing/pauseEnd.ts');
		return msUntilLeftToN8n(context as IWebhookFunctions) <= 0;
	};

	it.for([
		[HOUR_MS, false],
		[76_000, false],
		[74_000, true],
		[-1_000, true],
	] as const)('in %i ms is left to n8n: %s', async ([leftMs, isLeft]) => {
		const context = contextOf({ lateMs: -leftMs });
		expect(await isEnding(context)).toBe(isLeft);
		expect(await isEnding(contextOf({ lateMs: -leftMs, execution: '6' }))).toBe(false);
	});

	it.for([
		{},
		{ runExecutionData: undefined },
		{ runExecutionData: {} },
		{ runExecutionData: { executionData: {} } },
		{ runExecutionData: { executionData: { contextData: {} } } },
		{ runExecutionData: { executionData: { contextData: { flow: {} } } } },
	])('is unknown where n8n keeps nothing of it: %j', async (saved) => {
		startedBefore(24 * HOUR_MS);
		const context = { getExecutionId: () => '7', getMode: () => 'trigger', ...saved };
		expect(await isEnding(context)).toBe(false);
		const { obstacleOfLastPause } = await import('../../../nodes/ContactData/pausing/pauseEnd.ts');
		expect(obstacleOfLastPause(context as IExecuteFunctions)).toBeUndefined();
	});
});
