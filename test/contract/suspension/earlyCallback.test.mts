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

const bench = useBench({ single: JOB_MS, bulk: JOB_MS, webhooks: { send: 'none' } });
useFastClock();
// Sockets keep their own time, and another's load.
vi.setConfig({ testTimeout: 60_000 });

const COUNTRIES = ['US', 'FR', 'DE', 'GB', 'ES'];

let executions = 0;

/** An execution of its own: what a process remembers of one is not another's. */
function suspended(count: number, size: 'single' | 'bulk'): Suspended {
	const items = people(count);
	const executionId = `early ${++executions}`;
	if (size === 'single') {
		return new Suspended(bench(), 'emailFinder', 'submitAndWait', { items }, executionId);
	}
	// Different settings never share a batch.
	const options = { countryCode: `={{ ${JSON.stringify(COUNTRIES)}[$json.n] }}` };
	const given = { items, options };
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

/** Lets the execution go on with what one of the callbacks brought. */
async function goOn(execution: Suspended, calls: CallWebhookResult[]) {
	const [resumed] = calls.flatMap((call) => call.resumed ?? []);
	if (resumed === undefined) {
		throw new Error(`Not resumed: ${calls.map(({ response }) => response?.status).join()}`);
	}
	return await resumeWorkflow(execution.workflow, resumed);
}

describe.for(['single', 'bulk'] as const)('%s: callbacks that are early', (size) => {
	describe.for([2, 5])('of %i parked lookups', (count) => {
		it.for(HINTS)('all at once, with %s, resume the execution', async ([, hint]) => {
			const execution = suspended(count, size);
			const parked = await execution.park();
			expect(started()).toHaveLength(count);
			const before = bench().looks.length;
			goToEndOf(count - 1);
			const calls = await Promise.all(
				started().map(async ({ id }) => await execution.call(parked, hint(id))),
			);
			const run = await goOn(execution, calls);
			expect(resultsOf(run).map(({ found }) => found)).toEqual(Array(count).fill(true));
			expect(pairsOf(run)).toEqual([...Array(count).keys()]);
			expect(looksSince(before)).toBeLessThanOrEqual(6 * count);
		});

		it.for(HINTS.slice(0, 3))(
			'one after another, with %s, resume the execution with the last',
			async ([, hint]) => {
				bench().sandbox.configure({ [size]: durations(MINUTE_MS) });
				const execution = suspended(count, size);
				const parked = await execution.park();
				const calls: CallWebhookResult[] = [];
				for (const [n, { id }] of started().entries()) {
					goToEndOf(n, MINUTE_MS);
					calls.push(await execution.call(parked, hint(id)));
				}
				expect(calls.map(({ resumed }) => resumed !== undefined)).toEqual([
					...Array<boolean>(count - 1).fill(false),
					true,
				]);
				expect(resultsOf(await goOn(execution, calls))).toHaveLength(count);
			},
		);
	});

	it('each twice at the same moment resume it too', async () => {
		const execution = suspended(3, size);
		const parked = await execution.park();
		goToEndOf(2);
		const calls = await Promise.all(
			[...started(), ...started()].map(
				async ({ id }) => await execution.call(parked, { body: { id } }),
			),
		);
		expect(resultsOf(await goOn(execution, calls))).toHaveLength(3);
	});
});

it('one that says nothing is about the only lookup left, where those of others were lost', async () => {
	bench().sandbox.configure({ single: durations(MINUTE_MS) });
	const execution = suspended(3, 'single');
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

describe('a callback whose end cannot be seen', () => {
	it.for(HINTS)(
		'with %s, is answered so that the sender comes again, where it must be of the only lookup left',
		async ([, hint]) => {
			const execution = suspended(1, 'single');
			const parked = await execution.park();
			const before = bench().looks.length;
			const call = await execution.call(parked, hint(started()[0]?.id ?? ''));
			expect(call).toMatchObject({
				resumed: undefined,
				response: { status: 503, body: { message: 'The search has not finished yet' } },
			});
			expect(looksSince(before)).toBeLessThanOrEqual(6);
		},
	);

	it('is not answered so where it brought an end to light, and others still run', async () => {
		bench().sandbox.configure({ single: durations(MINUTE_MS) });
		const execution = suspended(3, 'single');
		const parked = await execution.park();
		const [first] = started();
		goToEndOf(0, MINUTE_MS);
		const { response, resumed } = await execution.call(parked, { body: { id: first?.id } });
		expect({ status: response?.status, resumed }).toEqual({ status: 200, resumed: undefined });
	});
});

/** So that the n-th person's lookup ends that much after the one before. */
function durations(apartMs: number) {
	return ({ searches }: { searches: ReadonlyArray<{ canonical: string }> }) =>
		JOB_MS + apartMs * Number(/number (\d+)/.exec(searches[0]?.canonical ?? '')?.[1]);
}
