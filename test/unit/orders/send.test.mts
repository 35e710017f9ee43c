import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { emailVerifier } from '../../../nodes/ContactData/lookups/emailVerifier.ts';
import { plan } from '../../../nodes/ContactData/orders/plan.ts';
import { Receipts } from '../../../nodes/ContactData/orders/receipts.ts';
import { send } from '../../../nodes/ContactData/orders/send.ts';
import { passTime, startClock } from '../../support/clock.mts';
import { rowsFor, runFor, settingsFor } from '../../support/rows.mts';
import { ServiceInProcess } from '../../support/n8nCore/inProcess.mts';

const LIMIT_MS = 3_600_000;
const SECOND = 1_000;

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

/** Verifies so many addresses, each in a submission of its own, and says what became of them. */
async function submitMany(service: ServiceInProcess, count: number, continueOnFail = false) {
	const searches = Array.from({ length: count }, (_, item) => ({
		email: `ada${item}@acme.example`,
	}));
	const settings = settingsFor(emailVerifier, 'single');
	const run = runFor(service.connection, { continueOnFail });
	const receipts = new Receipts(run.saved);
	const rows = rowsFor(emailVerifier, searches);
	const orders = plan({ ...settings, baseUrl: '' }, rows, receipts);
	await send(run, settings, orders, { receipts });
	return orders.map(({ fate }) => fate);
}

const kinds = (outcomes: Awaited<ReturnType<typeof submitMany>>) =>
	new Set(outcomes.map(({ kind }) => kind));

describe('answers that take long', () => {
	it.for([50, 1 * SECOND, 4 * SECOND])(
		'of %i ms each do not hold up the submissions: they leave at the pace',
		async (latencyMs) => {
			const service = new ServiceInProcess({ account: { requestsPerSecond: 10 } });
			service.latencyMs = latencyMs;
			const outcomes = await passTime(submitMany(service, 200), LIMIT_MS);
			expect(kinds(outcomes)).toEqual(new Set(['ongoing']));
			// The first one goes alone.
			const [second, last] = [service.posts[1].at, service.posts[199].at];
			expect((last - second) / 19_800).toBeLessThan(1.1);
		},
	);

	it('leave a bounded number of submissions whose fate is open when n8n ends', async () => {
		const service = new ServiceInProcess();
		service.latencyMs = 30 * SECOND;
		const outcomes = await passTime(submitMany(service, 200), LIMIT_MS);
		expect(kinds(outcomes)).toEqual(new Set(['ongoing']));
		expect(service.mostUnderWay).toBeLessThanOrEqual(50);
	});
});

it('until one is accepted each goes alone: nobody knows what the service does', async () => {
	const service = new ServiceInProcess({ account: { requestsPerSecond: 10 } });
	service.latencyMs = 1 * SECOND;
	service.faults.add({ on: 'POST *', kind: 'status', status: 418, times: 2 });
	await passTime(submitMany(service, 8, true), LIMIT_MS);
	const [first = 0, second = 0, third = 0] = service.posts.map(({ at }) => at);
	expect(second - first).toBeGreaterThanOrEqual(SECOND);
	expect(third - second).toBeGreaterThanOrEqual(SECOND);
	expect((service.posts.at(-1)?.at ?? Infinity) - third).toBeLessThan(2 * SECOND);
});
