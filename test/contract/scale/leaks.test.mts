import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { useBench } from '../../support/n8nCore/contactData.mts';

const RUNS = 100;

const bench = useBench({ single: 20, bulk: 50 });

/** Timers and sockets that keep a process alive, by kind. */
function held(): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
	return counts;
}

/** Runs of all sorts: with results, with faults of the service, timed out, refused. */
async function runAll(count: number, signal: AbortSignal): Promise<void> {
	const { sandbox } = bench();
	const now = { times: Infinity };
	sandbox.faults.add({ on: 'GET /email/*', kind: 'truncated', chance: 0.1, ...now });
	sandbox.faults.add({ on: 'POST *', kind: 'reset', when: 'after', chance: 0.1, ...now });
	const runs = Array.from({ length: count }, async (_, n) => {
		const operation = n % 2 === 0 ? 'submitAndWait' : 'submitBulkAndWait';
		const parameters = { email: n % 10 === 0 ? 'no address' : `mustfind.${n}@acme.example` };
		const options = { timeout: n % 3 === 0 ? 0.05 : 10 };
		return await bench().run('emailVerifier', operation, { parameters, options, signal });
	});
	await Promise.all(runs);
}

it(`${RUNS} runs leave no timer, no socket and no listener behind`, async () => {
	const { signal } = new AbortController();
	await runAll(10, signal);
	const before = held();
	await runAll(RUNS, signal);
	expect(getEventListeners(signal, 'abort')).toEqual([]);
	// Sockets close a moment after their answers; some may be kept for the next request.
	const settled = () => ({ timers: held().Timeout ?? 0, sockets: held().TCPSocketWrap ?? 0 });
	const limits = { timers: before.Timeout ?? 0, sockets: (before.TCPSocketWrap ?? 0) + 4 };
	await expect
		.poll(() => settled().timers <= limits.timers && settled().sockets <= limits.sockets, {
			timeout: 10_000,
		})
		.toBe(true);
}, 60_000);
