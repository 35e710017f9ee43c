import { expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, type Bench, withBench } from '../../support/n8nCore/contactData.mts';
import { addresses, expectChargedOnce, MAIL, statusesOf } from './money.mts';

// The service takes so many submissions a second for each key.

const STRICT = { account: { requestsPerSecond: 10 } };

useFastClock();

/** The most requests in any second. */
function fullestSecond(times: readonly number[]): number {
	return Math.max(
		...times.map((from) => times.filter((at) => at >= from && at < from + 1000).length),
	);
}

it('three executions at once share ten submissions per second, however their credentials spell the address', async () => {
	await withBench(STRICT, async (bench) => {
		const { apiKey, baseUrl } = bench.sandbox;
		const spellings = [baseUrl, `${baseUrl}/`, baseUrl.replace('http', 'HTTP')];
		const start = Date.now();
		const runs = await Promise.all(
			spellings.map(
				async (spelling, n) =>
					await bench.run('emailVerifier', 'submit', {
						parameters: { email: `=${n}-{{ $json.mail }}` },
						items: addresses(17),
						credentials: { contactDataApi: { apiKey, baseUrl: spelling } },
					}),
			),
		);
		const tookMs = Date.now() - start;
		for (const run of runs) expect(jsonOf(run)).toHaveLength(17);
		expectChargedOnce(bench, 51);
		const posts = bench.sandbox.requests.filter(({ method }) => method === 'POST');
		expect(fullestSecond(posts.map(({ at }) => at))).toBeLessThanOrEqual(10);
		expect(new Set(statusesOf(bench.sandbox))).toEqual(new Set([200]));
		expect(tookMs).toBeLessThan(5_500);
	});
});

it("keeps to the credential's own Requests per Second", async () => {
	await withBench({ account: { requestsPerSecond: 40 } }, async (bench) => {
		const { apiKey, baseUrl } = bench.sandbox;
		const start = Date.now();
		const run = await bench.run('emailVerifier', 'submit', {
			parameters: MAIL,
			items: addresses(41),
			credentials: { contactDataApi: { apiKey, baseUrl, requestsPerSecond: 40 } },
		});
		expect(jsonOf(run)).toHaveLength(41);
		expect(Date.now() - start).toBeGreaterThanOrEqual(1_000);
		expect(Date.now() - start).toBeLessThan(1_100);
		expectChargedOnce(bench, 41);
	});
});

/** Another program with the same key, which takes up to so many a second; returns how to end it. */
function startOther({ sandbox }: Bench, perSecond: number): () => void {
	let timer: NodeJS.Timeout;
	const send = () => {
		const headers = { 'x-api-key': sandbox.apiKey };
		const request = { method: 'POST', path: '/email/verify/single', query: {}, headers };
		sandbox.service.handle({ ...request, body: { email: `other${Date.now()}@other.com` } });
		timer = setTimeout(send, 1000 / perSecond);
	};
	send();
	return () => clearTimeout(timer);
}

it('gets everything through beside another program on the same key', async () => {
	await withBench(STRICT, async (bench) => {
		const { apiKey, baseUrl } = bench.sandbox;
		const stop = startOther(bench, 8);
		const run = await bench.run('emailVerifier', 'submitAndWait', {
			parameters: MAIL,
			items: addresses(100),
			credentials: { contactDataApi: { apiKey, baseUrl, requestsPerSecond: 10 } },
		});
		stop();
		expect(jsonOf(run).filter(({ found }) => found === true)).toHaveLength(100);
		expect(bench.sandbox.ledger.chargedTwice()).toEqual([]);
		expect(statusesOf(bench.sandbox)).toContain(429);
		expect(statusesOf(bench.sandbox).filter((status) => status !== 429)).toHaveLength(100);
	});
});
