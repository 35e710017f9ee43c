import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { addresses, expectChargedOnce, MAIL } from './money.mts';

const bench = useBench();
useFastClock();

/** Starts verifications, cancels when `isReached`, and gives what was left and how long it took. */
async function cancelWhen(
	isReached: () => boolean,
	{ items = 10, operation = 'submit', requestsPerSecond = 10_000 } = {},
) {
	const stop = new AbortController();
	const running = bench().run('emailVerifier', operation, {
		parameters: MAIL,
		items: addresses(items),
		credentials: credentialsAt(requestsPerSecond),
		signal: stop.signal,
	});
	await bench().sandbox.waitFor(isReached);
	const cancelledAt = Date.now();
	stop.abort();
	const run = await running;
	return { run, tookMs: Date.now() - cancelledAt, signal: stop.signal };
}

function credentialsAt(requestsPerSecond: number) {
	return { contactDataApi: { ...bench().credentials.contactDataApi, requestsPerSecond } };
}

const idsCharged = () => bench().sandbox.ledger.entries.map(({ id }) => id);

describe('cancelled', () => {
	it('while submissions wait for their turn: ends at once, sends no more, keeps the ids', async () => {
		const { run, tookMs } = await cancelWhen(() => bench().posts.length === 2, {
			requestsPerSecond: 4,
		});
		expect(tookMs).toBe(0);
		expect(bench().posts).toHaveLength(2);
		const [first] = idsCharged();
		expect(JSON.stringify(run.contextData)).toContain(first);
	});

	it('gives its places to another execution, and does not wait for that one', async () => {
		const credentials = credentialsAt(5);
		const other = bench().run('emailVerifier', 'submit', {
			parameters: { email: '=other-{{ $json.mail }}' },
			items: addresses(8),
			credentials,
		});
		await bench().sandbox.waitFor(() => bench().posts.length === 1);
		const { tookMs } = await cancelWhen(() => bench().posts.length === 3, {
			items: 50,
			requestsPerSecond: 5,
		});
		expect(tookMs).toBe(0);
		expect(jsonOf(await other)).toHaveLength(8);
		// What of the cancelled one was sent before, and nothing after.
		expect(bench().posts.length).toBeLessThanOrEqual(8 + 3);
	});

	it('while waiting: ends at once, keeps the ids, and goes on with them', async () => {
		bench().sandbox.configure({ single: 2_000 });
		const { run, tookMs, signal } = await cancelWhen(() => bench().looks.length > 0, {
			items: 3,
			operation: 'submitAndWait',
		});
		expect(tookMs).toBe(0);
		for (const id of idsCharged()) expect(JSON.stringify(run.contextData)).toContain(id);

		const given = { parameters: MAIL, items: addresses(3), contextData: run.contextData };
		// As n8n's Retry On Fail would, in the same cancelled execution.
		await bench().run('emailVerifier', 'submitAndWait', { ...given, signal });
		expect(bench().posts).toHaveLength(3);
		// As the Retry button does.
		const retried = await bench().run('emailVerifier', 'submitAndWait', given);
		expect(
			jsonOf(retried)
				.map(({ id }) => id)
				.sort(),
		).toEqual(idsCharged().sort());
		expectChargedOnce(bench(), 3);
	});

	it('before it starts: sends no submission', async () => {
		await bench().run('emailVerifier', 'submitAndWait', {
			parameters: MAIL,
			items: addresses(3),
			signal: AbortSignal.abort(),
		});
		bench().expectNothingSubmitted();
	});
});
