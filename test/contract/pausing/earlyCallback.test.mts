import { describe, expect, it, vi } from 'vitest';
import { skipTime, useFastClock } from '../../support/clock.mts';
import { useBench } from '../../support/n8nCore/contactData.mts';
import type { HttpCall } from '../../support/n8nCore/webhookServer.mts';
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

/** What a callback says of the lookup that it is about. */
const HINTS: Array<[name: string, call: (id: string) => HttpCall]> = [
	['its id', (id) => ({ body: { id } })],
	['its id somewhere inside', (id) => ({ body: { event: 'done', data: { search_id: id } } })],
	['nothing', () => ({ body: {} })],
	['another id', () => ({ body: { id: 'another' } })],
	['text', () => ({ body: 'done', headers: { 'content-type': 'text/plain' } })],
];

async function expectAllFound(execution: Suspended, calls: CallWebhookResult[]): Promise<void> {
	const [resumed] = calls.flatMap((call) => call.resumed ?? []);
	if (resumed === undefined) {
		throw new Error(`Not resumed: ${calls.map(({ response }) => response?.status).join()}`);
	}
	const run = await resumeWorkflow(execution.workflow, resumed);
	expect(resultsOf(run).map(({ found }) => found)).toEqual(Array(COUNT).fill(true));
	expect(pairsOf(run)).toEqual([...Array(COUNT).keys()]);
}

const sizes = HINTS.flatMap(([name, hint]) =>
	(['single', 'bulk'] as const).map((size) => ({ size, name, hint })),
);

describe('callbacks that are early resume the execution', () => {
	it.for(sizes)('where all come at once, each twice: $size, with $name', async ({ size, hint }) => {
		const execution = suspended(COUNT, size);
		const parked = await execution.park();
		const before = bench().looks.length;
		goToEndOf(COUNT - 1);
		const calls = await Promise.all(
			[...started(), ...started()].map(async ({ id }) => await execution.call(parked, hint(id))),
		);
		await expectAllFound(execution, calls);
		expect(looksSince(before)).toBeLessThanOrEqual(6 * COUNT);
	});

	it.for(sizes.slice(0, 6))(
		'with the last, where they come one after another: $size, with $name',
		async ({ size, hint }) => {
			bench().sandbox.configure({ [size]: oneAfterAnother });
			const execution = suspended(COUNT, size);
			const parked = await execution.park();
			const calls: CallWebhookResult[] = [];
			for (const [n, { id }] of started().entries()) {
				goToEndOf(n, MINUTE_MS);
				calls.push(await execution.call(parked, hint(id)));
			}
			expect(calls.map(({ resumed }) => resumed !== undefined)).toEqual([false, false, true]);
			await expectAllFound(execution, calls);
		},
	);

	it('where one that says nothing must be about the only lookup left', async () => {
		bench().sandbox.configure({ single: oneAfterAnother });
		const execution = suspended(COUNT);
		const parked = await execution.park();
		const [one, other] = started();
		goToEndOf(1, MINUTE_MS);
		skipTime(2 * EARLY_MS);
		const both = { body: { id: one?.id, data: { search_id: other?.id } } };
		const calls = [await execution.call(parked, both)];
		goToEndOf(2, MINUTE_MS);
		calls.push(await execution.call(parked, { body: {} }));
		expect(calls.map(({ resumed }) => resumed !== undefined)).toEqual([false, true]);
	});
});

it.for(HINTS)(
	'a callback whose end cannot be seen, with %s, is answered so that the sender comes again',
	async ([, hint]) => {
		const execution = suspended(1);
		const parked = await execution.park();
		const before = bench().looks.length;
		const call = await execution.call(parked, hint(started()[0]?.id ?? ''));
		expect(call).toMatchObject({ resumed: undefined, response: { status: 503 } });
		expect(looksSince(before)).toBeLessThanOrEqual(6);
	},
);

/** The n-th person's lookup ends a minute after the one before. */
function oneAfterAnother({ searches }: { searches: ReadonlyArray<{ canonical: string }> }): number {
	return JOB_MS + MINUTE_MS * Number(/number (\d+)/.exec(searches[0]?.canonical ?? '')?.[1]);
}
