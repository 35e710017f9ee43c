import type { FastifyReply } from 'fastify';
import type { INodeParameters, INodeType } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { contactData, useBench } from '../../support/n8nCore/contactData.mts';
import { runWorkflow } from '../../support/n8nCore/workflow.mts';
import { people } from '../../support/people.mts';
import { pauseInN8n } from './callingN8n.mts';
import { resultsOf, Suspended } from './suspended.mts';

// No callback comes: the process looks by itself, and calls n8n. When, `unit/pausing/lookAfter.test.mts` says.

/** Over before n8n has saved the parked execution, if n8n is slow. */
const JOB_MS = 500;

const bench = useBench({ single: JOB_MS, webhooks: { send: 'none' } });
useFastClock();

const find = (options?: INodeParameters, executionId?: string) =>
	new Suspended(
		bench(),
		'emailFinder',
		'submitAndWait',
		{ items: people(1), options },
		executionId,
	);

const CALL = { path: '/webhook-waiting/7/contact-data', key: undefined };
const FOUND = [{ found: true, email: 'mustfind.number.0@acme.example' }];

it('a lookup that ends while n8n parks the execution comes out, and n8n is called without the key', async () => {
	const paused = await pauseInN8n(find());
	expect(resultsOf(await paused.resumedWithin(180_000))).toMatchObject(FOUND);
	expect(paused.calls).toEqual([CALL]);
});

describe('n8n is called again, at its own address, where it', () => {
	it.for<[string, (reply: FastifyReply) => void]>([
		['gives an answer that does not end', trickle],
		['sends the call elsewhere', (reply) => void reply.redirect('/elsewhere', 307)],
	])('%s', async ([, answer]) => {
		const paused = await pauseInN8n(find(), { insteadOfN8n: [answer] });
		expect(resultsOf(await paused.resumedWithin(180_000))).toMatchObject(FOUND);
		expect(paused.calls).toEqual([CALL, CALL]);
	});
});

/** Comes byte by byte, and does not end. */
function trickle(reply: FastifyReply): void {
	reply.hijack();
	reply.raw.writeHead(200);
	const goOn = () => {
		if (reply.raw.destroyed) return;
		reply.raw.write('.');
		setTimeout(goOn, 5_000);
	};
	goOn();
}

it('an execution that is stopped while n8n saves it leaves the others looked at', async () => {
	bench().sandbox.configure({ single: 60_000 });
	const paused = await pauseInN8n(find());
	const { node, workflow } = find({ searchAgain: true }, 'stopped');
	const stop = new AbortController();
	// Its connection is the latest of the credential.
	const stopping: INodeType = {
		description: contactData.description,
		async execute() {
			const output = await contactData.execute.call(this);
			stop.abort();
			return output;
		},
	};
	const nodes = workflow.nodes.map((one) => (one === node ? { ...one, node: stopping } : one));
	const run = await runWorkflow({ ...workflow, nodes, signal: stop.signal });
	expect(run.status).toBe('canceled');
	expect(resultsOf(await paused.resumedWithin(180_000))).toMatchObject(FOUND);
});
