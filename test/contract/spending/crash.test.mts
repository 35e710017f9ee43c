import type { IDataObject, INodeType } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { passTime, startClock } from '../../support/clock.mts';
import { contactData, textIn } from '../../support/n8nCore/contactData.mts';
import { runNode, type RunNodeOptions } from '../../support/n8nCore/execute.mts';
import { ServiceInProcess, type Asked, type Leg } from '../../support/n8nCore/inProcess.mts';
import { mayHaveBeenCharged, wasInterrupted } from '../../support/texts.mts';
import { addresses, MAIL } from './money.mts';

// n8n ends in the middle of a run, and the execution goes on from what was in its context then.

const LIMIT_MS = 600_000;
const ITEMS = 6;

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

type Operation = 'submit' | 'submitAndWait' | 'submitBulkAndWait';

class Execution {
	readonly service = new ServiceInProcess({
		single: 3_000,
		bulk: 3_000,
		account: { requestsPerSecond: 10 },
	});
	readonly #node: INodeType = this.service.wire(contactData);
	/** The context as it is now. */
	#look: () => IDataObject = () => ({});
	#saved: IDataObject = {};
	#tries = 0;

	constructor(
		private readonly operation: Operation,
		private readonly perBatch = ITEMS,
	) {}

	/** Of another key for each try: a new process knows nothing of the turns in the old one. */
	get #credentials() {
		const { contactDataApi } = this.service.credentials;
		const apiKey = `${contactDataApi.apiKey} ${++this.#tries}`;
		return { contactDataApi: { ...contactDataApi, apiKey } };
	}

	/** A try in a new process, from what was saved. */
	async go(settings: RunNodeOptions['settings'] = { onError: 'continueRegularOutput' }) {
		const look = (find: () => IDataObject) => {
			this.#look = find;
		};
		const wired = this.#node;
		const node: INodeType = {
			...wired,
			async execute() {
				look(() => this.getContext('node'));
				return (await wired.execute?.call(this)) ?? [];
			},
		};
		const run = await runNode({
			node,
			items: addresses(ITEMS).map((item, n) => ({ ...item, of: Math.floor(n / this.perBatch) })),
			parameters: {
				resource: 'emailVerifier',
				operation: this.operation,
				...MAIL,
				// What differs in custom data is no batch.
				...(this.operation === 'submitBulkAndWait' && {
					options: { custom: '={{ ({ of: $json.of }) }}' },
				}),
			},
			credentials: this.#credentials,
			contextData: structuredClone(this.#saved),
			settings,
		});
		this.#saved = structuredClone(run.contextData);
		return run;
	}

	async goToTheEnd(settings?: RunNodeOptions['settings']) {
		this.service.onRequest = () => {};
		return await passTime(this.go(settings), LIMIT_MS);
	}

	/** Ends the process so long after what is to happen; what is on its way is never heard of. */
	async crashWhen(isReached: (asked: Asked, leg: Leg) => boolean, laterMs = 0): Promise<void> {
		let hasCrashed = false;
		const crashed = new Promise<void>((resolve) => {
			const crash = () => {
				hasCrashed = true;
				this.#saved = structuredClone(this.#look());
				resolve();
			};
			this.service.onRequest = async (asked, leg) => {
				if (!hasCrashed && isReached(asked, leg)) {
					if (laterMs > 0) setTimeout(crash, laterMs);
					else crash();
				}
				if (hasCrashed) await new Promise<never>(() => {});
			};
		});
		const ended = this.go().then(() => {
			throw new Error('The run ended before the crash');
		});
		await passTime(Promise.race([crashed, ended]), LIMIT_MS);
		vi.clearAllTimers();
	}

	/** Nothing is paid twice, and each charge is known by its id or told as what nobody knows. */
	expectMoneyKnown(output: readonly IDataObject[]): void {
		const { ledger } = this.service.service;
		expect(ledger.chargedTwice()).toEqual([]);
		const text = JSON.stringify(output);
		for (const { id, searches } of ledger.entries) {
			if (text.includes(id)) continue;
			for (const search of searches) {
				const asked = addresses(ITEMS).findIndex(
					({ mail }) => typeof mail === 'string' && search.includes(mail),
				);
				expect(output[asked].error).toMatch(mayHaveBeenCharged);
			}
		}
	}
}

