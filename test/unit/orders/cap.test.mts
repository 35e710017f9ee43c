import fc from 'fast-check';
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { emailFinder } from '../../../nodes/ContactData/lookups/emailFinder.ts';
import type { Size } from '../../../nodes/ContactData/lookups/types.ts';
import { toAccount } from '../../../nodes/ContactData/service/account.ts';
import { plan } from '../../../nodes/ContactData/orders/plan.ts';
import { Receipts } from '../../../nodes/ContactData/orders/receipts.ts';
import { send } from '../../../nodes/ContactData/orders/send.ts';
import { passTime, startClock } from '../../support/clock.mts';
import { rowsFor, runFor, settingsFor } from '../../support/rows.mts';

// Max Credits with a price that is not documented: what goes at once grows with what was answered.

const LIMIT_MS = 3_600_000;
const LATENCY_MS = 1_000;

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

/** What the service answers to a submission: a price for each search, a refusal, or no charge that is told. */
type Answer = number | 'refused' | 'untold';

/** What was known when a submission left that was not let go together with one still under way. */
interface Known {
	told: number;
	/** Searches of which it was said what they cost. */
	answered: number;
	price: number | undefined;
}

/** A service of one key that nobody else uses, with answers one after another; the last one goes on. */
class PricedService {
	/** The sizes of what was let go at once, each with what was known before. */
	readonly steps: Array<{ known: Known; sizes: number[] }> = [];
	charged = 0;
	private known: Known = { told: 0, answered: 0, price: undefined };
	private underWay = 0;
	private posts = 0;
	private static keys = 0;
	readonly connection;

	constructor(
		private answers: Answer[],
		key = `key of a price ${++PricedService.keys}`,
	) {
		this.connection = {
			account: toAccount(key, 'https://service.example', 10_000),
			send: async (options: IHttpRequestOptions) => await this.answer(options),
		};
	}

	get sizes(): number[] {
		return this.steps.flatMap(({ sizes }) => sizes);
	}

	private async answer({ method, body }: IHttpRequestOptions) {
		if (method !== 'POST') {
			return { statusCode: 200, headers: {}, body: { credits: 1e9, webhooks: [] } };
		}
		const { searches } = body as { searches?: unknown[] };
		const size = searches?.length ?? 1;
		if (this.underWay++ === 0) this.steps.push({ known: { ...this.known }, sizes: [] });
		this.steps.at(-1)?.sizes.push(size);
		const answer = this.answers[Math.min(this.posts++, this.answers.length - 1)] ?? 1;
		await new Promise((resolve) => setTimeout(resolve, LATENCY_MS));
		this.underWay--;
		if (answer === 'refused') {
			return { statusCode: 400, headers: {}, body: { message: 'Error while parsing payload' } };
		}
		const receipt: IDataObject = { id: `id-${this.posts}-${Math.random()}` };
		if (answer === 'untold') return { statusCode: 200, headers: {}, body: receipt };
		receipt.credits_used = answer * size;
		this.charged += answer * size;
		this.known.told += answer * size;
		this.known.answered += size;
		if (answer > 0) this.known.price = answer;
		return { statusCode: 200, headers: {}, body: receipt };
	}
}

interface Given {
	count: number;
	maxCredits?: number;
	size: Size;
	continueOnFail?: boolean;
	groups?: number;
}

async function find(
	{ connection }: PricedService,
	{ count, maxCredits, size, continueOnFail = true, groups = 1 }: Given,
) {
	const searches = Array.from({ length: count }, (_, item) => {
		return { fullname: `Ada ${item}`, company_domain: 'acme.example' };
	});
	// A batch for each group.
	const rows = rowsFor(emailFinder, searches).map((row) => ({
		...row,
		envelope: { custom: { group: row.item % groups } },
	}));
	const settings = settingsFor(emailFinder, size, { maxCredits });
	const run = runFor(connection, { continueOnFail });
	const receipts = new Receipts(run.saved);
	const orders = plan({ ...settings, baseUrl: '' }, rows, receipts);
	await passTime(send(run, settings, orders, { receipts }), LIMIT_MS);
	return orders;
}

const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0);

it.for(['single', 'bulk'] as const)(
	'a cap holds nobody up for long: 40 searches, %s',
	async (size) => {
		const service = new PricedService([1]);
		await find(service, { count: 40, maxCredits: 100, size });
		expect(sum(service.sizes)).toBe(40);
		expect(service.steps.length).toBeLessThanOrEqual(7);
	},
);

it('all goes at once where there is no cap', async () => {
	const service = new PricedService([1]);
	await find(service, { count: 40, size: 'bulk' });
	expect(service.sizes).toEqual([40]);
});

it('nothing more goes where the first one does not tell the price', async () => {
	const service = new PricedService(['untold', 1]);
	await find(service, { count: 5, maxCredits: 100, size: 'bulk' });
	expect(service.sizes).toEqual([1]);
});

it('whatever the service charges, only what fits at its last price is let go', async () => {
	const answer = fc.oneof(
		{ weight: 8, arbitrary: fc.constantFrom(0.01, 0.5, 1, 2, 3, 50) },
		{ weight: 1, arbitrary: fc.constantFrom(0, 'refused' as const, 'untold' as const) },
	);
	const draws = fc.record({
		answers: fc.array(answer, { minLength: 1, maxLength: 12 }),
		count: fc.integer({ min: 1, max: 60 }),
		maxCredits: fc.integer({ min: 1, max: 90 }),
		size: fc.constantFrom('single' as const, 'bulk' as const),
		groups: fc.integer({ min: 1, max: 4 }),
		continueOnFail: fc.boolean(),
	});
	await fc.assert(
		fc.asyncProperty(draws, async ({ answers, ...given }) => {
			const service = new PricedService(answers);
			const made = await find(service, given);
			for (const { known, sizes } of service.steps) {
				expect(sum(sizes)).toBeLessThanOrEqual(Math.max(1, known.answered));
				const { told, price = 0 } = known;
				expect(told + sum(sizes) * price).toBeLessThanOrEqual(given.maxCredits + 1e-6);
				expect(told).toBeLessThan(given.maxCredits);
			}
			// So a rise of the price passes the cap by no more than what was let go at once.
			expect(sum(made.map(({ count }) => count))).toBe(given.count);
		}),
		{ numRuns: 200 },
	);
});

it('a price that another run was charged lets no more go at once', async () => {
	const key = 'key of a last price';
	await find(new PricedService([1], key), { count: 1, size: 'bulk' });
	const service = new PricedService([3], key);
	await find(service, { count: 5, maxCredits: 9, size: 'bulk' });
	expect(service.sizes).toEqual([1, 1, 1]);
});
