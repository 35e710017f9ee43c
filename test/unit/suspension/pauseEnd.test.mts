import type { IExecuteFunctions } from 'n8n-workflow';
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
	const { obstacleOfLastPause } = await import('../../../nodes/ContactData/suspension/pauseEnd.ts');
	return (pause) => obstacleOfLastPause(contextOf(pause));
}

interface Pause {
	/** How long after the end of its pause the execution went on. */
	lateMs: number;
	/** When that was. */
	resumedAt?: number;
	calledBackIn?: string;
}

function contextOf({ lateMs, resumedAt = Date.now(), calledBackIn }: Pause): IExecuteFunctions {
	const pause = { execution: '7', end: resumedAt - lateMs, node: 'One', run: 0, calledBackIn };
	const context: Partial<IExecuteFunctions> & { runExecutionData: object } = {
		getMode: () => 'trigger',
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
