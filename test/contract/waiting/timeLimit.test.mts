import { describe, expect, it } from 'vitest';
import { skipTime, useFastClock } from '../../support/clock.mts';
import type { Given } from '../../support/n8nCore/contactData.mts';
import { jsonOf, shownError, textIn, useBench } from '../../support/n8nCore/contactData.mts';
import { setValue, start } from '../../support/n8nCore/testNodes.mts';
import { callWebhook } from '../../support/n8nCore/webhook.mts';
import type { WorkflowOptions } from '../../support/n8nCore/workflow.mts';
import { resumeWorkflow, runWorkflow } from '../../support/n8nCore/workflow.mts';
import { addresses, MAIL } from '../spending/money.mts';
import {
	alreadyPaidFor,
	keptRunning,
	nothingCharged,
	notFinishedInTime,
} from '../../support/texts.mts';

// n8n ends an execution at the time limit of its workflow, or at its own, and then no item comes out.
// Both are one time to the node.

const DAY_S = 86_400;
const LIMIT_S = 120;

const bench = useBench({ single: DAY_S * 1000, bulk: DAY_S * 1000 });
useFastClock();

const SOME_SECONDS_BEFORE = { least: 5, most: 15 };
const timeLimit = /n8n's time limit for this execution/;

const limited = (seconds: number): Pick<Given, 'workflowSettings'> => ({
	workflowSettings: { executionTimeout: seconds },
});

/** Runs it, and tells how many seconds before the limit it has ended. */
async function run(operation: string, options: Given['options'], given: Given = {}) {
	const begin = Date.now();
	const ran = await bench().run('emailVerifier', operation, {
		parameters: { email: 'mustfind@acme.example', ...given.parameters },
		options: { timeout: 600, ...options },
		...limited(LIMIT_S),
	});
	return { ran, left: LIMIT_S - (Date.now() - begin) / 1000 };
}

function expectEndedBefore(left: number): void {
	expect(left).toBeGreaterThanOrEqual(SOME_SECONDS_BEFORE.least);
	expect(left).toBeLessThanOrEqual(SOME_SECONDS_BEFORE.most);
}

const idOf = () => String(bench().sandbox.ledger.entries[0]?.id);

describe.for(['submitAndWait', 'submitBulkAndWait'])(
	'%s ends before the time limit',
	(operation) => {
		it('with the error of a timeout, which says why', async () => {
			const { ran, left } = await run(operation, {});
			expectEndedBefore(left);
			const { message, description } = shownError(ran, bench().sandbox.apiKey);
			expect(message).toMatch(timeLimit);
			expect(description).toContain(`${alreadyPaidFor}: ${idOf()}`);
			expect(description).toContain("raise the time limit: 'Timeout After'");
		});

		it('with ongoing items, and a hint', async () => {
			const { ran, left } = await run(operation, { onTimeout: 'output' });
			expectEndedBefore(left);
			const [item] = jsonOf(ran);
			expect(item).toMatchObject({ status: 'ongoing' });
			expect(item?.batch_id ?? item?.search_id).toBe(idOf());
			expect(ran.hints.map(({ message }) => message).join()).toMatch(timeLimit);
		});

		it('and not where its Timeout is over before', async () => {
			const { ran, left } = await run(operation, { timeout: 30 });
			expect(left).toBeGreaterThan(80);
			expect(shownError(ran, bench().sandbox.apiKey).message).toContain(
				`${notFinishedInTime} 30 s`,
			);
		});
	},
);

it('sending ends before the time limit, and all ids come out', async () => {
	const begin = Date.now();
	const { apiKey, baseUrl } = bench().sandbox;
	const ran = await bench().run('emailVerifier', 'submit', {
		parameters: MAIL,
		items: addresses(900),
		credentials: { contactDataApi: { apiKey, baseUrl } },
		settings: { onError: 'continueRegularOutput' },
		...limited(40),
	});
	expectEndedBefore(40 - (Date.now() - begin) / 1000);
	const items = jsonOf(ran);
	const ids = items.flatMap(({ search_id: id }) => id ?? []);
	expect(ids).toHaveLength(bench().posts.length);
	expect(ids.length).toBeLessThan(900);
	expect(items.at(-1)?.error).toMatch(timeLimit);
	expect(items.at(-1)?.error).toContain(nothingCharged);
});

