import fastify, { type FastifyInstance } from 'fastify';
import type { INodeParameters, INodeType } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { skipTime, useFastClock } from '../../support/clock.mts';
import { contactData, useBench } from '../../support/n8nCore/contactData.mts';
import { answerOfN8n, asksForN8n } from '../../support/n8nCore/playedN8n.mts';
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
const watch = new Watch();

beforeEach(async () => {
	answers = [];
	calls = [];
	n8n = fastify();
	n8n.post('*', async ({ url, headers }, reply) => {
		if (asksForN8n(url)) return await reply.code(404).send(answerOfN8n(url).body);
		calls.push({ path: url.split('?')[0] ?? '', key: headers['x-api-key'] });
		watch.notify();
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

	it.for<[string, number[]]>([
		['has not saved the execution yet, and then is too busy', [409, 503]],
		['gives an answer that does not end', [ENDLESS]],
		['sends the call elsewhere: at its own address', [REDIRECT]],
	])('is called again when n8n %s', async ([, first]) => {
		const expected = [...first, 200].map(() => CALL);
		answers = [...first];
		await park();
		await callsToCome(expected.length);
		expect(calls).toEqual(expected);
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

it('callbacks that come seconds before their results, all together, are made up for within seconds', async () => {
	bench().sandbox.configure({ single: HOUR_MS });
	const execution = new Suspended(bench(), 'emailFinder', 'submitAndWait', { items: people(3) });
	const { parked } = await runWorkflow({ ...execution.workflow, waitingBaseUrl });
	if (parked === undefined) throw new Error('Not parked');
	const [{ at } = { at: 0 }] = bench().sandbox.ledger.entries;
	skipTime(at + HOUR_MS - 2_500 - Date.now());
	const answers = await Promise.all([1, 2, 3].map(async () => await execution.call(parked)));
	expect(answers.map(({ resumed }) => resumed)).toEqual([undefined, undefined, undefined]);
	await callsToCome(1);
	expect(calls).toEqual([CALL]);
	expect(Date.now() - at - HOUR_MS).toBeLessThan(5_000);
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
});
