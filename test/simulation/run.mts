import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { vi } from 'vitest';
import type { ContactData } from '../../nodes/ContactData/ContactData.node.ts';
import type { endPause } from '../../nodes/ContactData/pausing/lookAfter.ts';
import { runNode, type RunNodeOptions, type RunNodeResult } from '../support/n8nCore/execute.mts';
import type { LedgerEntry } from '../support/sandbox/ledger.mts';
import { SandboxService } from '../support/sandbox/service.mts';
import { passTime, resetClock } from '../support/clock.mts';
import { Draw } from './draw.mts';
import { startEarlier } from './earlier.mts';
import { itemsOf, parametersOf } from './node.mts';
import { answerOfN8n } from '../support/n8nCore/playedN8n.mts';
import type { Schedule } from './schedule.mts';
import { SimulatedWire, type Caller } from './wire.mts';

/** No try takes longer, though each Retry-After of ten minutes holds up all that is not sent yet. */
export const LIMIT_MS = 4 * 3_600_000;
export const WAIT_BETWEEN_TRIES_MS = 1_000;

/** One call of the node's `execute`. */
export interface Try {
	readonly items: INodeExecutionData[];
	readonly error: unknown;
	/** `Infinity` when it was not cancelled. */
	readonly cancelledAt: number;
	readonly isCancelled: boolean;
	readonly endedAt: number;
	/** Whether n8n ran the node on items that an earlier try had parked, not on those of the user. */
	readonly isOnParked: boolean;
	/** Whether n8n has parked the execution: `items` are then what comes out when the time is over. */
	readonly isParked: boolean;
}

/** Everything that is known after an execution, its tries and its Retry button. */
export interface Course {
	readonly schedule: Schedule;
	readonly key: string;
	readonly tries: readonly Try[];
	readonly wire: SimulatedWire;
	/** What the node was charged. */
	readonly charges: readonly LedgerEntry[];
	/** The same by execution: each press of the Retry button is one. */
	readonly chargesByExecution: ReadonlyArray<readonly LedgerEntry[]>;
	/** Of what an earlier run has started, as the items say. */
	readonly earlierCharges: readonly LedgerEntry[];
	readonly chargedTwice: readonly string[];
	/** The node's context as it is saved with the execution. */
	readonly contextData: IDataObject;
}

/** Two copies of the node that share nothing in memory, as those of two n8n processes. */
export interface Processes {
	readonly first: Process;
	readonly second: Process;
}

interface Process {
	readonly node: ContactData;
	/** What it keeps of the executions that it has parked. */
	readonly endPause: typeof endPause;
}

export async function startProcesses(): Promise<Processes> {
	const load = async () => {
		vi.resetModules();
		const { ContactData } = await import('../../nodes/ContactData/ContactData.node.ts');
		const pauses = await import('../../nodes/ContactData/pausing/lookAfter.ts');
		return { node: new ContactData(), endPause: pauses.endPause };
	};
	return { first: await load(), second: await load() };
}

/**
 * Runs one schedule in faked time: the node as n8n runs it, against a sandbox of its own.
 * @param spoil changes what each try leaves: to see the checks fail
 */