it('a wait for an ID ends before the time limit', async () => {
	const submitted = await bench().run('emailVerifier', 'submit', {
		parameters: { email: 'mustfind@acme.example' },
	});
	const parameters = { lookupId: textIn(jsonOf(submitted)[0], 'search_id') };
	const { ran, left } = await run('getResult', { waitForResult: true }, { parameters });
	expectEndedBefore(left);
	expect(shownError(ran, bench().sandbox.apiKey).message).toMatch(timeLimit);
});

describe('a pause', () => {
	const NODE = 'Contact Data';
	const verifier = (name = NODE) => ({
		...bench().node('emailVerifier', 'submitAndWait', {
			parameters: { email: `mustfind.${name.length}@acme.example`, waitMode: 'suspend' },
			options: { timeout: DAY_S },
		}),
		name,
	});
	const workflow = (limitSeconds: number, ...nodes: WorkflowOptions['nodes']): WorkflowOptions => ({
		nodes: [start([{ n: 1 }]), ...nodes, setValue('After', '={{ $json.search_id }}')],
		credentials: bench().credentials,
		executionId: '7',
		mode: 'trigger',
		...limited(limitSeconds),
	});
	const secondsFrom = (begin: number, end: Date | undefined) => (Number(end) - begin) / 1000;

	it('ends before the time limit: the ongoing item comes out, and a hint says it at once', async () => {
		const begin = Date.now();
		const options = workflow(3_600, verifier());
		const paused = await runWorkflow(options);
		expectEndedBefore(3_600 - secondsFrom(begin, paused.waitTill));
		const hints = paused.tasks(NODE).flatMap((task) => task.hints ?? []);
		expect(hints.map(({ message }) => message).join()).toMatch(timeLimit);
		if (paused.parked === undefined) throw new Error('Not paused');
		skipTime(3_590_000);
		const resumed = await resumeWorkflow(options, paused.parked);
		expect(resumed.items(NODE).map(({ json }) => json)).toMatchObject([
			{ search_id: idOf(), status: 'ongoing' },
		]);
	});

	it('is none where the time limit is near: it keeps running, and ends before', async () => {
		const begin = Date.now();
		const run = await runWorkflow(workflow(190, verifier()));
		expectEndedBefore(190 - (Date.now() - begin) / 1000);
		const hints = run.tasks(NODE).flatMap((task) => task.hints ?? []);
		expect(hints.map(({ message }) => message).join()).toContain(keptRunning);
		expect(run.items(NODE).map(({ json }) => json)).toMatchObject([{ status: 'ongoing' }]);
	});

	/** A callback resumes the first node after ten minutes. */
	async function pauseAndGoOn(
		options: WorkflowOptions,
		first: ReturnType<typeof verifier>,
		heldUpMs = 0,
	) {
		const { parked } = await runWorkflow(options);
		skipTime(600_000);
		bench().sandbox.service.finish();
		const { credentials } = bench();
		const call = await callWebhook({ ...first, credentials, parked, body: {} });
		if (call.resumed === undefined) throw new Error('Not resumed');
		skipTime(heldUpMs);
		return await resumeWorkflow(options, call.resumed);
	}

	it('that follows another one ends before the limit of the whole, as n8n counts it then', async () => {
		const begin = Date.now();
		const first = verifier();
		const options = workflow(3_600, first, verifier('Second'));
		const second = await pauseAndGoOn(options, first);
		expect(second.status).toBe('waiting');
		expectEndedBefore(3_600 - secondsFrom(begin, second.waitTill));
	});

	describe('with a wait behind it', () => {
		const second = () => ({
			...bench().node('emailVerifier', 'submitAndWait', {
				parameters: { email: 'mustfind.second@acme.example' },
				options: { timeout: DAY_S, onTimeout: 'output' },
			}),
			name: 'Second',
		});

		it('both end before the limit of the whole', async () => {
			const begin = Date.now();
			const first = verifier();
			const run = await pauseAndGoOn(workflow(3_600, first, second()), first);
			expect(run.items('Second').map(({ json }) => json)).toMatchObject([{ status: 'ongoing' }]);
			expectEndedBefore(3_600 - (Date.now() - begin) / 1000);
		});

		it('the wait has the limit that n8n gives anew, where the first one is over', async () => {
			const begin = Date.now();
			const first = verifier();
			const run = await pauseAndGoOn(workflow(900, first, second()), first, 600_000);
			expect(run.items('Second').map(({ json }) => json)).toMatchObject([{ status: 'ongoing' }]);
			expectEndedBefore(600 + 600 + 900 - (Date.now() - begin) / 1000);
		});
	});
});
