import { expect, it } from 'vitest';
import { jsonOf, withBench } from '../../support/n8nCore/contactData.mts';
import { addresses, expectChargedOnce, MAIL, statusesOf } from './money.mts';

const STRICT = { account: { requestsPerSecond: 10 } };

/** The most requests in any second. */
function fullestSecond(times: readonly number[]): number {
	return Math.max(
		...times.map((from) => times.filter((at) => at >= from && at < from + 1000).length),
	);
}

it.concurrent(
	'three executions at once on one key stay within ten submissions per second',
	async () => {
		await withBench(STRICT, async (bench) => {
			const { apiKey, baseUrl } = bench.sandbox;
			const start = performance.now();
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
			const tookMs = performance.now() - start;
			for (const run of runs) expect(jsonOf(run)).toHaveLength(17);
			expectChargedOnce(bench, 51);
			const accepted = bench.sandbox.requests.filter(({ status }) => status === 200 && true);
			const posts = accepted.filter(({ method }) => method === 'POST');
			expect(fullestSecond(posts.map(({ at }) => at))).toBeLessThanOrEqual(10);
			// One in 200 is allowed; a machine that stops for a moment may cause one of these 51.
			expect(
				statusesOf(bench.sandbox).filter((status) => status === 429).length,
			).toBeLessThanOrEqual(1);
			// 50 steps of 100 ms, and not much more.
			expect(tookMs).toBeGreaterThan(4_900);
			expect(tookMs).toBeLessThan(8_000);
		});
	},
	30_000,
);

it.concurrent(
	"keeps to the credential's own Requests per Second",
	async () => {
		await withBench({ account: { requestsPerSecond: 40 } }, async (bench) => {
			const { apiKey, baseUrl } = bench.sandbox;
			const contactDataApi = { apiKey, baseUrl, requestsPerSecond: 40 };
			const start = performance.now();
			const run = await bench.run('emailVerifier', 'submit', {
				parameters: MAIL,
				items: addresses(41),
				credentials: { contactDataApi },
			});
			expect(jsonOf(run)).toHaveLength(41);
			expect(performance.now() - start).toBeGreaterThan(990);
			expect(performance.now() - start).toBeLessThan(3_000);
			expectChargedOnce(bench, 41);
		});
	},
	30_000,
);
