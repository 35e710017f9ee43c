import { randomUUID } from 'node:crypto';
import { lookupEvents, type LookupEvent } from '../../nodes/ContactData/lookups/index.ts';
import {
	ACCOUNT_PATH,
	readBalance,
	type Balance,
} from '../../nodes/ContactData/service/account.ts';
import { readOnce, type ReadOutcome } from '../../nodes/ContactData/service/reading.ts';
import { hasEnded, type Shown } from '../../nodes/ContactData/service/state.ts';
import { submit, type SubmissionOutcome } from '../../nodes/ContactData/service/submission.ts';
import { lookAt } from '../../nodes/ContactData/waiting/wait.ts';
import type { Received } from './receiver.mts';
import { openWire, type Heard, type Wire } from './wire.mts';
import type { Wish } from './wishes.mts';

/** What the package made of an answer. */
export interface Look {
	/** Undefined where there was no answer. */
	readonly heard: Heard | undefined;
	readonly fate: Shown;
}

/** What came of one wish. */
export interface Told {
	readonly wish: Wish;
	readonly receipt: Heard | undefined;
	readonly outcome: SubmissionOutcome;
	readonly looks: Look[];
	/** One look more, some time after it had ended. */
	again?: Heard;
}

/** All that was said. */
export interface Talk {
	/** Before and after. */
	readonly accounts: ReadonlyArray<{
		readonly heard: Heard | undefined;
		readonly balance: Balance;
	}>;
	readonly wrongKey:
		{ readonly heard: Heard | undefined; readonly reading: ReadOutcome } | undefined;
	readonly unknownIds: ReadonlyArray<Look & { readonly event: LookupEvent }>;
	readonly told: readonly Told[];
	/** Undefined where nobody listens. */
	readonly received: readonly Received[] | undefined;
}

export interface TalkOptions {
	readonly baseUrl: string;
	readonly apiKey: string;
	readonly wishes: readonly Wish[];
	readonly received?: readonly Received[];
	readonly pause: (ms: number) => Promise<void>;
}

/** Looks at what still runs, at growing distances: ten minutes in all. */
const LOOK_AFTER_MS = [1_000, 2_000, 4_000, 8_000, 15_000, ...Array<number>(19).fill(30_000)];
const NOTIFIED_AFTER_MS = [1_000, 5_000, 10_000, 20_000, 30_000];

/** Asks the service. What is paid for comes last, and not where the key or the address is wrong. */
export async function talk(options: TalkOptions): Promise<Talk> {
	const { baseUrl, apiKey, wishes, received, pause } = options;
	const wire = openWire(baseUrl, apiKey);
	const accounts = [await readAccount(wire)];
	const nothing = { accounts, wrongKey: undefined, unknownIds: [], told: [], received };
	const [{ balance }] = accounts;
	if ('refusal' in balance && balance.refusal.scope === 'account') return nothing;

	const stranger = openWire(baseUrl, 'no-such-key');
	const wrongKey = await heardBy(stranger, async () => ({
		reading: await readOnce(stranger.connection, ACCOUNT_PATH),
	}));
	const unknownIds: Array<Look & { event: LookupEvent }> = [];
	for (const event of lookupEvents) {
		unknownIds.push({ event, ...(await look(wire, event, randomUUID())) });
	}
	const told = await startAll(wire, wishes);
	await followAll(wire, told, pause);
	accounts.push(await readAccount(wire));
	const isEachNotified = () =>
		(received?.length ?? 0) >= told.filter(({ outcome }) => outcome.kind === 'accepted').length;
	for (const ms of NOTIFIED_AFTER_MS) {
		if (received === undefined || isEachNotified()) break;
		await pause(ms);
	}
	return { accounts, wrongKey, unknownIds, told, received };
}

async function readAccount(wire: Wire) {
	return await heardBy(wire, async () => ({
		balance: await readBalance(wire.connection, undefined),
	}));
}

/** One after the other, each once; after a refusal that holds for all, no more. */
async function startAll(wire: Wire, wishes: readonly Wish[]): Promise<Told[]> {
	const told: Told[] = [];
	for (const wish of wishes) {
		const { lookup, size } = wish.event;
		const once = new AbortController();
		const inFlight = (now: boolean) => {
			if (!now) once.abort();
		};
		const { heard: receipt, outcome } = await heardBy(wire, async () => ({
			outcome: await submit(wire.connection, `${lookup.path}/${size}`, wish.body, {
				signal: once.signal,
				inFlight,
			}),
		}));
		const looks = outcome.kind === 'accepted' ? [await look(wire, wish.event, outcome.id)] : [];
		told.push({ wish, receipt, outcome, looks });
		const isForAll = outcome.kind === 'refused' && outcome.refusal.status === 402;
		if (outcome.kind === 'unknown' || outcome.kind === 'cancelled' || isForAll) break;
	}
	return told;
}

/** Until all have ended, and then once more. */
async function followAll(
	wire: Wire,
	told: readonly Told[],
	pause: TalkOptions['pause'],
): Promise<void> {
	const accepted = told.flatMap((one) =>
		one.outcome.kind === 'accepted' ? [{ one, id: one.outcome.id }] : [],
	);
	for (const ms of LOOK_AFTER_MS) {
		const open = accepted.filter(({ one }) => !isOver(one));
		if (open.length === 0) break;
		await pause(ms);
		for (const { one, id } of open) one.looks.push(await look(wire, one.wish.event, id));
	}
	await pause(LOOK_AFTER_MS[3]);
	for (const { one, id } of accepted) {
		if (!isOver(one)) continue;
		one.again = (await look(wire, one.wish.event, id)).heard;
	}
}

function isOver({ looks }: Told): boolean {
	const last = looks.at(-1);
	return last !== undefined && hasEnded(last.fate);
}

async function look(wire: Wire, event: LookupEvent, id: string): Promise<Look> {
	return await heardBy(wire, async () => ({
		fate: await lookAt(wire.connection, { ...event, id }),
	}));
}

/** What the package makes of an answer, and the answer. */
async function heardBy<T extends object>(wire: Wire, ask: () => Promise<T>) {
	const before = wire.heard.length;
	const made = await ask();
	return { heard: wire.heard.slice(before).at(-1), ...made };
}
