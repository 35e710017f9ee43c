import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { setClock, useFastClock } from '../../support/clock.mts';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { addresses, expectChargedOnce, MAIL } from '../spending/money.mts';
import { notFinishedInTime } from '../../support/texts.mts';

// A machine's clock is set, by hand or from the network, while the node submits or waits.

const bench = useBench();
useFastClock();
vi.setConfig({ testTimeout: 60_000 });

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SET = [
	{ way: 'back by a day', byMs: -24 * HOUR },
	{ way: 'forward by an hour', byMs: HOUR },
];

/** For sockets, which keep their own time, and another's load. */
const AT_LAST_MS = 10 * MINUTE;

/** A new account: no pace is known from another test. */
function account(requestsPerSecond = 10_000) {
	const { service, baseUrl } = bench().sandbox;
	const apiKey = service.addAccount(randomUUID(), { requestsPerSecond: 10_000 });
	return { contactDataApi: { apiKey, baseUrl, requestsPerSecond } };
}

const posted = async (count: number) =>
	await bench().sandbox.waitFor(() => bench().posts.length === count, AT_LAST_MS);

describe.for(SET)('a clock that is set $way', ({ byMs }) => {
	it('while a run submits: neither holds it up, nor spares it the pace', async () => {
		const sentAt: number[] = [];
		let isSet = false;
		const running = bench().run('emailVerifier', 'submit', {
			parameters: MAIL,
			items: addresses(30),
			credentials: account(10),
		});
		await bench().sandbox.waitFor(() => {
			const { length } = bench().posts;
			while (sentAt.length < length) sentAt.push(performance.now());
			if (length >= 12 && !isSet) {
				isSet = true;
				setClock(byMs);
			}
			return length === 30;
		}, AT_LAST_MS);
		jsonOf(await running);
		// 3 s at ten in a second; sockets are slow where time is fast.
		const tookMs = (sentAt[29] ?? 0) - (sentAt[0] ?? 0);
		expect(tookMs).toBeGreaterThan(2_400);
		expect(tookMs).toBeLessThan(20_000);
		expectChargedOnce(bench(), 30);
	});

	it('does not end the patience with a busy service', async () => {
		const body = { message: 'Too Many Requests' };
		const busy = { kind: 'status', status: 429, body, on: 'POST *' } as const;
		bench().sandbox.faults.add({ ...busy, headers: { 'retry-after': '2' }, times: 3 });
		const running = bench().run('emailVerifier', 'submit', {
			parameters: MAIL,
			items: addresses(1),
			credentials: account(),
		});
		await posted(1);
		const begin = performance.now();
		setClock(byMs);
		expect(jsonOf(await running)).toMatchObject([{ status: 'ongoing' }]);
		expect(performance.now() - begin).toBeLessThan(30_000);
	});

	it('neither shortens nor lengthens a wait', async () => {
		// Longer than any wait, also for a service whose clock is set with it.
		bench().sandbox.configure({ single: 48 * HOUR });
		const running = bench().run('emailVerifier', 'submitAndWait', {
			parameters: MAIL,
			items: addresses(1),
			credentials: account(),
			options: { timeout: 20 },
		});
		await bench().sandbox.waitFor(() => bench().looks.length === 2, AT_LAST_MS);
		const begin = performance.now();
		setClock(byMs);
		const { error } = await running;
		expect(error).toMatchObject({
			message: expect.stringMatching(new RegExp(`${notFinishedInTime} 20 s`)) as string,
		});
		expect(performance.now() - begin).toBeGreaterThan(14_000);
		expect(performance.now() - begin).toBeLessThan(40_000);
	});
});