export async function simulate(
	drawn: Schedule,
	processes: Processes,
	spoil = (result: RunNodeResult) => result,
): Promise<Course> {
	resetClock();
	const random = vi.spyOn(Math, 'random').mockImplementation(new Draw(drawn.seed).random);
	const { key, service } = startService(drawn);
	const earlier = startEarlier(drawn, service, key);
	let schedule = { ...drawn, earlierIds: earlier.ids };
	if (schedule.earlierMs > 0) await passTime(sleep(schedule.earlierMs), LIMIT_MS);
	const wire = new SimulatedWire(service, schedule);
	const stop = new AbortController();
	if (schedule.cancelAt !== undefined) setTimeout(() => stop.abort(), schedule.cancelAt);
	if (schedule.priceFallsAt !== undefined) {
		setTimeout(
			() => Object.assign(service.account().prices, pricesOf(schedule, 0.5)),
			schedule.priceFallsAt,
		);
	}

	const { executeOnce, onError, maxTries } = schedule;
	const settings = {
		onError,
		retryOnFail: maxTries > 1,
		maxTries,
		executeOnce: executeOnce !== undefined,
	};

	const tries: Try[] = [];
	let contextData: IDataObject = {};
	let flowData: IDataObject = {};
	let crashed: RunNodeOptions['items'];
	let { signal } = stop;
	const begins: number[] = [];
	for (let press = 0; press <= schedule.buttonRetries; press++) {
		begins.push(service.ledger.entries.length);
		if (press > 0 && drawn.turnsRound) schedule = turnedRound(schedule);
		const process = press > 0 && schedule.restarts ? processes.second : processes.first;
		const node = wired(process.node, wire);
		let input: RunNodeOptions['items'] = crashed ?? itemsOf(schedule);
		let waitsTill: Date | undefined;
		for (let count = 0; count < maxTries; count++) {
			if (count > 0) await passTime(sleep(WAIT_BETWEEN_TRIES_MS), LIMIT_MS);
			wire.tries = tries.length + 1;
			let cancelledAt = Infinity;
			signal.addEventListener('abort', () => (cancelledAt = Date.now()), { once: true });
			const run = runNode({
				node,
				parameters: parametersOf(schedule),
				settings,
				items: input,
				credentials: { contactDataApi: { apiKey: key, baseUrl: 'https://api.example.com' } },
				waitingBaseUrl: 'https://n8n.example.com/webhook-waiting',
				executionId: String(press + 1),
				contextData,
				flowData,
				signal,
				...(schedule.isTool && { tool: 'invoked', runIndex: tries.length }),
			});
			const isOnParked = waitsTill !== undefined;
			const result = spoil(await passTime(run, LIMIT_MS));
			const { error } = result;
			({ contextData, flowData } = result);
			const isCancelled = signal.aborted;
			waitsTill ??= result.waitTill;
			// With Execute Once the node has a copy of n8n's own input.
			if (executeOnce === undefined) input = result.inputAfter;
			const isOver = isCancelled || !hasFailed(schedule, result) || count === maxTries - 1;
			const isParked = isOver && waitsTill !== undefined;
			tries.push({
				items: isParked ? heldItems(schedule, input) : result.items,
				error,
				cancelledAt,
				isCancelled,
				endedAt: Date.now(),
				isOnParked,
				isParked,
			});
			if (isOver) break;
		}
		const { wakesAt } = (flowData.contactDataPause ?? {}) as { wakesAt?: number };
		if (wakesAt !== undefined) process.endPause(String(press + 1), wakesAt);
		// The Retry button is there for executions that failed or were cancelled.
		const last = tries.at(-1);
		if (last === undefined) break;
		crashed = schedule.crashes && last.isParked ? input : undefined;
		if (crashed === undefined && isTaken(last)) break;
		contextData = structuredClone(contextData);
		flowData = structuredClone(flowData);
		({ signal } = new AbortController());
	}
	random.mockRestore();
	const charges = service.ledger.entries.filter((entry) => !earlier.charges.includes(entry));
	const searches = charges.flatMap((entry) => entry.searches);
	return {
		schedule,
		key,
		tries,
		wire,
		charges,
		chargesByExecution: begins.map((begin, press) =>
			service.ledger.entries.slice(begin, begins[press + 1]),
		),
		earlierCharges: earlier.charges,
		chargedTwice: searches.filter((search, index) => searches.indexOf(search) < index),
		contextData,
	};
}

/** Whether n8n takes what the try gave as the node's output. */
export function isTaken({ error, isCancelled }: Try): boolean {
	return error === undefined && !isCancelled;
}

/** With the fields of an item goes its place. */
function turnedRound<S extends Schedule>(schedule: S): S {
	const { items, earlier, earlierIds } = schedule;
	return {
		...schedule,
		items: [...items].reverse(),
		earlier: [...earlier].reverse(),
		earlierIds: [...earlierIds].reverse(),
	};
}

let courses = 0;

/** A key of its own for each course: no pace and no price is known from another one. */
function startService(schedule: Schedule): { key: string; service: SandboxService } {
	const { seed, credits, lookupMs, scenarios } = schedule;
	const key = `key-of-course-${++courses}`;
	const prices = pricesOf(schedule, 1);
	const service = new SandboxService({
		idSeed: String(seed),
		single: lookupMs,
		bulk: lookupMs,
		scenarios,
		account: { key, credits, prices },
	});
	return { key, service };
}

function pricesOf({ resource, price }: Schedule, share: number): Record<string, number> {
	return { [`${resource}Single`]: price * share, [`${resource}Bulk`]: price * share };
}

export const sleep = async (ms: number) =>
	await new Promise<void>((resolve) => setTimeout(resolve, ms));

/** As `WorkflowExecute` sees it: what is thrown, or an error in the first item, is tried again. */
function hasFailed({ isTool }: Schedule, { error, items }: RunNodeResult): boolean {
	const said: unknown = isTool ? undefined : items[0]?.json.error;
	return error !== undefined || (said !== undefined && said !== null && said !== false);
}

/**
 * What n8n holds as the input of a parked node, and gives out when its time is over, paired by
 * position.
 */
function heldItems(
	{ executeOnce }: Schedule,
	input: RunNodeOptions['items'] = [],
): INodeExecutionData[] {
	const others = Array.from({ length: executeOnce?.others ?? 0 }, (): IDataObject => ({}));
	return [...input, ...others].map((item, index) => {
		const json = isWhole(item) ? item.json : item;
		return { json, pairedItem: { item: index } };
	});
}

function isWhole(item: IDataObject | INodeExecutionData): item is INodeExecutionData {
	return typeof item.json === 'object' && item.json !== null;
}

/** The node, with a simulated network under it. */
export function wired(node: ContactData, wire: SimulatedWire): INodeType {
	return {
		description: node.description,
		async execute() {
			this.helpers.httpRequestWithAuthentication = async function (this: Caller, _type, options) {
				return await wire.request(this, options);
			} as IExecuteFunctions['helpers']['httpRequestWithAuthentication'];
			// Who calls a parked execution finds it gone; its time is over without a call.
			this.helpers.httpRequest = async ({ url }) => answerOfN8n(url);
			return await node.execute.call(this);
		},
	};
}
