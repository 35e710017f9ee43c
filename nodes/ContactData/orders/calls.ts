import { monotonicMs, unlessAborted } from '../common/time';
import { asAmount, asRecord, shortHash } from '../common/values';
import { RecentMap } from '../common/bounds';
import type { Run } from '../input/run';
import type { Account } from '../service/account';
import type { ReceiptEntries, Receipts } from './receipts';

const REMEMBERED_MS = 7_200_000;
/** In bytes: thousands of single searches, or 200 of the largest batches. */
const MAX_REMEMBERED = 10_000_000;
/** Of a call in memory, besides what its receipts say. */
const BYTES_OF_CALL = 1_000;

/** What a call has paid for, or may have. */
interface Paid {
	entries: ReceiptEntries;
	/** By the monotonic clock, in milliseconds. */
	at: number;
}

/**
 * What the calls of tools have paid for in this process, by account, tool and all that was asked for.
 * The same call again may be of another execution, without the receipts of this one: each call of an
 * MCP client is one, and each turn of a chat.
 */
const paidCalls = new RecentMap<string, Paid>(
	MAX_REMEMBERED,
	({ entries }) => BYTES_OF_CALL + JSON.stringify(entries).length,
);

/**
 * Lets a call of a tool start what it searches for, after the same call of another execution, and after
 * other calls of its own one: each finds what the others have paid for.
 * @param names of what it searches for, in the receipts
 * @returns `undefined` where the call was due before its turn came
 */
export async function inTurnOfCall<T>(
	run: Run,
	receipts: Receipts,
	names: readonly string[],
	start: () => Promise<T>,
): Promise<T | undefined> {
	const name = nameOfCall(run, names);
	const startInTurn = async () => {
		recallCall(run, receipts, names);
		try {
			return await start();
		} finally {
			remember(name, receipts.entriesOf(names));
		}
	};
	const timeUp = run.call?.timeUp;
	return await oneAtATime(
		name,
		async () => await oneAtATime(receipts.shared, startInTurn, timeUp),
		timeUp,
	);
}

/** Adds to the receipts of a call what the same call has paid for in the last two hours. */
export function recallCall(run: Run, receipts: Receipts, names: readonly string[]): void {
	receipts.add(rememberedOf(nameOfCall(run, names))?.entries ?? []);
}

/** Searches that the service reports as failed may be started again, by a call of another execution. */
export function forgetFailed(account: Account, ids: ReadonlySet<unknown>): void {
	for (const [name, { entries, at }] of paidCalls) {
		if (!name.startsWith(account.fingerprint)) continue;
		const left = entries.filter(([, { answer }]) => !ids.has(asRecord(answer)?.id));
		if (left.length < entries.length) keep(name, { entries: left, at });
	}
}

function nameOfCall({ connection, toolName }: Run, names: readonly string[]): string {
	return `${connection.account.fingerprint} ${shortHash([toolName, names], 43)}`;
}

function rememberedOf(name: string): Paid | undefined {
	const paid = paidCalls.get(name);
	return paid !== undefined && monotonicMs() - paid.at < REMEMBERED_MS ? paid : undefined;
}

function remember(name: string, receipts: ReceiptEntries): void {
	const known = rememberedOf(name);
	const knownKeys = new Set(known?.entries.map(([key]) => key));
	// The two hours begin with what was sent last.
	const at = receipts.every(([key]) => knownKeys.has(key)) ? known?.at : undefined;
	const entries = receipts.map(([key, { answer, ...entry }]): ReceiptEntries[number] => {
		// An answer may be of any size.
		const { id, ...said } = asRecord(answer) ?? {};
		const { credits_used, estimated_duration } = said;
		const amount = asAmount(credits_used) ?? asAmount(asRecord(said.credits)?.amount);
		const numbers = { credits_used: amount, estimated_duration: asAmount(estimated_duration) };
		return [key, id === undefined ? entry : { ...entry, answer: { id, ...numbers } }];
	});
	keep(name, { entries, at: at ?? monotonicMs() });
}

function keep(name: string, paid: Paid): void {
	if (paid.entries.length > 0) paidCalls.set(name, paid);
	else paidCalls.delete(name);
}

/** The end of the latest work for each topic. */
const ends = new Map<unknown, Promise<void>>();

/** @returns `undefined` where the time was up before its turn came */
async function oneAtATime<T>(
	topic: unknown,
	work: () => Promise<T>,
	timeUp?: AbortSignal,
): Promise<T | undefined> {
	const before = ends.get(topic) ?? Promise.resolve();
	let end = () => {};
	const ended = new Promise<void>((resolve) => {
		end = resolve;
	});
	// Whoever gives up its turn lets nobody in before those that it waited for.
	const turn = before.then(async () => await ended);
	ends.set(topic, turn);
	void turn.then(() => {
		if (ends.get(topic) === turn) ends.delete(topic);
	});
	try {
		return (await unlessAborted(before, timeUp)) ? await work() : undefined;
	} finally {
		end();
	}
}
