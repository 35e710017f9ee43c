import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { runAgent } from '../../support/n8nCore/agent.mts';
import { jsonOf, textIn, type Given, useBench } from '../../support/n8nCore/contactData.mts';
import type { RequestPattern } from '../../support/sandbox/faults.mts';
import { expectChargedOnce, newAccount, somebody } from '../spending/money.mts';
import { callWasOver, mayHaveBeenCharged, nothingCharged } from '../../support/texts.mts';

// Clients of a tool give up after a minute: whatever the service does, the answer is there by then.

const bench = useBench();
useFastClock();

const DUE_MS = 45_000;
/** What is read last may take a little longer. */
const LATEST_MS = 50_000;
const CLIENT_MS = 60_000;
const LONG = 3_600_000;

const one = (): INodeParameters => ({ email: somebody() });
const two = (): INodeParameters => ({
	inputMode: 'array',
	verifications: [somebody(), somebody()],
});

/** One call of the tool, and how long it took. */
async function call(operation: string, given: Given) {
	const begin = performance.now();
	const run = await bench().run('emailVerifier', operation, { tool: 'invoked', ...given });
	return { answer: jsonOf(run), tookMs: performance.now() - begin };
}

function first(answer: IDataObject[]): IDataObject {
	return answer[0] ?? {};
}

describe.for([
	['submitAndWait', 1, one, 'search_id', 'Get Result', 'Search ID'],
	['submitBulkAndWait', 2, two, 'batch_id', 'Get Bulk Results', 'Batch ID'],
] as const)('%s of %i', ([operation, count, search, field, reading, label]) => {
	const each = (item: object) => Array.from({ length: count }, () => item);

	it.for(['requested', 'invoked', 'inline'] as const)(
		'answers after 45 seconds with the id, and how to ask again, whoever calls it: %s',
		async (tool) => {
			bench().sandbox.configure({ single: LONG, bulk: LONG });
			const { answer, tookMs } = await call(operation, { parameters: search(), tool });
			expect(tookMs).toBeGreaterThanOrEqual(DUE_MS);
			expect(tookMs).toBeLessThanOrEqual(LATEST_MS);
			const id = textIn(first(answer), field);
			expect(answer).toMatchObject(each({ status: 'ongoing', credits_spent: count / 4 }));
			const { next_step: advice } = first(answer);
			expect(advice).toContain(`${reading} of the Email Verifier with ${label} ${id}`);
			expect(advice).toContain('costs no credits');
			// One of n8n's native agents, inline, has no execution.
			const sameCall = 'or within this run by the same call again';
			if (tool === 'inline') expect(advice).not.toContain(sameCall);
			else expect(advice).toContain(sameCall);
		},
	);

	it('answers after Timeout, if that is less', async () => {
		bench().sandbox.configure({ single: LONG, bulk: LONG });
		const options = { timeout: 3, onTimeout: 'error' };
		const { answer, tookMs } = await call(operation, { parameters: search(), options });
		expect(tookMs).toBeLessThanOrEqual(3_000 + 5_000);
		expect(answer).toMatchObject(each({ status: 'ongoing' }));
	});

	it.for<[what: string, on: RequestPattern]>([
		['the balance', 'GET /account/info'],
		['the result', 'GET /email/*'],
	])('answers in time where %s is never told', async ([, on]) => {
		bench().sandbox.faults.add({ kind: 'hang', on, times: Infinity });
		const { answer, tookMs } = await call(operation, { parameters: search() });
		expect(tookMs).toBeLessThanOrEqual(LATEST_MS);
		const isPaid = bench().sandbox.ledger.totals().charged > 0;
		const error: unknown = expect.stringContaining(callWasOver);
		expect(answer).toMatchObject(each(isPaid ? { status: 'ongoing' } : { error }));
	});

	it.for<Record<string, string>>([{}, { 'retry-after': '600' }])(
		'answers in time what was not taken within the limit of the service: %j',
		async (headers) => {
			const body = { message: 'Too Many Requests' };
			const busy = { kind: 'status', status: 429, headers, body, on: 'POST *' } as const;
			bench().sandbox.faults.add({ ...busy, times: Infinity });
			// All other tests would have to wait, too.
			const { credentials } = newAccount(bench());
			const { answer, tookMs } = await call(operation, { parameters: search(), credentials });
			expect(tookMs).toBeLessThanOrEqual(LATEST_MS);
			const error: unknown = expect.stringMatching(`^Too Many Requests.*${nothingCharged}`);
			expect(answer).toMatchObject(each({ error }));
			expect(bench().sandbox.ledger.entries).toEqual([]);
		},
	);

	it('hears out what has left, and gives its id', async () => {
		bench().sandbox.faults.add({ kind: 'delay', ms: 52_000, on: 'POST *' });
		bench().sandbox.configure({ single: LONG, bulk: LONG });
		const { answer, tookMs } = await call(operation, { parameters: search() });
		expect(tookMs).toBeGreaterThanOrEqual(52_000);
		expect(tookMs).toBeLessThan(CLIENT_MS);
		expect(first(answer)).toHaveProperty(field);
		expect(bench().posts).toHaveLength(1);
		expect(bench().sandbox.ledger.chargedTwice()).toEqual([]);
	});
});

