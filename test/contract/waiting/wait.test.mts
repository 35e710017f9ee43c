import Table from 'cli-table3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import type { Lookup, Size } from '../../../nodes/ContactData/lookups/types.ts';
import { waitForAll } from '../../../nodes/ContactData/waiting/wait.ts';
import type { Account } from '../../../nodes/ContactData/service/account.ts';
import type { Connection } from '../../../nodes/ContactData/service/request.ts';
import { passTime, startClock } from '../../support/clock.mts';
import { bodyOf } from '../../support/searches.mts';
import { isObject } from '../../support/sandbox/payload.mts';
import { SandboxService } from '../../support/sandbox/service.mts';
import type { Variants } from '../../support/sandbox/variants.mts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const LATENCY_MS = 50;
const LENGTHS = [
	['2 s', 2 * SECOND],
	['5 s', 5 * SECOND],
	['15 s', 15 * SECOND],
	['45 s', 45 * SECOND],
	['2 min', 2 * MINUTE],
	['5 min', 5 * MINUTE],
	['12 min', 12 * MINUTE],
	['30 min', 30 * MINUTE],
] as const;
const TIMEOUT_MS = 2 * 60 * MINUTE;

beforeEach(() => {
	startClock();
});
afterEach(() => {
	vi.useRealTimers();
});

function numbers(count: number): number[] {
	return Array.from({ length: count }, (_, n) => n);
}

interface Job {
	lookup: Lookup;
	size: Size;
	lengthMs: number;
	variants?: Partial<Variants>;
	/** Searches in the batch. */
	count?: number;
}

/** The service in this process, and the two of n8n's helpers that a wait needs, in faked time. */
class Bench {
	readonly service: SandboxService;
	readonly account: Account;
	looks = 0;
	lastLookAt = 0;
	mostLooksAtOnce = 0;
	private looksUnderWay = 0;

	constructor({ lengthMs, variants }: Pick<Job, 'lengthMs' | 'variants'>) {
		this.service = new SandboxService({
			single: lengthMs,
			bulk: lengthMs,
			variants,
			account: { requestsPerSecond: 10_000 },
		});
		this.account = {
			baseUrl: 'https://service.example',
			requestsPerSecond: 10,
			fingerprint: 'bench',
			redact: (text) => text,
		};
	}

	get connection(): Connection {
		return {
			account: this.account,
			send: async (options) => {
				this.mostLooksAtOnce = Math.max(this.mostLooksAtOnce, ++this.looksUnderWay);
				await new Promise((resolve) => setTimeout(resolve, LATENCY_MS / 2));
				const { status, body } = this.ask('GET', new URL(options.url).pathname, options.qs?.id);
				this.looks++;
				this.lastLookAt = performance.now();
				await new Promise((resolve) => setTimeout(resolve, LATENCY_MS / 2));
				this.looksUnderWay--;
				const text = typeof body === 'string' ? body : JSON.stringify(body);
				return { statusCode: status, headers: {}, body: text };
			},
		};
	}

	submit(lookup: Lookup, size: Size, count: number): { id: string; estimateMs?: number } {
		const words = numbers(size === 'single' ? 1 : count).map((n) => `ada${n}`);
		const path = `${lookup.path}/${size}`;
		const { body } = this.ask('POST', path, undefined, bodyOf({ lookup, size }, words));
		if (!isObject(body) || typeof body.id !== 'string') throw new Error('Not accepted');
		const minutes = body.estimated_duration;
		const estimateMs = typeof minutes === 'number' && minutes > 0 ? minutes * MINUTE : undefined;
		return { id: body.id, estimateMs };
	}

	private ask(method: string, path: string, id: unknown, body?: object) {
		const key = this.service.account().key;
		const query = { id: typeof id === 'string' ? id : undefined };
		return this.service.handle({ method, path, query, headers: { 'x-api-key': key }, body });
	}
}

/** How often a job is looked at, and how long after its end that is seen. */
async function watch({ lookup, size, lengthMs, variants, count = 1_000 }: Job) {
	const bench = new Bench({ lengthMs, variants });
	const startedAt = performance.now();
	const submitted = bench.submit(lookup, size, count);
	const ends = await passTime(
		waitForAll(
			{
				connection: bench.connection,
				lookup,
				size,
				timeoutMs: TIMEOUT_MS,
				firstDelayMs: SECOND,
				reachedBefore: true,
			},
			[{ ...submitted, startedAt }],
		),
		TIMEOUT_MS,
	);
	expect(ends.get(submitted.id)?.kind).toBe('completed');
	return { looks: bench.looks, lagMs: bench.lastLookAt - startedAt - lengthMs };
}

