import type { IDataObject, INodeExecutionData, INodeType } from 'n8n-workflow';
import { vi } from 'vitest';
import type { ContactData } from '../../nodes/ContactData/ContactData.node.ts';
import { runNode, type RunNodeResult } from '../support/n8nCore/execute.mts';
import type { LedgerEntry } from '../support/sandbox/ledger.mts';
import { SandboxService } from '../support/sandbox/service.mts';
import { passTime, resetClock } from '../support/clock.mts';
import { Draw } from './draw.mts';
import { itemsOf, parametersOf } from './node.mts';
import { isOfOtherSender, startOtherSender } from './otherSender.mts';
import type { Schedule } from './schedule.mts';
import { SimulatedWire } from './wire.mts';

/** No try takes longer, however long it waits and whatever delays it. */
const LIMIT_MS = 2 * 3_600_000;
const WAIT_BETWEEN_TRIES_MS = 1_000;

/** One call of the node's `execute`. */
export interface Try {
	readonly items: INodeExecutionData[];
	readonly error: unknown;
	readonly isCancelled: boolean;
	/** Milliseconds between the cancellation and the end. */
	readonly lateMs: number;
}

/** Everything that is known after an execution, its tries and its Retry button. */
export interface Course {
	readonly schedule: Schedule;
	readonly key: string;
	readonly tries: readonly Try[];
	readonly wire: SimulatedWire;
	/** The node's own charges, without those of the other sender. */
	readonly charges: readonly LedgerEntry[];
	readonly chargedTwice: readonly string[];
	/** The node's context as it is saved with the execution. */
	readonly contextData: IDataObject;
}

/** Two copies of the node that share nothing in memory, as those of two n8n processes. */
export interface Processes {
	readonly first: ContactData;
	readonly second: ContactData;
}

export async function startProcesses(): Promise<Processes> {
	const load = async () => {
		vi.resetModules();
		const { ContactData } = await import('../../nodes/ContactData/ContactData.node.ts');
		return new ContactData();
	};
	return { first: await load(), second: await load() };
}

/**
 * Runs one schedule in faked time: the node as n8n runs it, against a sandbox of its own.
 * @param spoil changes what each try leaves: to see the checks fail
 */
export async function simulate(
	schedule: Schedule,
	processes: Processes,
	spoil = (result: RunNodeResult) => result,
): Promise<Course> {
	resetClock();
	const random = vi.spyOn(Math, 'random').mockImplementation(new Draw(schedule.seed).random);
	const { key, service } = startService(schedule);
	const stopOtherSender = startOtherSender(schedule, service, key);
	const wire = new SimulatedWire(service, schedule);
	const stop = new AbortController();
	if (schedule.cancelAt !== undefined) setTimeout(() => stop.abort(), schedule.cancelAt);

	const tries: Try[] = [];
	let contextData: IDataObject = {};
	let { signal } = stop;
	for (let press = 0; press <= schedule.buttonRetries; press++) {
		const process = press > 0 && schedule.restarts ? processes.second : processes.first;
		const node = wired(process, wire);
		for (let count = 0; count < schedule.maxTries; count++) {
			if (count > 0) await passTime(sleep(WAIT_BETWEEN_TRIES_MS), LIMIT_MS);
			wire.tries = tries.length + 1;
			let cancelledAt = Infinity;
			signal.addEventListener('abort', () => (cancelledAt = Date.now()), { once: true });
			const run = runNode({
				node,
				parameters: parametersOf(schedule),
				settings: { onError: schedule.onError },
				items: itemsOf(schedule),
				credentials: { contactDataApi: { apiKey: key, baseUrl: 'https://api.example.com' } },
				executionId: String(press + 1),
				contextData,
				signal,
			});
			const result = spoil(await passTime(run, LIMIT_MS));
			const { items, error } = result;
			({ contextData } = result);
			const isCancelled = signal.aborted;
			tries.push({ items, error, isCancelled, lateMs: Math.max(0, Date.now() - cancelledAt) });
			if (!isCancelled && !hasFailed(result)) break;
		}
		// The Retry button is there for executions that failed or were cancelled.
		const last = tries.at(-1);
		if (last === undefined || isTaken(last)) break;
		contextData = structuredClone(contextData);
		({ signal } = new AbortController());
	}
	stopOtherSender();
	random.mockRestore();
	const isOwn = ({ searches }: LedgerEntry) => !searches.some(isOfOtherSender);
	return {
		schedule,
		key,
		tries,
		wire,
		charges: service.ledger.entries.filter(isOwn),
		chargedTwice: service.ledger.chargedTwice(),
		contextData,
	};
}

/** Whether n8n takes what the try gave as the node's output. */
export function isTaken({ error, isCancelled }: Try): boolean {
	return error === undefined && !isCancelled;
}

let courses = 0;

/** A key of its own for each course: no pace and no price is known from another one. */
function startService(schedule: Schedule): { key: string; service: SandboxService } {
	const { seed, price, resource, credits, lookupMs, variants } = schedule;
	const key = `key-of-course-${++courses}`;
	const prices = { [`${resource}Single`]: price, [`${resource}Bulk`]: price };
	const service = new SandboxService({
		idSeed: String(seed),
		single: lookupMs,
		bulk: lookupMs,
		variants,
		account: { key, credits, prices },
	});
	return { key, service };
}

const sleep = async (ms: number) => await new Promise<void>((resolve) => setTimeout(resolve, ms));

/** As `WorkflowExecute` sees it: what is thrown, or an error in the first item, is tried again. */
function hasFailed({ error, items }: RunNodeResult): boolean {
	return error !== undefined || items[0]?.json.error !== undefined;
}

/** The node, with a simulated network under it. */
function wired(node: ContactData, wire: SimulatedWire): INodeType {
	return {
		description: node.description,
		async execute() {
			this.helpers.httpRequestWithAuthentication = async (_type, options) =>
				await wire.request(this, options);
			return await node.execute.call(this);
		},
	};
}
