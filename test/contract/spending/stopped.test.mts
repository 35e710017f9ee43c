import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { contactDataAfter, jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { isMissing } from '../../support/n8nCore/missing.mts';
import { runNode, type RunNodeResult } from '../../support/n8nCore/execute.mts';
import { mayHaveBeenCharged, noAnswerInTime } from '../../support/texts.mts';
import { addresses, expectChargedOnce, idsCharged as chargedIds, MAIL } from './money.mts';

// An execution that is stopped while submissions are under way. The Stop button and the timeout of a
// workflow are one signal to the node. What has left may be charged, so its answer is heard.

const bench = useBench();
useFastClock();

const OPERATIONS = ['submitAndWait', 'submitBulkAndWait', 'submit', 'submitBulk'];
/** Of so many ids n8n's custom data has room. */
const ITEMS = 6;

const idsCharged = () => chargedIds(bench());

/** A run of the node that can be stopped, and be looked into from outside. */
interface Stoppable {
	running: Promise<RunNodeResult>;
	stop(): void;
	/** What n8n keeps for the node with the execution. */
	kept(): string;
	/** What a user reads in the list of executions. */
	noted(): string;
	/** What the node wrote to n8n's log. */
	logged(): string;
	signal: AbortSignal;
}

function verify(
	operation: string,
	items = ITEMS,
	requestsPerSecond = 10_000,
	options: INodeParameters = {},
): Stoppable {
	const stop = new AbortController();
	const lines: string[] = [];
	let context: IExecuteFunctions | undefined;
	const node = contactDataAfter((executing) => {
		context = executing;
		const info = vi.spyOn(executing.logger, 'info').mockImplementation((message) => {
			lines.push(message);
		});
		onTestFinished(() => info.mockRestore());
	});
	const { contactDataApi } = bench().credentials;
	const running = runNode({
		...bench().node('emailVerifier', operation, { parameters: MAIL, options }),
		node,
		credentials: { contactDataApi: { ...contactDataApi, requestsPerSecond } },
		items: addresses(items),
		signal: stop.signal,
	});
	return {
		running,
		stop: () => stop.abort(),
		kept: () => JSON.stringify(context?.getContext('node')),
		// The receipts are the next best.
		noted: () =>
			JSON.stringify(
				isMissing('custom data in nodes')
					? context?.getContext('node')
					: context?.customData.getAll(),
			),
		logged: () => lines.join('\n'),
		signal: stop.signal,
	};
}

/** Goes on when it is so; looks at each turn of the event loop. */
async function until(isSo: () => boolean): Promise<void> {
	while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

describe.for(OPERATIONS)('%s that is stopped', (operation) => {
	const posts = operation.includes('Bulk') ? 1 : ITEMS;

	it('hears what has left: all ids are kept, noted and logged, and a retry pays nothing again', async () => {
		bench().sandbox.faults.add({ kind: 'delay', ms: 300, on: 'POST *', times: Infinity });
		const run = verify(operation);
		await bench().sandbox.waitFor(() => bench().posts.length === posts);
		run.stop();
		const { contextData } = await run.running;
		expect(idsCharged()).toHaveLength(posts);
		for (const id of idsCharged()) {
			expect(run.kept()).toContain(id);
			expect(run.noted()).toContain(id);
			expect(run.logged()).toContain(id);
		}
		const again = await bench().run('emailVerifier', operation, {
			parameters: MAIL,
			items: addresses(ITEMS),
			executionId: '2',
			contextData,
		});
		const ids = jsonOf(again).map(({ search_id: id, batch_id: batch }) => batch ?? id);
		expect(new Set(ids)).toEqual(new Set(idsCharged()));
		expectChargedOnce(bench(), ITEMS);
	});
});

it.for([
	...OPERATIONS.map((operation) => [operation, {}, operation.endsWith('AndWait')] as const),
	['submitAndWait', { searchAgain: true }, false] as const,
])('%s %j, stopped: a new run is said to be free where it is: %s', async (given) => {
	const [operation, options, isFree] = given;
	bench().sandbox.faults.add({ kind: 'delay', ms: 300, on: 'POST *', times: Infinity });
	const run = verify(operation, 1, undefined, options);
	await bench().sandbox.waitFor(() => bench().posts.length === 1);
	run.stop();
	const line = (await run.running).hints[0]?.message;
	expect(line).toContain('0.25 credits spent');
	expect(line?.includes('A new run reads free of charge what still runs.')).toBe(isFree);
});

describe('a run that is stopped', () => {
	it('sends nothing new while it hears what is under way', async () => {
		// The second is on its way, the others are not yet sent.
		bench().sandbox.faults.add({ kind: 'delay', ms: 600, on: 'POST *', skip: 1 });
		const run = verify('submit', ITEMS, 1);
		await bench().sandbox.waitFor(() => bench().posts.length === 2);
		run.stop();
		await run.running;
		expect(bench().posts).toHaveLength(2);
		for (const id of idsCharged()) expect(run.kept()).toContain(id);
	});

	it('does not send again what the service refuses meanwhile', async () => {
		const body = { message: 'Too Many Requests' };
		bench().sandbox.faults.add({
			kind: 'status',
			status: 429,
			body,
			on: 'POST *',
			times: Infinity,
		});
		const run = verify('submit', 1);
		await bench().sandbox.waitFor(() => bench().posts.length === 1);
		run.stop();
		await run.running;
		expect(bench().posts).toHaveLength(1);
		expectChargedOnce(bench(), 0);
	});

	it('hears a submission for a minute; then its fate is unknown, and it is not sent again', async () => {
		bench().sandbox.faults.add({ kind: 'hang', accepted: true, on: 'POST *' });
		const run = verify('submit', 1);
		await bench().sandbox.waitFor(() => idsCharged().length === 1);
		const stopped = performance.now();
		run.stop();
		const { contextData } = await run.running;
		expect(performance.now() - stopped).toBeLessThan(66_000);

		const again = await bench().run('emailVerifier', 'submit', {
			parameters: MAIL,
			items: addresses(1),
			contextData,
		});
		expect(again.error).toMatchObject({
			message: expect.stringMatching(
				new RegExp(`${mayHaveBeenCharged.source}.*: .*${noAnswerInTime}`),
			) as string,
		});
		expect(bench().posts).toHaveLength(1);
	});

	it('has noted at once what it knew before: n8n saves a stopped execution without waiting', async () => {
		bench().sandbox.faults.add({ kind: 'hang', on: 'POST *', skip: 3 });
		const run = verify('submit', 4);
		await until(() => idsCharged().filter((id) => run.kept().includes(id)).length === 3);
		run.stop();
		// n8n saves it in the next turns of the event loop.
		const noted = run.noted();
		for (const id of idsCharged()) expect(noted).toContain(id);
		await run.running;
		for (const id of idsCharged()) expect(run.logged()).toContain(id);
	});

	it('ends its reads at once, keeps the ids, and goes on with them', async () => {
		bench().sandbox.faults.add({ kind: 'hang', on: 'GET /email/*', times: 3 });
		const run = verify('submitAndWait', 3);
		await bench().sandbox.waitFor(() => bench().looks.length === 3);
		const stopped = performance.now();
		run.stop();
		const { contextData } = await run.running;
		expect(performance.now() - stopped).toBe(0);
		for (const id of idsCharged()) expect(run.noted()).toContain(id);

		const given = { parameters: MAIL, items: addresses(3), contextData };
		// As n8n's Retry On Fail would, in the same stopped execution.
		await bench().run('emailVerifier', 'submitAndWait', { ...given, signal: run.signal });
		expect(bench().posts).toHaveLength(3);
		// As the Retry button does.
		const retried = jsonOf(await bench().run('emailVerifier', 'submitAndWait', given));
		expect(new Set(retried.map(({ search_id: id }) => id))).toEqual(new Set(idsCharged()));
		expectChargedOnce(bench(), 3);
	});

	it('sends nothing where it was stopped before it starts', async () => {
		const run = verify('submitAndWait');
		run.stop();
		await run.running;
		bench().expectNothingSubmitted();
		expect(run.logged()).toBe('');
	});
});
