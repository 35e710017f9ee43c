import { expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, withBench } from '../../support/n8nCore/contactData.mts';
import { addresses, expectChargedOnce, MAIL, statusesOf } from './money.mts';

const STRICT = { account: { requestsPerSecond: 10 } };

useFastClock();

/** The most requests in any second. */
function fullestSecond(times: readonly number[]): number {
	return Math.max(
		...times.map((from) => times.filter((at) => at >= from && at < from + 1000).length),
	);
}

it('three executions at once on one key stay within ten submissions per second', async () => {
	await withBench(STRICT, async (bench) => {
		const { apiKey, baseUrl } = bench.sandbox;
		const start = Date.now();
		const runs = await Promise.all(
			['a', 'b', 'c'].map(
				async (name) =>
					await bench.run('emailVerifier', 'submit', {
						parameters: { email: `=${name}-{{ $json.mail }}` },
						items: addresses(17),
						credentials: { contactDataApi: { apiKey, baseUrl } },
					}),
			),
		);
		const tookMs = Date.now() - start;
		for (const run of runs) expect(jsonOf(run)).toHaveLength(17);
		expectChargedOnce(bench, 51);
		const posts = bench.sandbox.requests.filter(({ method }) => method === 'POST');
		expect(fullestSecond(posts.map(({ at }) => at))).toBeLessThanOrEqual(10);
		expect(new Set(statusesOf(bench.sandbox))).toEqual(new Set([200]));
		// 50 steps of 100 ms, and not much more.
		expect(tookMs).toBeGreaterThanOrEqual(5_000);
		expect(tookMs).toBeLessThan(5_100);
	});
});

it("keeps to the credential's own Requests per Second", async () => {
	await withBench({ account: { requestsPerSecond: 40 } }, async (bench) => {
		const { apiKey, baseUrl } = bench.sandbox;
		const contactDataApi = { apiKey, baseUrl, requestsPerSecond: 40 };
		const start = Date.now();
		const run = await bench.run('emailVerifier', 'submit', {
			parameters: MAIL,
			items: addresses(41),
			credentials: { contactDataApi },
		});
		expect(jsonOf(run)).toHaveLength(41);
		expect(Date.now() - start).toBeGreaterThanOrEqual(1_000);
		expect(Date.now() - start).toBeLessThan(1_050);
		expectChargedOnce(bench, 41);
	});
});
