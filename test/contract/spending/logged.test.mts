import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { useBench } from '../../support/n8nCore/contactData.mts';
import { watchLog } from '../../support/n8nCore/log.mts';
import { FIND, FINDING_AT, idsCharged, newAccount } from './money.mts';
import { people } from '../../support/people.mts';

// Where n8n is killed, or an agent fails, its log is all that holds the ids.

const bench = useBench();
useFastClock();

const MODES = [
	['submitAndWait', { waitMode: 'poll' }],
	['submitBulkAndWait', { waitMode: 'poll' }],
	['submitAndWait', { waitMode: 'suspend' }],
	['submitBulkAndWait', { waitMode: 'suspend' }],
	['submit', {}],
	['submitBulk', {}],
] as const;

describe.for(MODES)('%s %j', ([operation, parameters]) => {
	const run = async (count: number) =>
		await bench().run('emailFinder', operation, {
			parameters: { ...FIND, ...parameters },
			items: people(count),
			executionId: '47',
		});

	it('every id that is paid for is in the log once, with its execution', async () => {
		const log = watchLog();
		await run(3);
		expect(idsCharged(bench()).length).toBeGreaterThan(0);
		for (const id of idsCharged(bench())) {
			const lines = log.map(({ message }) => message).filter((line) => line.includes(id));
			expect(lines).toEqual([expect.stringContaining('execution 47')]);
		}
	});
});

it.for([
	['a run that polls', 3, undefined],
	['a call of a tool', 1, 'invoked'],
] as const)(
	'%s has its ids there before it looks at the first of them',
	async ([, count, tool]) => {
		const log = watchLog();
		const { sandbox } = bench();
		sandbox.faults.add({ kind: 'hang', on: 'GET /email/*', times: Infinity });
		const running = bench().run('emailFinder', 'submitAndWait', {
			parameters: FIND,
			tool,
			items: people(count),
			options: { timeout: 5, onTimeout: 'output', searchAgain: true },
		});
		const isLooking = () =>
			sandbox.requests.some(({ path, method }) => method === 'GET' && path.startsWith('/email/'));
		await sandbox.waitFor(isLooking);
		const lines = log.map(({ message }) => message).join();
		await running;
		expect(idsCharged(bench())).toHaveLength(count);
		for (const id of idsCharged(bench())) expect(lines).toContain(id);
	},
);

describe('a run that is still submitting has them there', () => {
	/** How many ids each line has. */
	const linesOf = async (count: number, requestsPerSecond: number) => {
		const log = watchLog();
		const { contactDataApi } = newAccount(bench(), FINDING_AT(1)).credentials;
		await bench().run('emailFinder', 'submit', {
			parameters: FIND,
			items: people(count),
			credentials: { contactDataApi: { ...contactDataApi, requestsPerSecond } },
		});
		return log.map(({ message }) => message.split(', ').length);
	};

	it('ten at a time', async () => {
		expect(await linesOf(25, 1_000)).toEqual([10, 10, 5]);
	});

	it('each second', async () => {
		const lines = await linesOf(12, 4);
		expect(lines.reduce((sum, ids) => sum + ids)).toBe(12);
		expect(Math.max(...lines)).toBeLessThanOrEqual(5);
	});
});

it('a batch is there as soon as it is accepted', async () => {
	const log = watchLog();
	const { credentials } = newAccount(bench(), FINDING_AT(1));
	bench().sandbox.faults.add({ kind: 'hang', on: 'POST *', skip: 1, times: Infinity });
	const hanging = bench().run('emailFinder', 'submitBulk', {
		parameters: FIND,
		items: people(4),
		options: { maxCredits: 100 },
		credentials,
	});
	await bench().sandbox.waitFor(() => bench().posts.length === 2);
	expect(log.map(({ message }) => message)).toEqual(
		idsCharged(bench()).map((id) => expect.stringContaining(id) as unknown),
	);
	await hanging;
});