const tolerable = (lengthMs: number) => Math.max(1.5 * SECOND, 0.1 * lengthMs);

const ESTIMATES = ['right', 'zero', 'tooShort', 'tooLong', 'absent'] as const;
const VERIFIER_SHAPES = ['general', 'status', 'message', 'emptyResults', 'jsonString'] as const;
const SINGLE_SHAPES = ['status', 'message', 'state', 'jsonString', 'plainText'] as const;

interface Row {
	name: string;
	lookup: Lookup;
	size: Size;
	variants: Partial<Variants>;
	/** Answers or estimate tell how long it takes: else there is nothing but to look now and then. */
	isForeseeable: boolean;
}

const batchRow = (lookup: Lookup, estimatedDuration: Row['variants']['estimatedDuration']) => ({
	name: `${lookup.name} batch, estimate ${estimatedDuration}`,
	lookup,
	size: 'bulk' as const,
	variants: { estimatedDuration },
	isForeseeable: true,
});

const ROWS: Row[] = [
	...Object.values(lookups).flatMap((lookup) =>
		ESTIMATES.map((estimate) => batchRow(lookup, estimate)),
	),
	...VERIFIER_SHAPES.flatMap((ongoingVerifierBulk) =>
		(['right', 'absent'] as const).map((estimatedDuration) => ({
			name: `emailVerifier batch as ${ongoingVerifierBulk}, estimate ${estimatedDuration}`,
			lookup: lookups.emailVerifier,
			size: 'bulk' as const,
			variants: { ongoingVerifierBulk, estimatedDuration },
			isForeseeable: estimatedDuration === 'right',
		})),
	),
	...Object.values(lookups).flatMap((lookup) =>
		SINGLE_SHAPES.map((ongoingSingle) => ({
			name: `${lookup.name} single as ${ongoingSingle}`,
			lookup,
			size: 'single' as const,
			variants: { ongoingSingle },
			isForeseeable: false,
		})),
	),
];

it('looks seldom and sees the end soon, for jobs of 2 seconds to 30 minutes', async () => {
	const bad: string[] = [];
	const namesByCells = new Map<string, string[]>();
	for (const row of ROWS) {
		const cells: string[] = [];
		for (const [length, lengthMs] of LENGTHS) {
			const { looks, lagMs } = await watch({ ...row, lengthMs });
			cells.push(`${looks} / ${(lagMs / SECOND).toFixed(1)} s`);
			const tooMany = row.isForeseeable && looks > 25;
			if (tooMany || lagMs > tolerable(lengthMs)) {
				bad.push(`${row.name}, ${length}: ${looks} looks, ${lagMs} ms late`);
			}
		}
		const key = cells.join('\n');
		namesByCells.set(key, [...(namesByCells.get(key) ?? []), row.name]);
	}
	const table = new Table({ head: ['looks / lag', ...LENGTHS.map(([length]) => length)] });
	for (const [cells, names] of namesByCells) {
		const alike = names.length > 1 ? `\nand ${names.length - 1} alike` : '';
		table.push([`${names[0]}${alike}`, ...cells.split('\n')]);
	}
	console.log(`\n${table.toString()}`);
	expect(bad).toEqual([]);
});

describe('many lookups', () => {
	it('are waited for all at once, at most ten looks at the same time', async () => {
		const bench = new Bench({ lengthMs: 20 * SECOND, variants: {} });
		const { connection } = bench;
		const startedAt = performance.now();
		const watched = numbers(1_000).map(() => ({
			id: bench.submit(lookups.emailVerifier, 'single', 1).id,
			startedAt,
		}));
		const ends = await passTime(
			waitForAll(
				{
					connection,
					lookup: lookups.emailVerifier,
					size: 'single',
					timeoutMs: TIMEOUT_MS,
					firstDelayMs: SECOND,
					reachedBefore: true,
				},
				watched,
			),
			TIMEOUT_MS,
		);
		expect([...ends.values()].filter(({ kind }) => kind === 'completed')).toHaveLength(1_000);
		expect(bench.mostLooksAtOnce).toBeLessThanOrEqual(10);
		expect(performance.now() - startedAt).toBeLessThan(40 * SECOND);
	});
});
