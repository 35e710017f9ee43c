import { describe, expect, it, vi } from 'vitest';
import { skipTime, useFastClock } from '../../support/clock.mts';
import { useBench } from '../../support/n8nCore/contactData.mts';
import { resumeWorkflow } from '../../support/n8nCore/workflow.mts';
import { people } from '../../support/people.mts';
import type { CallWebhookResult } from '../../support/n8nCore/webhook.mts';
import { pairsOf, resultsOf, Suspended } from './suspended.mts';

// The service may call back a moment before the result that it tells of can be read.

const MINUTE_MS = 60_000;
const JOB_MS = 10 * MINUTE_MS;
/** So that the first look is in vain. */
const EARLY_MS = 800;
const COUNT = 3;

const bench = useBench({ single: JOB_MS, bulk: JOB_MS, webhooks: { send: 'none' } });
useFastClock();
// Sockets keep their own time, and another's load.
vi.setConfig({ testTimeout: 60_000 });

let executions = 0;

/** An execution of its own: what a process remembers of one is not another's. */
function suspended(count: number, size: 'single' | 'bulk' = 'single'): Suspended {
	const items = people(count);
	const executionId = `early ${++executions}`;
	if (size === 'single') {
		return new Suspended(bench(), 'emailFinder', 'submitAndWait', { items }, executionId);
	}
	// Different settings never share a batch.
	const given = { items, options: { countryCode: "={{ ['US', 'FR', 'DE'][$json.n] }}" } };
	return new Suspended(bench(), 'emailFinder', 'submitBulkAndWait', given, executionId);
}

const started = () => bench().sandbox.ledger.entries;
const looksSince = (before: number) => bench().looks.length - before;

/** Goes on to a moment before the n-th submission is finished, each a while after the one before. */
function goToEndOf(n: number, apartMs = 0): void {
	const end = (started()[n]?.at ?? 0) + JOB_MS + n * apartMs;
	skipTime(end - EARLY_MS - Date.now());
}

async function expectAllFound(execution: Suspended, calls: CallWebhookResult[]): Promise<void> {
	const [resumed] = calls.flatMap((call) => call.resumed ?? []);
	if (resumed === undefined) {
		throw new Error(`Not resumed: ${calls.map(({ response }) => response?.status).join()}`);
	}
	const run = await resumeWorkflow(execution.workflow, resumed);
	expect(resultsOf(run).map(({ found }) => found)).toEqual(Array(COUNT).fill(true));
	expect(pairsOf(run)).toEqual([...Array(COUNT).keys()]);
}

describe.for(['single', 'bulk'] as const)('callbacks that are early resume it: %s', (size) => {
	it('where all come at once, each twice', async () => {
		const execution = suspended(COUNT, size);
		const parked = await execution.park();
		const before = bench().looks.length;
		goToEndOf(COUNT - 1);
		const both = [...started(), ...started()];
		const calls = await Promise.all(both.map(async () => await execution.call(parked)));
		await expectAllFound(execution, calls);
		expect(looksSince(before)).toBeLessThanOrEqual(6 * COUNT);
	});

	it('with the last, where they come one after another', async () => {
		bench().sandbox.configure({ [size]: oneAfterAnother });
		const execution = suspended(COUNT, size);
		const parked = await execution.park();
		const calls: CallWebhookResult[] = [];
		for (let n = 0; n < COUNT; n++) {
			goToEndOf(n, MINUTE_MS);
			calls.push(await execution.call(parked));
		}
		expect(calls.map(({ resumed }) => resumed !== undefined)).toEqual([false, false, true]);
		await expectAllFound(execution, calls);
	});
});

it('a callback whose end cannot be seen is answered so that the sender comes again', async () => {
	const execution = suspended(1);
	const parked = await execution.park();
	const before = bench().looks.length;
	const call = await execution.call(parked);
	expect(call).toMatchObject({ resumed: undefined, response: { status: 503 } });
	expect(looksSince(before)).toBeLessThanOrEqual(6);
});

/** The n-th person's lookup ends a minute after the one before. */
function oneAfterAnother({ searches }: { searches: ReadonlyArray<{ canonical: string }> }): number {
	return JOB_MS + MINUTE_MS * Number(/number (\d+)/.exec(searches[0]?.canonical ?? '')?.[1]);
}
