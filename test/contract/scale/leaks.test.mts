import { subscribe } from 'node:diagnostics_channel';
import { getEventListeners } from 'node:events';
import type { ClientRequest } from 'node:http';
import { expect, it, vi } from 'vitest';
import { LONG_REQUEST_TIMEOUT_MS } from '../../../nodes/ContactData/service/request.ts';
import { useFastClock } from '../../support/clock.mts';
import { useBench } from '../../support/n8nCore/contactData.mts';
import { WRONG_EMAIL } from '../../support/people.mts';

const RUNS = 100;

const bench = useBench({ single: 20, bulk: 50 });
useFastClock();

/** Requests of this process that have begun and are not over, answer and all. */
const underWay = new Set<ClientRequest>();
subscribe('http.client.request.start', (message) => {
	const { request } = message as { request: ClientRequest };
	underWay.add(request);
	request.once('close', () => underWay.delete(request));
});

/** Runs of all sorts: with results, with faults of the service, timed out, refused. */
async function runAll(count: number, signal: AbortSignal): Promise<void> {
	const { sandbox } = bench();
	const now = { times: Infinity };
	sandbox.faults.add({ on: 'GET /email/*', kind: 'truncated', chance: 0.1, ...now });
	sandbox.faults.add({ on: 'POST *', kind: 'reset', when: 'after', chance: 0.1, ...now });
	const runs = Array.from({ length: count }, async (_, n) => {
		const operation = n % 2 === 0 ? 'submitAndWait' : 'submitBulkAndWait';
		const parameters = { email: n % 10 === 0 ? WRONG_EMAIL : `mustfind.${n}@acme.example` };
		const options = { timeout: n % 3 === 0 ? 0.05 : 10 };
		return await bench().run('emailVerifier', operation, { parameters, options, signal });
	});
	await Promise.all(runs);
}

it(`${RUNS} runs leave no timer, no request and no listener behind`, async () => {
	const { signal } = new AbortController();
	await runAll(RUNS, signal);
	expect(getEventListeners(signal, 'abort')).toEqual([]);
	// The time that a request had goes by on its own, whether it needed it or not.
	await new Promise((resolve) => setTimeout(resolve, LONG_REQUEST_TIMEOUT_MS));
	expect(vi.getTimerCount()).toBe(0);
	expect([...underWay]).toEqual([]);
});
