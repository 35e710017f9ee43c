import { vi } from 'vitest';
import { forEachConcurrently } from '../../../nodes/ContactData/common/bounds.ts';
import { toAccount } from '../../../nodes/ContactData/service/request.ts';
import type { Connection } from '../../../nodes/ContactData/service/request.ts';
import { submit } from '../../../nodes/ContactData/service/submission.ts';
import { passTime, resetClock } from '../../support/clock.mts';
import { RateLimiter } from '../../support/sandbox/accounts.mts';
import { Refused } from '../../support/sandbox/payload.mts';
import { Draw } from '../draw.mts';

// Processes that share a key and nothing else: each has the product's own pace and submission code,
// and all meet the sandbox's own limiter over a network that draws how long it takes.

/** Some searches that a process is given at a moment. */
export interface Work {
	readonly atMs: number;
	readonly count: number;
}

export interface Scenario {
	/** What each process is given. */
	readonly processes: ReadonlyArray<readonly Work[]>;
	/** What the service takes from a moment on, without telling. */
	readonly limits?: ReadonlyArray<{ readonly atMs: number; readonly perSecond: number }>;
	/** A program of another make: it sends so many requests a second, whatever it is told. */
	readonly rude?: { readonly perSecond: number; readonly untilMs: number };
}

export interface Surroundings {
	readonly window: 'sliding' | 'fixed';
	/** At least. */
	readonly roundTripMs: number;
	/** By which share of that a way may take longer; default: a twentieth. */
	readonly jitter?: number;
	/** By how much one request in so many leaves late; default: none. */
	readonly late?: { readonly oneIn: number; readonly ms: number };
	readonly seed: number;
}

/** What became of one process; moments are in milliseconds from the start. */
export interface Process {
	sent: number;
	refused: number;
	readonly takenAt: number[];
	/** What the product said of those that it gave up. */
	readonly givenUp: string[];
	/** When the last of its searches had an answer. */
	endedAt: number;
}

/** In each credential, and at first at the service. */
export const PER_SECOND = 10;
export const WINDOWS = ['sliding', 'fixed'] as const;
export const ROUND_TRIPS_MS = [20, 150, 400] as const;

/** As `submitAll` does. */
const MAX_IN_FLIGHT = 50;
const PATH = '/email/verify/single';
const LIMIT_MS = 24 * 3_600_000;

const sleep = async (ms: number) => await new Promise<void>((resolve) => setTimeout(resolve, ms));

let plays = 0;

/** Plays one scenario in faked time: see `startClock`. */
export async function play(scenario: Scenario, surroundings: Surroundings): Promise<Process[]> {
	const { processes, limits = [], rude } = scenario;
	const { window, roundTripMs, jitter = 0.05, late, seed } = surroundings;
	resetClock();
	const draw = new Draw(seed);
	const random = vi.spyOn(Math, 'random').mockImplementation(draw.random);
	// No answer takes so long, and real timers would pile up.
	const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
	// In which part of the service's second it all begins.
	await passTime(sleep(draw.int(1, 1000)), LIMIT_MS);
	const start = Date.now();

	const limiter = new RateLimiter();
	const key = { key: 'shared', requestsPerSecond: PER_SECOND };
	const isTaken = (): boolean => {
		try {
			limiter.admit(key, PATH, window === 'fixed');
			return true;
		} catch (error) {
			if (error instanceof Refused) return false;
			throw error;
		}
	};
	for (const { atMs, perSecond } of limits) {
		setTimeout(() => (key.requestsPerSecond = perSecond), atMs);
	}
	if (rude !== undefined) {
		const { perSecond, untilMs } = rude;
		const send = () => {
			isTaken();
			if (Date.now() - start < untilMs) setTimeout(send, 1000 / perSecond);
		};
		send();
	}

	const prefix = `of play ${++plays}`;
	const runs = processes.map(async (work, index) => {
		const process: Process = { sent: 0, refused: 0, takenAt: [], givenUp: [], endedAt: 0 };
		const away = async () => await sleep((roundTripMs / 2) * (1 + jitter * draw.random()));
		const connection: Connection = {
			// What the package remembers goes by the account: a process of its own has a key of its own.
			account: toAccount(`${prefix}, ${index}`, 'https://service.example', PER_SECOND),
			send: async () => {
				process.sent++;
				if (late !== undefined && draw.int(1, late.oneIn) === 1) await sleep(late.ms);
				await away();
				const taken = isTaken();
				if (taken) process.takenAt.push(Date.now() - start);
				else process.refused++;
				await away();
				return taken
					? { statusCode: 200, headers: {}, body: '{"id":"x"}' }
					: { statusCode: 429, headers: {}, body: '{"message":"Too Many Requests"}' };
			},
		};
		const submitOne = async () => {
			const outcome = await submit(
				connection,
				PATH,
				{},
				{
					leave: () => true,
					comeBack: () => {},
				},
			);
			if (outcome?.kind === 'refused') process.givenUp.push(outcome.refusal.description);
			else if (outcome?.kind !== 'accepted') throw new Error(`A submission is ${outcome?.kind}`);
		};
		await Promise.all(
			work.map(async ({ atMs, count }) => {
				await sleep(atMs);
				await forEachConcurrently(MAX_IN_FLIGHT, Array<number>(count).fill(0), submitOne);
			}),
		);
		process.endedAt = Date.now() - start;
		return process;
	});
	try {
		return await passTime(Promise.all(runs), LIMIT_MS);
	} finally {
		random.mockRestore();
		timeout.mockRestore();
	}
}