describe.for(['getResult', 'getBulkResult'])('%s', (operation) => {
	const size = operation === 'getResult' ? 'single' : 'bulk';
	const parameter = size === 'single' ? 'lookupId' : 'batchId';

	async function startOne(): Promise<string> {
		const start = size === 'single' ? 'submit' : 'submitBulk';
		const run = await bench().run('emailVerifier', start, { parameters: one() });
		return textIn(first(jsonOf(run)), size === 'single' ? 'search_id' : 'batch_id');
	}

	it('answers after 45 seconds with the id, and how to ask again', async () => {
		bench().sandbox.configure({ single: LONG, bulk: LONG });
		const id = await startOne();
		const { answer, tookMs } = await call(operation, {
			parameters: { [parameter]: id },
			options: { waitForResult: true, onTimeout: 'error', timeout: 50 },
		});
		expect(tookMs).toBeLessThanOrEqual(LATEST_MS);
		expect(answer).toMatchObject([{ status: 'ongoing' }]);
		expect(first(answer).next_step).toContain(`ID ${id}`);
		expectChargedOnce(bench(), 1);
	});

	it.for([{ waitForResult: true }, {}])(
		'answers in time where nothing is told: %j',
		async (options) => {
			const id = await startOne();
			bench().sandbox.faults.add({ kind: 'hang', on: 'GET *', times: Infinity });
			const { answer, tookMs } = await call(operation, {
				parameters: { [parameter]: id },
				options,
			});
			expect(tookMs).toBeLessThanOrEqual(LATEST_MS);
			expect(answer).toHaveLength(1);
		},
	);
});

it('Get Info answers in time where nothing is told', async () => {
	bench().sandbox.faults.add({ kind: 'hang', on: 'GET *', times: Infinity });
	const begin = performance.now();
	const run = await bench().run('account', 'getInfo', { tool: 'invoked' });
	expect(performance.now() - begin).toBeLessThanOrEqual(LATEST_MS);
	expect(jsonOf(run)).toMatchObject([{ error: expect.any(String) as string }]);
});

it.for([
	['submit', 'search_id', 'Get Result of the Email Verifier with Search ID'],
	['submitBulk', 'batch_id', 'Get Bulk Results of the Email Verifier with Batch ID'],
] as const)('no equal call of %s is advised, as that starts again', async (given) => {
	const [operation, field, reading] = given;
	const { answer } = await call(operation, { parameters: one() });
	const { next_step: advice } = first(answer);
	expect(advice).toContain(`${reading} ${textIn(first(answer), field)}`);
	expect(advice).not.toContain('same call');
});

it('a search of before is not waited for longer', async () => {
	bench().sandbox.configure({ single: LONG });
	const parameters = one();
	const started = await bench().run('emailVerifier', 'submit', { parameters });
	const earlierId = textIn(first(jsonOf(started)), 'search_id');
	const { answer, tookMs } = await call('submitAndWait', { parameters, options: { earlierId } });
	expect(tookMs).toBeLessThanOrEqual(LATEST_MS);
	expect(answer).toMatchObject([{ search_id: earlierId, status: 'ongoing' }]);
	expect(first(answer).next_step).toContain(
		`by this tool with the same arguments and ${earlierId} as ID of an Earlier Search, or by Get Result`,
	);
	expectChargedOnce(bench(), 1);
});

describe('calls at once', () => {
	/** Three of an agent, and when each was answered. */
	async function callAtOnce() {
		const tool = bench().node('emailVerifier', 'submitAndWait', {
			parameters: { email: "={{ $fromAI('email') }}" },
		});
		const begin = performance.now();
		const ends: number[] = [];
		const { answers } = await runAgent(
			tool,
			[1, 2, 3].map(() => ({ email: somebody() })),
			{
				credentials: bench().credentials,
				atOnce: true,
				onAnswer: () => ends.push(performance.now() - begin),
			},
		);
		return { answers: answers.map(({ answer }) => answer), ends };
	}

	it('one that hangs keeps no others from their answers', async () => {
		bench().sandbox.faults.add({ kind: 'hang', on: 'POST *' });
		const { answers, ends } = await callAtOnce();
		expect(ends[0]).toBeLessThanOrEqual(LATEST_MS);
		expect(ends[1]).toBeLessThanOrEqual(LATEST_MS);
		expect(answers[0]).toMatch(mayHaveBeenCharged);
		for (const answer of answers.slice(1)) expect(answer).toContain(callWasOver);
		expect(bench().posts).toHaveLength(1);
	});

	it('one whose turn does not come tells what those before it have spent', async () => {
		bench().sandbox.faults.add({ kind: 'hang', on: 'POST *', skip: 1 });
		const {
			answers: [paid, , tooLate],
		} = await callAtOnce();
		expect(paid).toContain('"credits_spent":0.25');
		expect(tooLate).toContain(callWasOver);
		expect(tooLate).toContain('"credits_spent":0.25');
		expect(tooLate).toContain('"searches_maybe_charged":1');
	});
});
