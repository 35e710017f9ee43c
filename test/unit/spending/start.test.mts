import type { INode, Logger } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ItemSearch } from '../../../nodes/ContactData/input/searches.ts';
import type { Run } from '../../../nodes/ContactData/input/run.ts';
import { emailVerifier } from '../../../nodes/ContactData/lookups/emailVerifier.ts';
import { submissionFailure } from '../../../nodes/ContactData/results/problems.ts';
import { ExecutionNotes } from '../../../nodes/ContactData/input/notes.ts';
import { Receipts } from '../../../nodes/ContactData/spending/receipts.ts';
import { start } from '../../../nodes/ContactData/spending/start.ts';
import { passTime, startClock } from '../../support/clock.mts';
import { ServiceInProcess } from '../../support/n8nCore/inProcess.mts';
import { nothingCharged } from '../../support/texts.mts';

const LIMIT_MS = 3_600_000;
const SECOND = 1_000;

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

const node: INode = {
	id: '1',
	name: 'Contact Data',
	type: 'contactData',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
const silent = () => {};
const logger = { debug: silent, info: silent, warn: silent, error: silent } satisfies Logger;

/** Verifies so many addresses, each in a submission of its own, and says what became of them. */
async function submitMany(
	service: ServiceInProcess,
	count: number,
	given: Pick<Run, 'signal'> & { continueOnFail?: boolean; name?: string } = {},
) {
	const { continueOnFail = false, name = 'ada', signal } = given;
	const { connection } = service;
	const itemSearches = Array.from({ length: count }, (_, item): ItemSearch => {
		return { item, search: { email: `${name}${item}@acme.example` }, envelope: {}, group: '' };
	});
	const receipts = Receipts.of({}, '0', '1');
	const run = {
		connection,
		node,
		continueOnFail,
		signal,
		logger,
		notes: new ExecutionNotes(undefined, {}),
		flow: {},
	};
	const request = { lookup: emailVerifier, itemSearches, receipts, maxCredits: 0 };
	return (await start(run, { ...request, size: 'single' })).outcomes;
}

const kinds = (outcomes: Awaited<ReturnType<typeof submitMany>>) =>
	new Set(outcomes.map(({ kind }) => kind));

describe('answers that take long', () => {
	it.for([50, 1 * SECOND, 4 * SECOND])(
		'of %i ms each do not hold up the submissions: they leave at the pace',
		async (latencyMs) => {
			const service = new ServiceInProcess({ account: { requestsPerSecond: 10 } });
			service.latencyMs = latencyMs;
			const outcomes = await passTime(submitMany(service, 200), LIMIT_MS);
			expect(kinds(outcomes)).toEqual(new Set(['accepted']));
			// The first one goes alone.
			const [second, last] = [service.posts[1].at, service.posts[199].at];
			expect((last - second) / 19_800).toBeLessThan(1.1);
		},
	);

	it('leave a bounded number of submissions whose fate is open when n8n ends', async () => {
		const service = new ServiceInProcess();
		service.latencyMs = 30 * SECOND;
		const outcomes = await passTime(submitMany(service, 200), LIMIT_MS);
		expect(kinds(outcomes)).toEqual(new Set(['accepted']));
		expect(service.mostUnderWay).toBeLessThanOrEqual(50);
	});
});

it('until one is accepted each goes alone: nobody knows what the service does', async () => {
	const service = new ServiceInProcess({ account: { requestsPerSecond: 10 } });
	service.latencyMs = 1 * SECOND;
	service.faults.add({ on: 'POST *', kind: 'status', status: 418, times: 2 });
	await passTime(submitMany(service, 8, { continueOnFail: true }), LIMIT_MS);
	const [first = 0, ...others] = service.posts.map(({ at }) => at);
	const seconds = others.map((at) => Math.floor((at - first) / SECOND));
	expect(seconds).toEqual([1, 2, 3, 3, 3, 3, 3]);
});

describe('a failure', () => {
	const REFUSED = { on: 'POST *', kind: 'status', status: 418 } as const;

	it('ends the run: what waits for its turn is never sent, what is under way is heard out', async () => {
		const service = new ServiceInProcess({ account: { requestsPerSecond: 10 } });
		service.latencyMs = 500;
		service.faults.add({ ...REFUSED, skip: 4 });
		const outcomes = await passTime(submitMany(service, 40), LIMIT_MS);
		const sent = service.posts.length;
		// The fifth is answered half a second after it left, in which five more leave.
		expect(sent).toBeLessThanOrEqual(11);
		expect(outcomes.filter(({ kind }) => kind === 'refused')).toHaveLength(1);
		expect(outcomes.filter(({ kind }) => kind === 'accepted')).toHaveLength(sent - 1);
		expect(outcomes.filter(({ kind }) => kind === 'halted')).toHaveLength(40 - sent);
	});

	it('of one item stops no other under Continue', async () => {
		const service = new ServiceInProcess();
		service.faults.add({ ...REFUSED, skip: 4 });
		const outcomes = await passTime(submitMany(service, 40, { continueOnFail: true }), LIMIT_MS);
		expect(outcomes.map(({ kind }) => kind).filter((kind) => kind === 'accepted')).toHaveLength(39);
		expect(service.posts).toHaveLength(40);
	});

	it('of the whole account stops all others, also under Continue, and says why to each', async () => {
		const service = new ServiceInProcess({ account: { requestsPerSecond: 10 } });
		service.faults.add({ on: 'POST *', kind: 'status', status: 402, skip: 4, times: Infinity });
		const outcomes = await passTime(submitMany(service, 40, { continueOnFail: true }), LIMIT_MS);
		expect(service.posts.length).toBeLessThanOrEqual(6);
		expect(outcomes.filter(({ kind }) => kind === 'accepted')).toHaveLength(4);
		const others = outcomes.filter(({ kind }) => kind !== 'accepted');
		for (const outcome of others) {
			expect(outcome).toMatchObject({ kind: 'refused', refusal: { status: 402 } });
		}
	});
});

it('a run that is stopped starts nothing more, and tells what was never sent', async () => {
	const service = new ServiceInProcess({ account: { requestsPerSecond: 10 } });
	const stop = new AbortController();
	service.onRequest = () => {
		if (service.posts.length === 5) stop.abort();
	};
	const outcomes = await passTime(submitMany(service, 40, { signal: stop.signal }), LIMIT_MS);
	expect(service.posts).toHaveLength(5);
	expect(outcomes).toHaveLength(40);
	const unsent = outcomes.filter((outcome) => outcome.kind === 'halted');
	expect(unsent).toHaveLength(35);
	const { problem } = submissionFailure(emailVerifier, { kind: 'halted' }, 0);
	expect(problem.description).toBe(`${nothingCharged} for this item.`);
});
