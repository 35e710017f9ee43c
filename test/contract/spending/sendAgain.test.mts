import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, useBench, watchReadings } from '../../support/n8nCore/contactData.mts';
import { ownPort } from '../../support/ports.mts';
import { addresses, expectChargedOnce, MAIL, statusesOf } from './money.mts';

const bench = useBench();
useFastClock();

const TOO_MANY = { kind: 'status', status: 429, body: { message: 'Too Many Requests' } } as const;

describe('429', () => {
	it.for<[headers: Record<string, string>, leastMs: number]>([
		[{}, 1],
		[{ 'retry-after': '1' }, 1000],
	])('with %j is waited for, and the submission is sent again', async ([headers, leastMs]) => {
		bench().sandbox.faults.add({ ...TOO_MANY, on: 'POST *', headers });
		const run = await bench().run('emailVerifier', 'submit', {
			parameters: MAIL,
			items: addresses(1),
		});
		expect(jsonOf(run)).toMatchObject([{ status: 'ongoing' }]);
		expect(statusesOf(bench().sandbox)).toEqual([429, 200]);
		const [first, second] = bench().sandbox.requests.filter(({ method }) => method === 'POST');
		expect(second.at - first.at).toBeGreaterThanOrEqual(leastMs);
		expectChargedOnce(bench(), 1);
	});

	it('with a Retry-After of more than ten minutes ends the run, and says so', async () => {
		const headers = { 'retry-after': '601' };
		bench().sandbox.faults.add({ ...TOO_MANY, on: 'POST *', headers, times: Infinity });
		const run = await bench().run('emailVerifier', 'submit', {
			parameters: MAIL,
			items: addresses(3),
			settings: { onError: 'continueRegularOutput' },
		});
		const error: unknown = expect.stringMatching(/^Too Many Requests.* to wait for 11 minutes/);
		expect(jsonOf(run)).toMatchObject(Array(3).fill({ error }));
		expect(statusesOf(bench().sandbox).length).toBeLessThanOrEqual(3);
		expectChargedOnce(bench(), 0);
	});
});

it('a credential that is deleted, or cannot be read for a moment, ends no run that has begun', async () => {
	const { apiKey, baseUrl } = bench().sandbox;
	const readings = watchReadings();
	const items = addresses(5);
	items.forEach(() => readings.mockResolvedValueOnce({ apiKey, baseUrl, requestsPerSecond: 20 }));
	readings.mockRejectedValue(new Error('The connection to the database was lost'));
	const given = { parameters: MAIL, items };
	expect(jsonOf(await bench().run('emailVerifier', 'submitAndWait', given))).toHaveLength(5);
	expectChargedOnce(bench(), 5);
});

it('a refused connection is tried again until the service is back', async () => {
	const { apiKey, service } = bench().sandbox;
	// The sandbox behind a door that closes when the account was looked at, for a while.
	const door = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const { method = '', url = '' } = request;
			const body: unknown =
				chunks.length > 0 ? JSON.parse(String(Buffer.concat(chunks))) : undefined;
			const path = url.replace(contactDataApi.baseUrl, '');
			const asked = { method, path, query: {}, headers: { 'x-api-key': apiKey }, body };
			const answer = service.handle(asked);
			response.writeHead(answer.status, { connection: 'close' }).end(JSON.stringify(answer.body));
			if (method === 'GET') door.close(() => setTimeout(() => door.listen(port, '127.0.0.1'), 700));
		});
	});
	const port = await ownPort();
	door.listen(port, '127.0.0.1');
	const contactDataApi = { apiKey, baseUrl: `http://127.0.0.1:${port}` };
	const run = await bench().run('emailVerifier', 'submit', {
		parameters: MAIL,
		items: addresses(1),
		credentials: { contactDataApi },
	});
	door.close();
	expect(jsonOf(run)).toMatchObject([{ status: 'ongoing' }]);
	expectChargedOnce(bench(), 1);
});
