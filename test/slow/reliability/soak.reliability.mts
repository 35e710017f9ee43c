import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { type ExecutionSummary, type N8nApi, UNFINISHED } from '../../support/n8n/api.mts';
import type { Execution } from '../../support/n8n/execution.mts';
import { useHarness } from '../../support/n8n/harness.mts';
import { STARTING } from '../../support/n8n/n8n.mts';
import { contactDataTrigger } from '../../support/n8n/trigger.mts';
import { chain, contactData, madeItems, triggeredChain } from '../../support/n8n/workflows.mts';
import type { Sandbox } from '../../support/sandbox/server.mts';
import { mayHaveBeenCharged } from '../../support/texts.mts';

// Mixed work on a service with bad moments, while n8n is killed. The sandbox's ledger is the judge.

/** `CONTACT_DATA_SOAK_MINUTES` says otherwise. */
const MINUTES = Number(process.env.CONTACT_DATA_SOAK_MINUTES ?? 2);
const AT_ONCE = 5;
const KILL_EVERY_MS = 30_000;
const LONGEST_RUN_MS = 180_000;
const NODE = 'Find';

const FINDER = {
	resource: 'emailFinder',
	fullname: '={{ $json.name }}',
	companyDomain: 'acme.example',
};
const WORK: ReadonlyArray<readonly [items: number, parameters: INodeParameters]> = [
	[3, { ...FINDER, operation: 'submit' }],
	[3, { resource: 'emailVerifier', operation: 'submitAndWait', email: '={{ $json.email }}' }],
	[20, { ...FINDER, operation: 'submitBulkAndWait' }],
	[50, { ...FINDER, operation: 'submitBulk' }],
	[20, { ...FINDER, operation: 'submitBulkAndWait', waitMode: 'suspend' }],
];

const harness = useHarness();

/** Lookups take one to twenty seconds, some answers are lost or refused, and some callbacks never come. */
function makeMoody({ configure, faults, service }: Sandbox): void {
	const duration = () => 1_000 + 19_000 * Math.random() ** 3;
	const retryDelayMs = (attempts: number) => Math.min(1_000 * 1.5 ** attempts, 15_000);
	const loses = (url: string) => url.includes('/webhook-waiting/') && Math.random() < 1 / 3;
	const webhooks = { loses, delayMs: 8_000, retries: 60, retryDelayMs, notReady: STARTING };
	configure({ single: duration, bulk: duration, webhooks });
	service.account().credits = 1e9;
	const always = { times: Infinity };
	faults.add({
		on: 'POST *',
		kind: 'status',
		status: 503,
		accepted: true,
		chance: 0.02,
		...always,
	});
	faults.add({ on: 'GET *', kind: 'truncated', chance: 0.03, ...always });
	faults.add({ on: 'GET *', kind: 'status', status: 500, chance: 0.03, ...always });
	faults.add({ on: 'POST *', kind: 'status', status: 429, chance: 0.03, ...always });
}

/** The safety net: a trigger whose URL the account has registered hears of every search that names none. */
async function publishListener(): Promise<void> {
	const { n8n, sandbox, credential } = harness;
	const webhookId = randomUUID();
	const trigger = contactDataTrigger(credential, webhookId);
	await n8n.api.activate(await n8n.api.importWorkflow(triggeredChain('Listener', trigger)));
	sandbox.service.account().webhooks = [`${n8n.url}webhook/${webhookId}/webhook`];
}

it(
	`${MINUTES} min of mixed work: nothing is paid twice, and no id is lost`,
	async () => {
		const { n8n, sandbox, credential } = harness;
		const { api } = n8n;
		makeMoody(sandbox);
		await publishListener();
		const end = Date.now() + MINUTES * 60_000;
		const started = new Map<string, number>();
		let kills = 0;
		let runs = 0;
		const work = async () => {
			while (Date.now() < end) {
				const run = ++runs;
				const [items, parameters] = WORK[run % WORK.length] ?? [0, {}];
				const json = `{ name: 'Run ${run} Person ' + n, email: 'run${run}.' + n + '@acme.example' }`;
				const workflow = chain(
					'Soak',
					madeItems('People', items, json),
					contactData(NODE, credential, parameters, { onError: 'continueRegularOutput' }),
				);
				const before = kills;
				// While n8n is down nothing can be asked of it; one that was killed has no end.
				await api
					.startWorkflow(workflow)
					.then(async (id) => {
						started.set(id, run);
						const isLeft = ({ id: one, status }: ExecutionSummary) =>
							kills > before || (one === id && !UNFINISHED.includes(status));
						await api.waitForExecution(isLeft, { timeoutMs: LONGEST_RUN_MS });
					})
					.catch(async () => await delay(1_000));
			}
		};
		const kill = async () => {
			while (Date.now() + KILL_EVERY_MS < end) {
				await delay(KILL_EVERY_MS);
				kills += 1;
				await n8n.kill();
				await n8n.restart();
			}
		};
		await Promise.all([...Array.from({ length: AT_ONCE }, work), kill()]);

		sandbox.faults.clear();
		const unfinished = async () => (await api.listExecutions({ status: UNFINISHED })).length;
		await expect.poll(unfinished, { timeout: LONGEST_RUN_MS, interval: 1_000 }).toBe(0);
		const { ledger } = sandbox;
		expect(ledger.chargedTwice()).toEqual([]);
		expect(ledger.totals().searches).toBeGreaterThan(0);

		const own = await Promise.all(
			[...started.keys()].map(async (id) => await api.getExecution(id)),
		);
		const toldRuns = own
			.filter((execution) =>
				execution
					.json(NODE)
					.some(({ error }) => typeof error === 'string' && mayHaveBeenCharged.test(error)),
			)
			.map(({ id }) => started.get(id));
		const lost = async () => {
			const texts = [...(await allExecutions(api)).map(({ record }) => record.data), n8n.logs()];
			return ledger.entries.filter(
				({ id, searches }) =>
					!texts.some((text) => text.includes(id)) && !toldRuns.includes(runOf(searches)),
			);
		};
		// A search that is to call back a paused execution is told to nobody else: a kill in the moment
		// before n8n saves the pause loses its id.
		const isSettled = async () => (await lost()).length <= kills;
		for (const end = Date.now() + LONGEST_RUN_MS; !(await isSettled()) && Date.now() < end;) {
			await delay(5_000);
		}
		const left = (await lost()).map(({ id, searches }) => `${id} ${searches[0]}`);
		expect(left.length, left.join('\n')).toBeLessThanOrEqual(kills);
		console.log(
			`${started.size} executions, ${kills} kills, ${ledger.totals().searches} searches charged, 0 twice, ${left.length} ids lost with a killed n8n`,
		);
	},
	2 * MINUTES * 60_000 + 600_000,
);

/** The run that a batch or single search is of. */
function runOf([search = '']: readonly string[]): number {
	return Number(/run[ .]?(\d+)/i.exec(search)?.[1]);
}

/** By their numbers: n8n's list is sorted by when they began and paged by their ids, and leaves some out. */
async function allExecutions(api: N8nApi): Promise<Execution[]> {
	const newest = Math.max(...(await api.listExecutions()).map(({ id }) => Number(id)));
	const numbers = Array.from({ length: newest }, (_, index) => String(index + 1));
	const found = await Promise.all(
		numbers.map(async (id) => await api.getExecution(id).catch(() => undefined)),
	);
	return found.filter((execution) => execution !== undefined);
}