/** That submission or look, counted from 1, on that leg of its way. */
const nth = (method: 'POST' | 'GET', count: number, wanted: Leg) => {
	let seen = 0;
	return ({ path, ...asked }: Asked, leg: Leg) =>
		asked.method === method && leg === wanted && path !== '/account/info' && ++seen === count;
};

const CRASHES: Array<[string, 'POST' | 'GET', number, Leg]> = [
	['as the first submission leaves', 'POST', 1, 'leaving'],
	['as the fourth submission leaves', 'POST', 4, 'leaving'],
	['as the service has taken the fourth', 'POST', 4, 'answered'],
	['as the first look leaves', 'GET', 1, 'leaving'],
	['as the last result is on its way', 'GET', ITEMS, 'answered'],
];

describe.for(['submitAndWait', 'submitBulkAndWait'] as const)(
	'%s that is cut off is gone on with: nothing is paid twice, no id is lost',
	(operation) => {
		it.for(CRASHES)('%s', async ([, ...when]) => {
			const execution = new Execution(operation, 1);
			await execution.crashWhen(nth(...when));
			const { items } = await execution.goToTheEnd();
			const output = items.map(({ json }) => json);
			expect(output).toHaveLength(ITEMS);
			for (const { found, error } of output) {
				if (found !== true) expect(error).toMatch(mayHaveBeenCharged);
			}
			execution.expectMoneyKnown(output);
		});
	},
);

it('what was under way at the crash is told as such, and the others have their results', async () => {
	const execution = new Execution('submitAndWait');
	// One after another, so that three are answered when the fourth leaves.
	execution.service.latencyMs = 0;
	await execution.crashWhen(nth('POST', 4, 'leaving'));
	const sent = execution.service.posts.length;
	const { items } = await execution.goToTheEnd();
	const untold = items.filter(({ json }) => typeof json.error !== 'string');
	const told = items.filter(
		({ json }) => typeof json.error === 'string' && mayHaveBeenCharged.test(json.error),
	);
	expect(told.length).toBeGreaterThan(0);
	expect(told.length).toBeLessThanOrEqual(sent);
	expect(untold).toHaveLength(ITEMS - told.length);
	expect(told[0].json.error).toContain(wasInterrupted);
	expect(execution.service.posts).toHaveLength(ITEMS);
});

it('what was refused for the pace, and waited for its next turn at the crash, is sent', async () => {
	const execution = new Execution('submit');
	execution.service.faults.add({ on: 'POST *', kind: 'status', status: 429, times: ITEMS });
	await execution.crashWhen((asked) => asked.status === 429, 100);
	const { items } = await execution.goToTheEnd();
	expect(items.map(({ json }) => json.status)).toEqual(Array(ITEMS).fill('ongoing'));
	execution.expectMoneyKnown(items.map(({ json }) => json));
});

it('a crash of the retry loses nothing of the try before it', async () => {
	const execution = new Execution('submitAndWait');
	const REFUSED = { kind: 'status', status: 418, body: { message: 'Not now' } } as const;
	execution.service.faults.add({ ...REFUSED, on: 'POST *', skip: 2, times: ITEMS });
	const first = await execution.goToTheEnd({ onError: 'stopWorkflow' });
	expect(first.error).toMatchObject({ message: 'Not now' });
	const paid = execution.service.service.ledger.entries.map(({ id }) => id);
	expect(paid).toHaveLength(2);

	execution.service.faults.clear();
	await execution.crashWhen(nth('POST', 2, 'answered'));
	const { items } = await execution.goToTheEnd();
	const output = items.map(({ json }) => json);
	execution.expectMoneyKnown(output);
	expect(output.slice(0, 2).map((json) => textIn(json, 'search_id'))).toEqual(paid);
});
