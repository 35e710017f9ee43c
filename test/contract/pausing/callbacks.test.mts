import { describe, expect, it } from 'vitest';
import type { FaultRule } from '../../support/sandbox/faults.mts';
import type { Search } from '../../support/sandbox/types.mts';
import { skipTime, useFastClock } from '../../support/clock.mts';
import { useBench } from '../../support/n8nCore/contactData.mts';
import { resumeWorkflow } from '../../support/n8nCore/workflow.mts';
import { people } from '../../support/people.mts';
import { pauseInN8n } from './callingN8n.mts';
import { pairsOf, resultsOf, Suspended } from './suspended.mts';

const MINUTE_MS = 60_000;
const JOB_MS = 10 * MINUTE_MS;

const bench = useBench({ single: JOB_MS, bulk: JOB_MS });
useFastClock();

const find = (count = 1) =>
	new Suspended(bench(), 'emailFinder', 'submitAndWait', { items: people(count) });

const looksSince = (before: number) => bench().looks.length - before;

// Its body is not even read.
describe('a callback changes nothing', () => {
	it('that is early, whatever it says', async () => {
		const body = { id: 'another', qualification: 'valid', email: 'e@vil.example' };
		const execution = find();
		const parked = await execution.park();
		const before = bench().looks.length;
		const { resumed, error } = await execution.call(parked, { body });
		expect({ resumed, error }).toEqual({ resumed: undefined, error: undefined });
		expect(looksSince(before)).toBeLessThanOrEqual(4);

		skipTime(JOB_MS);
		const run = await execution.resume(parked);
		expect(resultsOf(run)).toMatchObject([
			{ found: true, email: 'mustfind.number.0@acme.example' },
		]);
	});

	it('while others still run, and the sender is told that it was heard', async () => {
		bench().sandbox.configure({
			single: ({ searches }) => (searches[0]?.canonical.includes('number 0') ? MINUTE_MS : JOB_MS),
		});
		const execution = find(3);
		const parked = await execution.park();
		skipTime(MINUTE_MS);
		const { resumed, response } = await execution.call(parked);
		expect(resumed).toBeUndefined();
		expect(response?.status).toBe(200);
	});
});

it('a callback for an execution that has left the node, and waits for no search, resumes nothing', async () => {
	const execution = find(2);
	const parked = await execution.park();
	skipTime(JOB_MS);
	const left = structuredClone(parked);
	const { contextData, nodeExecutionStack } = left.data.executionData ?? {};
	const [waiting] = nodeExecutionStack ?? [];
	if (waiting !== undefined) waiting.data.main = [[{ json: { n: 0 } }]];
	if (contextData !== undefined) contextData.flow = {};
	const before = bench().looks.length;
	const { resumed, error, response } = await execution.call(left);
	expect({ resumed, error }).toEqual({ resumed: undefined, error: undefined });
	expect(response?.status).toBe(503);
	expect(looksSince(before)).toBe(0);
});

// n8n would take each that brings items: before 2.0 at any time, since then when the execution waits again.
describe('an execution that has its results, and waits for its turn to run', () => {
	it('gets them no second time, however late and whatever is in the address', async () => {
		const execution = find(3);
		const parked = await execution.park();
		skipTime(JOB_MS);
		const first = await execution.call(parked);
		const before = bench().looks.length;
		skipTime(3_600_000);
		const second = await execution.call(parked, { query: { signature: 'made-up' } });
		expect(first.workflowData).toHaveLength(1);
		expect(second).toMatchObject({
			workflowData: undefined,
			response: { status: 503 },
		});
		expect(looksSince(before)).toBe(0);
	});

	it.for([
		['says that', false],
		['would have said that, had the sender not hung up,', true],
	] as const)('gets them again where n8n %s it could not resume it', async ([, hangsUp]) => {
		const execution = find(3);
		const parked = await execution.park();
		skipTime(JOB_MS);
		const first = await execution.call(parked, { failsToResume: true, hangsUp });
		expect(first.workflowData).toBeDefined();
		expect(first.response?.status).toBe(hangsUp ? undefined : 500);
		const later = await execution.call(parked);
		expect(later.workflowData).toEqual(first.workflowData);
	});
});

