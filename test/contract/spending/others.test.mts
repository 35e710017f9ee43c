import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, type Bench, withBench } from '../../support/n8nCore/contactData.mts';
import { addresses, MAIL, statusesOf } from './money.mts';

const STRICT = { account: { requestsPerSecond: 10 } };

useFastClock();

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

async function verify(bench: Bench, operation: string, count: number, credential = {}) {
	const { apiKey, baseUrl } = bench.sandbox;
	return await bench.run('emailVerifier', operation, {
		parameters: MAIL,
		items: addresses(count),
		credentials: { contactDataApi: { apiKey, baseUrl, requestsPerSecond: 10, ...credential } },
	});
}

it.for(['submit', 'submitAndWait'])(
	'%s gets everything through beside another program on the same key',
	async (operation) => {
		await withBench(STRICT, async (bench) => {
			const stop = startOther(bench, 8);
			const run = await verify(bench, operation, 200);
			stop();
			const outputs = jsonOf(run);
			expect(outputs).toHaveLength(200);
			expect(outputs.filter(({ error }) => error !== undefined)).toEqual([]);
			expect(bench.sandbox.ledger.chargedTwice()).toEqual([]);
			const statuses = statusesOf(bench.sandbox);
			const refused = statuses.filter((status) => status === 429).length;
			expect(statuses.length - refused).toBe(200);
			expect(refused).toBeGreaterThanOrEqual(5);
		});
	},
);

describe('one account, one pace', () => {
	it.for([
		['a slash at the end of the base URL', (url: string) => `${url}/`],
		['the base URL in capitals', (url: string) => url.replace('http', 'HTTP')],
	] as const)('with %s', async ([, spell]) => {
		await withBench(STRICT, async (bench) => {
			const start = Date.now();
			const runs = await Promise.all([
				verify(bench, 'submit', 20),
				verify(bench, 'submit', 20, { baseUrl: spell(bench.sandbox.baseUrl) }),
			]);
			expect(runs.flatMap(jsonOf)).toHaveLength(40);
			expect(new Set(statusesOf(bench.sandbox))).toEqual(new Set([200]));
			expect(Date.now() - start).toBeLessThan(4_200);
		});
	});
});
