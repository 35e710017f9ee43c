import { randomUUID } from 'node:crypto';
import fastify, { type FastifyInstance } from 'fastify';
import type { INodeParameters, INodeType } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { toAccount } from '../../../nodes/ContactData/service/account.ts';
import {
	noteCallback,
	trustInCallbacks,
} from '../../../nodes/ContactData/suspension/callbackTrust.ts';
import { register } from '../../../nodes/ContactData/suspension/register.ts';
import { useFastClock } from '../../support/clock.mts';
import { contactData, useBench } from '../../support/n8nCore/contactData.mts';
import { runWorkflow } from '../../support/n8nCore/workflow.mts';
import { people } from '../../support/people.mts';
import { Watch } from '../../support/sandbox/watch.mts';
import { expectAnswer, notify } from '../trigger/trigger.mts';
import { notFinishedYet } from '../../support/texts.mts';
import { Suspended } from './suspended.mts';

const HOUR_MS = 3_600_000;
/** Over before n8n has saved the parked execution, if n8n is slow. */
const JOB_MS = 500;

const bench = useBench({ single: JOB_MS, webhooks: { send: 'none' } });
useFastClock();

/** Stands for n8n's own server: what it answers to calls of the resume URL, and what came. */
let n8n: FastifyInstance;
let waitingBaseUrl: string;
let answers: number[];
/** Comes byte by byte, and does not end. */
const ENDLESS = -1;
/** To another place. */
const REDIRECT = 307;
let calls: Array<{ path: string; key: unknown }>;
/** What n8n does before it answers. */
let resumeIt: () => Promise<unknown>;
const watch = new Watch();

beforeEach(async () => {
	answers = [];
	calls = [];
	resumeIt = async () => {};
	n8n = fastify();
	n8n.post('*', async ({ url, headers }, reply) => {
		calls.push({ path: url.split('?')[0] ?? '', key: headers['x-api-key'] });
		watch.notify();
		await resumeIt();
		const answer = answers.shift() ?? 200;
		if (answer === REDIRECT) return await reply.redirect('/elsewhere', 307);
		if (answer !== ENDLESS) return await reply.code(answer).send();
		reply.hijack();
		reply.raw.writeHead(200);
		const goOn = () => {
			if (reply.raw.destroyed) return;
			reply.raw.write('.');
			setTimeout(goOn, 5_000);
		};
		goOn();
	});
	waitingBaseUrl = `${await n8n.listen({ port: 0, host: '127.0.0.1' })}/webhook-waiting`;
});
afterEach(async () => {
	n8n.server.closeAllConnections();
	await n8n.close();
});

const CALL = { path: '/webhook-waiting/7/contact-data', key: undefined };

async function park(count = 1, options?: INodeParameters): Promise<void> {
	const items = people(count);
	const { workflow } = new Suspended(bench(), 'emailFinder', 'submitAndWait', { items, options });
	expect((await runWorkflow({ ...workflow, waitingBaseUrl })).status).toBe('waiting');
}

const callsToCome = async (count: number) =>
	await watch.until(() => calls.length === count, 180_000);

it('a lookup that ends right before the Timeout comes out, too', async () => {
	bench().sandbox.configure({ single: 99_000 });
	await park(1, { timeout: 100 });
	await callsToCome(1);
	expect(calls).toEqual([CALL]);
});

describe('a lookup that ends while n8n parks the execution, and whose callback is refused', () => {
	it('is seen soon, and the execution called, without the key', async () => {
		await park(3);
		await callsToCome(1);
		expect(calls).toEqual([CALL]);
	});

	it('is called again while n8n has not saved the execution, or is too busy', async () => {
		answers = [409, 503];
		await park();
		await callsToCome(3);
		expect(calls).toEqual([CALL, CALL, CALL]);
	});

	it('is called again when an answer does not end', async () => {
		answers = [ENDLESS];
		await park();
		await callsToCome(2);
		expect(calls).toEqual([CALL, CALL]);
	});

	it('is called again at its own address when n8n sends the call elsewhere', async () => {
		answers = [REDIRECT];
		await park();
		await callsToCome(2);
		expect(calls).toEqual([CALL, CALL]);
	});

	it('is called once more when n8n has taken the call, which tells that it is over', async () => {
		answers = [200, 409];
		await park();
		await callsToCome(2);
		const looks = bench().looks.length;
		await new Promise((resolve) => setTimeout(resolve, HOUR_MS));
		expect(calls).toEqual([CALL, CALL]);
		expect(bench().looks).toHaveLength(looks);
	});
});

