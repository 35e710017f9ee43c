import { setTimeout as delay } from 'node:timers/promises';

import type { Execution } from '../../support/n8n/execution.mts';
import { STARTING } from '../../support/n8n/n8n.mts';
import type { FaultRule } from '../../support/sandbox/faults.mts';
import type { Sandbox, SandboxOptions } from '../../support/sandbox/server.mts';
import { publishListener } from './listener.mts';
import { findWorkflow, idsStarted } from './outcome.mts';
import type { Stage } from './stage.mts';

/** Over when the test says so: not before n8n is ended, however long it takes to get there. */
const LOOKUP_MS = 3_600_000;
const REDELIVERY = { retries: 300, retryDelayMs: 1_000, notReady: STARTING };
const REACH_MS = 60_000;
const CATCH_MS = 60_000;

/** A step of the life cycle, held so that n8n can be ended in the middle of it. */
export interface Step {
	readonly name: string;
	readonly sandbox: SandboxOptions;
	/** Whether n8n has saved its ids by then, so that none of them may be lost. */
	readonly isSaved?: boolean;
	/** What holds it. */
	readonly hold: readonly FaultRule[];
	/** Goes there, and gives the execution that is in it, where there is one. */
	readonly reach: (stage: Stage) => Promise<string | undefined>;
}

const looked = ({ requests }: Sandbox) => requests.some(({ query }) => query.id !== undefined);

/** Starts a wait, and stops where it shows on the wire. */
const running =
	(isThere: (sandbox: Sandbox) => boolean): Step['reach'] =>
	async (stage) => {
		const { n8n, sandbox } = stage;
		const id = await n8n.api.startWorkflow(findWorkflow(stage, { operation: 'submitAndWait' }));
		await sandbox.waitFor(() => isThere(sandbox), REACH_MS);
		return id;
	};

const sandbox: SandboxOptions = { single: LOOKUP_MS, webhooks: REDELIVERY };

export const STEPS: readonly Step[] = [
	{
		name: 'before submitting',
		sandbox,
		hold: [{ on: 'GET /account/info', kind: 'hang', times: Infinity }],
		reach: running(({ requests }) => requests.some(({ fault }) => fault === 'hang')),
	},
	{
		name: 'while submitting',
		sandbox,
		hold: [{ on: 'POST *', kind: 'delay', ms: 120_000, skip: 2, times: Infinity }],
		reach: running(({ requests }) => requests.some(({ fault }) => fault === 'delay')),
	},
	{ name: 'waiting by poll', sandbox, hold: [], reach: running(looked) },
	{
		name: 'parked',
		sandbox,
		isSaved: true,
		hold: [],
		reach: async (stage) => {
			const { api } = stage.n8n;
			const waiting = { operation: 'submitAndWait', waitMode: 'suspend' };
			const id = await api.startWorkflow(findWorkflow(stage, waiting));
			await api.waitForStatus(id, (status) => status === 'waiting', { timeoutMs: REACH_MS });
			return id;
		},
	},
	{
		name: 'while a trigger call is followed up',
		sandbox: { ...sandbox, single: 500 },
		hold: [{ on: 'GET /email/*', kind: 'delay', ms: 60_000, times: Infinity }],
		reach: async ({ sandbox: service }) => {
			await fetch(`${service.baseUrl}/email/find/single`, {
				method: 'POST',
				headers: { 'content-type': 'application/json', 'x-api-key': service.apiKey },
				body: JSON.stringify({ fullname: 'mustfind number 0', company_domain: 'acme.example' }),
			});
			await service.waitFor(() => looked(service), REACH_MS);
			return undefined;
		},
	},
];

/** The safety net: a trigger whose URL the account has registered. */
export interface Net {
	/**
	 * Waits until it has started with each of these ids, or long enough, and gives the executions.
	 * What it has not heard of is for `checkMoney` to report.
	 */
	readonly caught: (ids: readonly string[]) => Promise<Execution[]>;
}

export async function spreadNet({ n8n, sandbox: service, credential }: Stage): Promise<Net> {
	const { api, url: webhookUrl } = n8n;
	const listener = await publishListener({ api, webhookUrl }, credential, service);
	return {
		caught: async (ids) => {
			let executions: Execution[] = [];
			const isHeard = async () => {
				executions = await listener.executions();
				const heard = idsStarted(executions);
				return ids.every((id) => heard.includes(id));
			};
			for (const end = Date.now() + CATCH_MS; !(await isHeard()) && Date.now() < end;) {
				await delay(1_000);
			}
			return executions;
		},
	};
}
