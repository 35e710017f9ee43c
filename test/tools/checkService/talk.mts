import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { parseJson } from '../../../nodes/ContactData/common/values.ts';
import { lookupEvents, type LookupEvent } from '../../../nodes/ContactData/lookups/index.ts';
import {
	ACCOUNT_PATH,
	askBalance,
	type Balance,
} from '../../../nodes/ContactData/service/account.ts';
import { askOnce, type ReadOutcome } from '../../../nodes/ContactData/service/reading.ts';
import { toAccount, type Connection } from '../../../nodes/ContactData/service/request.ts';
import { hasEnded, type Shown } from '../../../nodes/ContactData/service/state.ts';
import { submit, type SubmissionOutcome } from '../../../nodes/ContactData/service/submission.ts';
import { lookOnce } from '../../../nodes/ContactData/waiting/look.ts';
import type { Wish } from './wishes.mts';

/** An answer as it came. */
export interface Heard {
	/** E.g. `GET /email/find/single`. */
	readonly endpoint: string;
	readonly status: number;
	readonly body: unknown;
}

/** An answer, undefined where there was none, and what the package made of it. */
type Made<T> = T & { readonly heard: Heard | undefined };

export type Look = Made<{ readonly fate: Shown }>;

/** What came of one wish. */
export interface Told {
	readonly wish: Wish;
	readonly receipt: Heard | undefined;
	readonly outcome: SubmissionOutcome;
	readonly looks: Look[];
}

/** All that was said. */
export interface Talk {
	/** Before and after. */
	readonly accounts: ReadonlyArray<Made<{ readonly balance: Balance }>>;
	readonly wrongKey: Made<{ readonly reading: ReadOutcome }> | undefined;
	readonly unknownIds: ReadonlyArray<Look & { readonly event: LookupEvent }>;
	readonly told: readonly Told[];
}

interface TalkOptions {
	readonly baseUrl: string;
	readonly apiKey: string;
	readonly wishes: readonly Wish[];
	readonly pause: (ms: number) => Promise<void>;
}

/** A way to the service for the package's own code. */
interface Wire {
	readonly connection: Connection;
	/** All answers so far. */
	readonly heard: readonly Heard[];
}

/** Looks at what still runs, at growing distances: ten minutes in all. */
const LOOK_AFTER_MS = [1_000, 2_000, 4_000, 8_000, 15_000, ...Array<number>(19).fill(30_000)];

/** Asks the service. What is paid for comes last, and not where the key or the address is wrong. */
export async function talk({ baseUrl, apiKey, wishes, pause }: TalkOptions): Promise<Talk> {
	const wire = openWire(baseUrl, apiKey);
	const first = await askAccount(wire);
	if ('refusal' in first.balance && first.balance.refusal.affects === 'account') {
		return { accounts: [first], wrongKey: undefined, unknownIds: [], told: [] };
	}
	const stranger = openWire(baseUrl, 'no-such-key');
	const wrongKey = await heardBy(stranger, async () => ({
		reading: await askOnce(stranger.connection, ACCOUNT_PATH),
	}));
	const unknownIds: Array<Look & { event: LookupEvent }> = [];
	for (const event of lookupEvents) {
		unknownIds.push({ event, ...(await look(wire, event, randomUUID())) });
	}
	const told = await startAll(wire, wishes);
	for (const ms of LOOK_AFTER_MS) {
		const open = told.filter(({ looks }) => looks.length > 0 && !isOver(looks));
		if (open.length === 0) break;
		await pause(ms);
		for (const { wish, outcome, looks } of open) {
			if (outcome.kind === 'accepted') looks.push(await look(wire, wish.event, outcome.id));
		}
	}
	return { accounts: [first, await askAccount(wire)], wrongKey, unknownIds, told };
}

async function askAccount(wire: Wire) {
	return await heardBy(wire, async () => ({
		balance: await askBalance(wire.connection, undefined),
	}));
}

/** One after the other, each once; after a refusal that holds for all, no more. */
async function startAll(wire: Wire, wishes: readonly Wish[]): Promise<Told[]> {
	const told: Told[] = [];
	for (const wish of wishes) {
		const { lookup, size } = wish.event;
		const once = new AbortController();
		const { heard: receipt, outcome } = await heardBy(wire, async () => ({
			outcome: await submit(wire.connection, `${lookup.path}/${size}`, wish.body, {
				signal: once.signal,
				leave: () => true,
				comeBack: () => once.abort(),
			}),
		}));
		if (outcome === undefined) break;
		const looks = outcome.kind === 'accepted' ? [await look(wire, wish.event, outcome.id)] : [];
		told.push({ wish, receipt, outcome, looks });
		const isForAll = outcome.kind === 'refused' && outcome.refusal.status === 402;
		if (outcome.kind === 'unknown' || outcome.kind === 'cancelled' || isForAll) break;
	}
	return told;
}

function isOver(looks: readonly Look[]): boolean {
	const last = looks.at(-1);
	return last !== undefined && hasEnded(last.fate);
}

async function look(wire: Wire, event: LookupEvent, id: string): Promise<Look> {
	return await heardBy(wire, async () => ({
		fate: await lookOnce(wire.connection, { ...event, id }, Infinity),
	}));
}

async function heardBy<T extends object>(wire: Wire, ask: () => Promise<T>): Promise<Made<T>> {
	const before = wire.heard.length;
	const made = await ask();
	return { heard: wire.heard.slice(before).at(-1), ...made };
}

/** Lets each POST through once, whatever comes of it. */
function openWire(baseUrl: string, apiKey: string): Wire {
	const heard: Heard[] = [];
	const posted = new Set<string>();
	const send: Connection['send'] = async ({ method = 'GET', url, qs, body }, signal) => {
		const address = new URL(url);
		if (typeof qs?.id === 'string') address.searchParams.set('id', qs.id);
		const isPost = method === 'POST';
		if (isPost && posted.has(url)) throw new Error('This POST was sent already');
		if (isPost) posted.add(url);
		const response = await fetch(address, {
			method,
			headers: {
				accept: 'application/json',
				'x-api-key': apiKey,
				...(isPost && { 'content-type': 'application/json' }),
			},
			body: isPost ? JSON.stringify(body) : undefined,
			signal,
			redirect: 'manual',
		});
		const { status, headers } = response;
		const text = await response.text();
		const endpoint = `${method} ${url.slice(baseUrl.length)}`;
		heard.push({ endpoint, status, body: parseJson(text) });
		return {
			statusCode: status,
			headers: Object.fromEntries(headers),
			body: Readable.from([Buffer.from(text)]),
		};
	};
	return { connection: { account: toAccount(apiKey, baseUrl, 10), send }, heard };
}