// n8n sets a timer for each pause that ends within 70 s, and keeps it whatever resumes the execution: when
// it goes off, n8n ends whatever the execution waits for then. With a limit of executions at once n8n may
// also resume both by the timer and by a callback.
describe('an execution whose pause ends by itself soon', () => {
	const TIMEOUT_S = 1_200;
	const parkedFor = async (
		seconds: number,
		operation: 'submitAndWait' | 'submitBulkAndWait' = 'submitAndWait',
	) => {
		const execution = new Suspended(bench(), 'emailFinder', operation, {
			items: people(2),
			options: { timeout: TIMEOUT_S },
		});
		const parked = await execution.park();
		skipTime(1_000 * seconds);
		return async () => await execution.call(parked);
	};
	const LEFT = { workflowData: undefined, response: { status: 503 } };

	it('gets all results of the time until its Timeout', async () => {
		const call = await parkedFor(TIMEOUT_S);
		expect((await call()).workflowData).toHaveLength(1);
	});

	it('is left to n8n where a callback comes a minute after that', async () => {
		const call = await parkedFor(TIMEOUT_S + 60);
		expect(await call()).toMatchObject(LEFT);
	});

	it('is left to n8n, and nothing is read, where something still runs', async () => {
		bench().sandbox.configure({ single: 2 * TIMEOUT_S * 1_000 });
		const call = await parkedFor(TIMEOUT_S + 60);
		// The lookout may be due as well, and has its answer first.
		await new Promise((resolve) => setTimeout(resolve, 60_000));
		const before = bench().looks.length;
		expect(await call()).toMatchObject(LEFT);
		expect(looksSince(before)).toBe(0);
	});

	it('is left to n8n where the results take so long to be read', async () => {
		const call = await parkedFor(TIMEOUT_S + 30, 'submitBulkAndWait');
		bench().sandbox.faults.add({ kind: 'delay', ms: 30_000, on: 'GET *' });
		expect(await call()).toMatchObject(LEFT);
	});
});

describe('a fault of the service', () => {
	const FAULTS: Array<[string, FaultRule]> = [
		['a 500', { on: 'GET *', kind: 'status', status: 500 }],
		['a refused key', { on: 'GET *', kind: 'status', status: 401 }],
		[
			'the table’s own 500',
			{
				on: 'GET *',
				kind: 'status',
				status: 500,
				body: { message: 'Could not retrieve single search results' },
			},
		],
	];

	it.for(FAULTS)('that lasts (%s) is made up for when it is over', async ([, fault]) => {
		const paused = await pauseInN8n(find(2));
		skipTime(JOB_MS);
		bench().sandbox.faults.add({ ...fault, times: 1000 });
		const before = bench().looks.length;
		const { resumed, error, response } = await paused.call();
		expect({ resumed, error }).toEqual({ resumed: undefined, error: undefined });
		// It is looked after.
		expect(response?.status).toBe(200);
		expect(looksSince(before)).toBeLessThanOrEqual(2);

		bench().sandbox.faults.clear();
		const run = await paused.resumedWithin(MINUTE_MS);
		expect(resultsOf(run)).toMatchObject([{ found: true }, { found: true }]);
	});

	it('in n8n, such as a credential that is gone, leaves the execution parked', async () => {
		const execution = find();
		const parked = await execution.park();
		skipTime(JOB_MS);
		const { resumed, error, response } = await execution.call(parked, { credentials: {} });
		expect({ resumed, error }).toEqual({ resumed: undefined, error: undefined });
		expect(response?.status).toBe(503);
		expect(resultsOf(await execution.resume(parked))).toMatchObject([{ found: true }]);
	});
});

describe('fifty singles', () => {
	const COUNT = 50;

	it('whose callbacks come at once are read about once each', async () => {
		const execution = find(COUNT);
		const parked = await execution.park();
		skipTime(JOB_MS);
		const before = bench().looks.length;
		const calls = await Promise.all(
			Array.from({ length: COUNT }, async () => await execution.call(parked)),
		);
		const [resumed] = calls.flatMap((call) => call.resumed ?? []);
		if (resumed === undefined) throw new Error('Not resumed');
		expect(looksSince(before) / COUNT).toBeLessThan(1.1);
		const run = await resumeWorkflow(execution.workflow, resumed);
		expect(pairsOf(run)).toEqual(Array.from({ length: COUNT }, (_, n) => n));
	});

	it('whose callbacks come one by one are read at most three times each on average', async () => {
		bench().sandbox.configure({
			single: ({ searches }) => JOB_MS + MINUTE_MS * ((37 * numberIn(searches)) % COUNT),
		});
		const execution = find(COUNT);
		const parked = await execution.park();
		const before = bench().looks.length;
		const start = bench().sandbox.ledger.entries.at(-1)?.at ?? 0;
		const outcomes = [];
		for (let done = 0; done < COUNT; done++) {
			skipTime(start + JOB_MS + MINUTE_MS * done + 1_000 - Date.now());
			outcomes.push((await execution.call(parked)).resumed !== undefined);
		}
		expect(outcomes.indexOf(true)).toBe(COUNT - 1);
		expect(looksSince(before)).toBeLessThanOrEqual(3 * COUNT);
	});
});

function numberIn(searches: readonly Search[]): number {
	return Number(/number (\d+)/.exec(searches[0]?.canonical ?? '')?.[1]);
}
