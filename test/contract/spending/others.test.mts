import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { type Bench, jsonOf, withBench } from '../../support/n8nCore/contactData.mts';
import { addresses, MAIL, statusesOf } from './money.mts';

const STRICT = { account: { requestsPerSecond: 10 } };
const OTHERS =
	/^Other programs use this API key, or its limit is lower than 'Requests per Second' in the credential: (\d+) % of the requests had to be sent again\.$/;

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

describe('with another program on the same key', () => {
	it.for(['submit', 'submitAndWait'])(
		'%s gets everything through, and tells how much had to be sent again',
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
				const percent = Math.round((100 * refused) / statuses.length);
				const told = run.hints.flatMap(({ message }) => OTHERS.exec(message)?.[1] ?? []);
				expect(told).toEqual([String(percent)]);
			});
		},
	);
});

const STARTED: unknown = expect.stringMatching(/^Started \d+ email verifications, /);

describe('nothing is told of others', () => {
	it('when there are none', async () => {
		await withBench(STRICT, async (bench) => {
			const run = await verify(bench, 'submit', 60);
			expect(jsonOf(run)).toHaveLength(60);
			expect(run.hints).toEqual([expect.objectContaining({ message: STARTED })]);
		});
	});

	it('when what was refused is not sent again', async () => {
		await withBench(STRICT, async (bench) => {
			const headers = { 'retry-after': '3600' };
			const refused = { kind: 'status', status: 429, headers, delayMs: 2_000 } as const;
			bench.sandbox.faults.add({ ...refused, on: 'POST *', times: Infinity });
			const { apiKey, baseUrl } = bench.sandbox;
			const run = await bench.run('emailVerifier', 'submit', {
				parameters: MAIL,
				items: addresses(20),
				credentials: { contactDataApi: { apiKey, baseUrl, requestsPerSecond: 10 } },
				settings: { onError: 'continueRegularOutput' },
			});
			expect(statusesOf(bench.sandbox).length).toBeGreaterThan(10);
			expect(jsonOf(run).filter(({ error }) => error !== undefined)).toHaveLength(20);
			expect(run.hints).toEqual([]);
		});
	});

	it('when few requests were refused', async () => {
		await withBench(STRICT, async (bench) => {
			const refused = { kind: 'status', status: 429 } as const;
			bench.sandbox.faults.add({ ...refused, on: 'POST *', times: 4 });
			const run = await verify(bench, 'submit', 20);
			expect(jsonOf(run)).toHaveLength(20);
			expect(run.hints).toEqual([expect.objectContaining({ message: STARTED })]);
		});
	});
});

describe('one account, one pace', () => {
	it.for([
		['a slash at the end of the base URL', (url: string) => `${url}/`],
		['the base URL in capitals', (url: string) => url.replace('http', 'HTTP')],
	] as const)('with %s, and at the lower of two rates', async ([, spell]) => {
		await withBench(STRICT, async (bench) => {
			const start = Date.now();
			const runs = await Promise.all([
				verify(bench, 'submit', 20, { requestsPerSecond: 40 }),
				verify(bench, 'submit', 20, { baseUrl: spell(bench.sandbox.baseUrl) }),
			]);
			expect(runs.flatMap(jsonOf)).toHaveLength(40);
			expect(new Set(statusesOf(bench.sandbox))).toEqual(new Set([200]));
			expect(Date.now() - start).toBeLessThan(4_200);
		});
	});
});
