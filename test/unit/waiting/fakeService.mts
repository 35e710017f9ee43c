import type { IHttpRequestOptions } from 'n8n-workflow';
import { afterEach, beforeEach, vi } from 'vitest';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import type { Size } from '../../../nodes/ContactData/lookups/types.ts';
import type { Connection } from '../../../nodes/ContactData/service/request.ts';
import { orderOf, rowsFor } from '../../support/rows.mts';
import { type Accepted, accepted } from '../../../nodes/ContactData/orders/order.ts';
import { waitForAll } from '../../../nodes/ContactData/waiting/wait.ts';
import { passTime, startClock } from '../../support/clock.mts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** Fakes time for each test of a file. The monotonic clock counts in fractions of milliseconds. */
export function useFakedTime(): void {
	beforeEach(() => {
		startClock();
		// To ask for the time takes a little of it: an interval is hardly ever a whole number.
		let asked = 0;
		vi.spyOn(performance, 'now').mockImplementation(() => Date.now() + ++asked / 1024);
	});
	afterEach(() => {
		vi.restoreAllMocks();
		vi.useRealTimers();
	});
}

/** What comes of one look; `hangs` until the look is given up. */
export type Answer =
	{ status: number; body: unknown; afterMs?: number } | { code: string } | 'hangs';

export const ONGOING: Answer = { status: 202, body: { status: 'ongoing' } };
const ACCOUNT: Answer = { status: 200, body: { credits: 100, webhooks: [] } };
export const COMPLETED: Answer = { status: 200, body: { qualification: 'valid' } };
/** What the table says of an id that cannot be read. */
export const REFUSED: Answer = {
	status: 500,
	body: { message: 'Could not retrieve single search results' },
};

export function batch(finished: number, requested: number): Answer {
	const isDone = finished >= requested;
	return {
		status: 200,
		body: {
			general: { status: isDone ? 'completed' : 'ongoing' },
			stats: { finished, requested },
			...(isDone && { results: [] }),
		},
	};
}

/** One look that arrived. */
export interface Look {
	id: string;
	/** Since the service was made, in milliseconds. */
	at: number;
	/** How many looks at this id came before. */
	earlier: number;
}

const LATENCY_MS = 50;

/** A service that is only looked at, in faked time. */
export class FakeService {
	readonly looks: Look[] = [];
	/** How often it was asked for the account. */
	accountReads = 0;
	mostUnderWay = 0;
	private underWay = 0;
	private readonly startedAt = Date.now();

	/** @param account what it answers of the account */
	constructor(
		private readonly answer: (look: Look) => Answer,
		private readonly account: (at: number) => Answer = () => ACCOUNT,
	) {}

	get nowMs(): number {
		return Date.now() - this.startedAt;
	}

	readonly connection: Connection = {
		account: {
			baseUrl: 'https://service.example',
			requestsPerSecond: 10,
			fingerprint: 'fake',
			redact: (text) => text,
		},
		send: async (options) => {
			this.mostUnderWay = Math.max(this.mostUnderWay, ++this.underWay);
			return await this.look(options).finally(() => this.underWay--);
		},
	};

	private async look({ url, qs, timeout = 0 }: IHttpRequestOptions) {
		if (url.endsWith('/account/info')) {
			this.accountReads++;
			return await answered(this.account(this.nowMs), timeout);
		}
		const id = typeof qs?.id === 'string' ? qs.id : '';
		const earlier = this.looks.filter((look) => look.id === id).length;
		const look = { id, at: this.nowMs, earlier };
		this.looks.push(look);
		return await answered(this.answer(look), timeout);
	}
}

async function answered(answer: Answer, timeout: number) {
	// n8n's own limit, of silence.
	const hang = answer === 'hangs' || ('afterMs' in answer && Number(answer.afterMs) > timeout);
	if (hang) {
		await pass(timeout);
		throw Object.assign(new Error('timeout'), { code: 'ECONNABORTED' });
	}
	await pass('afterMs' in answer ? Number(answer.afterMs) : LATENCY_MS);
	if ('code' in answer) throw Object.assign(new Error(answer.code), { code: answer.code });
	const { status, body } = answer;
	return {
		statusCode: status,
		headers: {},
		body: typeof body === 'string' ? body : JSON.stringify(body),
	};
}

async function pass(ms: number): Promise<void> {
	await new Promise((resolve) => setTimeout(resolve, ms));
}

export interface WaitGiven {
	/** Default: one. */
	ids?: string[];
	size?: Size;
	timeoutMs: number;
	/** Whether the lookups were started by an earlier run. */
	isEarlier?: boolean;
	estimateMs?: number;
	/** Whether the run has submitted before, and so reached the service; default true. */
	reachedBefore?: boolean;
	signal?: AbortSignal;
}

export const ID = 'a';

/** Waits at the service for lookups; `tookMs` in its time. */
export async function wait(
	service: FakeService,
	{ ids = [ID], size = 'single', isEarlier = false, estimateMs, ...given }: WaitGiven,
): Promise<{ fates: Map<string, Accepted>; fate?: Accepted; tookMs: number }> {
	const before = service.nowMs;
	const { reachedBefore = true, timeoutMs, signal } = given;
	const options = {
		connection: service.connection,
		lookup: lookups.emailFinder,
		timeoutMs,
		reachedBefore,
		signal,
	};
	const orders = ids.map((id) => {
		const order = orderOf(size, id, rowsFor(options.lookup, [{ fullname: 'Ada' }]));
		const minutes = estimateMs === undefined ? undefined : estimateMs / 60_000;
		const fate = accepted(id, { id, estimated_duration: minutes });
		return { ...order, origin: isEarlier ? ('recent' as const) : order.origin, fate };
	});
	await passTime(waitForAll(options, orders), 2 * timeoutMs + HOUR);
	const fates = new Map(orders.map(({ fate }) => [fate.id, fate]));
	return { fates, fate: fates.get(ids[0]), tookMs: service.nowMs - before };
}
