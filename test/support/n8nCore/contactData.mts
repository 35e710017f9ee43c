import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeParameters,
	INodeType,
} from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, vi } from 'vitest';
import { ContactData } from '../../../nodes/ContactData/ContactData.node.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../sandbox/server.mts';
import { TestCredentials, type CredentialValues } from './credentials.mts';
import { harness, type NodeUnderTest } from './environment.mts';
import { runNode, type RunNodeOptions, type RunNodeResult } from './execute.mts';

export const contactData = new ContactData();

/** The node, for which something is done to n8n's context before each of its runs. */
export function contactDataAfter(prepare: (context: IExecuteFunctions) => void): INodeType {
	return {
		description: contactData.description,
		async execute() {
			prepare(this);
			return await contactData.execute.call(this);
		},
	};
}

/** Over at the first look. */
const QUICK: SandboxOptions = { single: 20, bulk: 50, account: { requestsPerSecond: 10_000 } };

/** For a tool of more than 25 searches, which refuses them without a cap. */
export const GENEROUS = { maxCredits: 1_000_000 };

export interface Given extends Omit<RunNodeOptions, 'node' | 'parameters'> {
	parameters?: INodeParameters;
	/** The Options collection. */
	options?: INodeParameters;
}

/** The action node in front of a sandbox. */
export class Bench {
	constructor(readonly sandbox: Sandbox) {}

	/** The credential of the sandbox's account `demo`, at a pace that no test has to wait for. */
	get credentials(): CredentialValues & { contactDataApi: INodeParameters } {
		const { apiKey, baseUrl } = this.sandbox;
		return { contactDataApi: { apiKey, baseUrl, requestsPerSecond: 10_000 } };
	}

	node(resource: string, operation: string, given?: Given): NodeUnderTest {
		return nodeFor(resource, operation, given);
	}

	/** Runs the node once. */
	async run(resource: string, operation: string, given: Given = {}): Promise<RunNodeResult> {
		return await runNode({
			credentials: this.credentials,
			...given,
			...this.node(resource, operation, given),
		});
	}

	/** The submissions that arrived: path and body. */
	get posts(): Array<{ path: string; body: unknown }> {
		return this.sandbox.requests
			.filter(({ method }) => method === 'POST')
			.map(({ path, body }) => ({ path, body }));
	}

	/** The looks at lookups that arrived: path and id. */
	get looks(): Array<{ path: string; id: string | undefined }> {
		return this.sandbox.requests
			.filter(({ method, path }) => method === 'GET' && path !== '/account/info')
			.map(({ path, query }) => ({ path, id: query.id }));
	}

	/** Asserts that nothing was started and nothing charged. */
	expectNothingSubmitted(): void {
		expect(this.posts).toEqual([]);
		expect(this.sandbox.ledger.entries).toEqual([]);
	}
}

/** The node as it stands in a workflow. */
export function nodeFor(resource: string, operation: string, given: Given = {}): NodeUnderTest {
	const { parameters, options, settings } = given;
	return {
		node: contactData,
		parameters: {
			resource,
			operation,
			...parameters,
			options: { ...options },
		},
		settings,
	};
}

/** One sandbox for a whole test file, as at its start before each test. */
export function useBench(options: SandboxOptions = {}): () => Bench {
	let bench: Bench | undefined;
	beforeAll(async () => {
		bench = await startBench(options);
	});
	beforeEach(() => {
		bench?.sandbox.reset();
		harness.workflowId = randomUUID();
	});
	afterAll(async () => await bench?.sandbox.close());
	return () => {
		if (bench === undefined) throw new Error('The sandbox is not started yet');
		return bench;
	};
}

/** A sandbox for one test, which may then run beside others. */
export async function withBench<T>(
	options: SandboxOptions,
	use: (bench: Bench) => Promise<T>,
): Promise<T> {
	const bench = await startBench(options);
	try {
		return await use(bench);
	} finally {
		await bench.sandbox.close();
	}
}

async function startBench(options: SandboxOptions): Promise<Bench> {
	const account = { ...QUICK.account, ...options.account };
	return new Bench(await startSandbox({ ...QUICK, ...options, account }));
}

/** Asserts that a read whose fault may pass was tried again, but not over and over. */
export function expectTriedAgain(tries: number): void {
	expect(tries).toBeGreaterThan(1);
	expect(tries).toBeLessThanOrEqual(5);
}

/** The JSON of the first output's items; fails with the node's own error. */
export function jsonOf({ items, error }: RunNodeResult): IDataObject[] {
	if (error instanceof Error) throw error;
	return items.map(({ json }) => json);
}

/** A text that an item holds, such as its id. */
export function textIn(json: IDataObject | undefined, key: string): string {
	const text = json?.[key];
	if (typeof text !== 'string') throw new Error(`No text '${key}' in ${JSON.stringify(json)}`);
	return text;
}

/** The input items that an item is paired with. */
export function pairedWith({ pairedItem }: INodeExecutionData): number[] {
	const pairs = Array.isArray(pairedItem) ? pairedItem : [pairedItem];
	return pairs.flatMap((pair) => {
		if (pair === undefined) return [];
		return typeof pair === 'number' ? [pair] : [pair.item];
	});
}

/** What the user reads of an error, and the item it belongs to. */
export interface ShownError {
	name: string;
	message: string;
	/** Empty when there is none. */
	description: string;
	itemIndex: unknown;
	httpCode: unknown;
}

/** What the user reads of what a run threw; asserts that the key is nowhere in it. */
export function shownError({ error, items }: RunNodeResult, key: unknown): ShownError {
	if (!(error instanceof Error)) {
		throw new Error(`The run did not fail, but gave ${JSON.stringify(items.slice(0, 3))}`);
	}
	expectNoKey(error, key);
	const { name, message } = error;
	const description =
		'description' in error && typeof error.description === 'string' ? error.description : '';
	const httpCode = 'httpCode' in error ? error.httpCode : undefined;
	const context: unknown = 'context' in error ? error.context : undefined;
	const itemIndex =
		typeof context === 'object' && context !== null && 'itemIndex' in context
			? context.itemIndex
			: undefined;
	expect(message).not.toMatch(/status code|undefined|\[object|NaN/);
	expect(description).not.toMatch(/undefined|\[object|NaN/);
	return { name, message, description, itemIndex, httpCode };
}

/** Asserts that a value does not hold the key, in any form in which it may be stored or logged. */
export function expectNoKey(value: unknown, key: unknown): void {
	if (typeof key !== 'string' || key === '') throw new Error('There is no key to look for');
	expect(JSON.stringify(value) ?? '').not.toContain(key);
	expect(inspect(value, { depth: Infinity, showHidden: true })).not.toContain(key);
	if (value instanceof Error) expect(`${value.stack}`).not.toContain(key);
}

/** Counts how often n8n reads a credential, until the test is over. */
export function watchReadings() {
	const readings = vi.spyOn(TestCredentials.prototype, 'getDecrypted');
	onTestFinished(() => readings.mockRestore());
	return readings;
}