it('a lookup whose callback is missing counts once, where the call for it resumes the execution in this process', async () => {
	const { apiKey, baseUrl } = bench().sandbox;
	const { fingerprint } = toAccount(apiKey, baseUrl, 50);
	const execution = new Suspended(bench(), 'emailFinder', 'submitAndWait', { items: people(1) });
	const { parked } = await runWorkflow({ ...execution.workflow, waitingBaseUrl });
	if (parked === undefined) throw new Error('Not parked');
	for (let times = 0; times < 20; times++) noteCallback(fingerprint, true);
	expect(trustInCallbacks(fingerprint)).toBe('arriving');
	const resumed: unknown[] = [];
	resumeIt = async () => {
		resumed.push((await execution.call(parked)).resumed);
		watch.notify();
	};
	await watch.until(() => resumed.length === 1, 180_000);
	expect(resumed[0]).toBeDefined();
	await new Promise((resolve) => setTimeout(resolve, 1_000));
	expect(trustInCallbacks(fingerprint)).toBe('unknown');
});

it('an execution that is stopped while n8n saves it leaves the others looked at', async () => {
	await park();
	const { node, workflow } = new Suspended(
		bench(),
		'emailFinder',
		'submitAndWait',
		{ items: people(1) },
		'stopped',
	);
	onTestFinished(() => register.forget('stopped'));
	const stop = new AbortController();
	const stopping: INodeType = {
		description: contactData.description,
		async execute() {
			const output = await contactData.execute?.call(this);
			stop.abort();
			return output ?? [];
		},
	};
	const nodes = workflow.nodes.map((one) => (one === node ? { ...one, node: stopping } : one));
	const run = await runWorkflow({ ...workflow, nodes, waitingBaseUrl, signal: stop.signal });
	expect(run.status).toBe('canceled');
	await callsToCome(2);
	expect(calls).toContainEqual(CALL);
});

it.for([
	[[2, 30], 30],
	[[30, 2], 30],
	[[30, undefined], 30],
	[[0, undefined], undefined],
] as const)(
	'batches that the service estimates at %j minutes are looked at as the longest of them says',
	async ([estimates, longest]) => {
		for (const minutes of estimates) {
			const body = { id: randomUUID(), credits_used: 0.25, estimated_duration: minutes };
			bench().sandbox.faults.add({
				on: 'POST /email/verify/bulk',
				kind: 'status',
				status: 200,
				body,
			});
		}
		const parked = vi.spyOn(register, 'add');
		onTestFinished(() => parked.mockRestore());
		const items = estimates.map((_, n) => ({ verifications: [`mustfind.${n}@acme.com`] }));
		const { workflow } = new Suspended(bench(), 'emailVerifier', 'submitBulkAndWait', {
			items,
			parameters: { inputMode: 'array', verifications: '={{ $json.verifications }}' },
		});
		expect((await runWorkflow({ ...workflow, waitingBaseUrl })).status).toBe('waiting');
		expect(parked.mock.lastCall?.[0].estimateMs).toBe(
			longest === undefined ? undefined : longest * 60_000,
		);
	},
);

it('a lookup that still runs later on is seldom looked at, and the execution not called', async () => {
	bench().sandbox.configure({ single: 600_000 });
	await park(3);
	const looks = bench().looks.length;
	await new Promise((resolve) => setTimeout(resolve, 60_000));
	// In a minute, of three lookups.
	expect(bench().looks.length - looks).toBeLessThanOrEqual(10);
	expect(calls).toEqual([]);
});

it('a notification to a trigger that comes too early resumes nothing that waits for the lookup', async () => {
	bench().sandbox.configure({ single: HOUR_MS });
	await park();
	const [{ id } = { id: '' }] = bench().sandbox.ledger.entries;
	expectAnswer(await notify(bench(), { id }), 503, notFinishedYet);
	await new Promise((resolve) => setTimeout(resolve, 60_000));
	expect(calls).toEqual([]);
});

it('a notification to a trigger resumes what is parked for the same lookup at once', async () => {
	bench().sandbox.configure({ single: HOUR_MS });
	await park();
	await bench().sandbox.waitFor(() => bench().looks.length === 1, 60_000);
	bench().sandbox.service.finish();
	const [{ id } = { id: '' }] = bench().sandbox.ledger.entries;
	const notifiedAt = Date.now();
	const { workflowData } = await notify(bench(), { id });
	expect(workflowData).toBeDefined();
	await callsToCome(1);
	expect(calls).toEqual([CALL]);
	expect(Date.now() - notifiedAt).toBeLessThan(1_000);
	// That of the trigger is enough.
	expect(bench().looks).toHaveLength(2);
});
