// @module-tag long
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';

import { flood, publishRefusingWebhook } from '../support/n8n/flood.mts';
import { useHarness } from '../support/n8n/harness.mts';
import { memoryDuring } from '../support/n8n/memory.mts';
import {
	notify,
	saveListener,
	startLookup,
	startsOf,
	triggerUrlOf,
	waitForStart,
} from '../support/n8n/trigger.mts';

const CALLS = 300;
const MB = 1024 * 1024;
/** Each answer may take long: n8n is busy with the other calls. */
const PAUSE_MS = 1_000;
const MOST_TRIES = 60;
/** It takes 250 MB for so many calls of its own; where it takes hardly any, this much. */
const LEAST_MB = 100;
/** 1.4 to 2.6 were measured, and 12 to 16 where all calls are followed up at once. */
const OF_N8N_ITSELF = 4;

const harness = useHarness();

it(`${CALLS} strangers at once are not all held in memory, and keep nobody out`, async () => {
	const { n8n, sandbox, credential } = harness;
	sandbox.configure({ single: 0 });
	const stage = { n8n: { ...n8n, webhookUrl: n8n.url }, credential };
	const refusing = await publishRefusingWebhook(n8n);
	const workflowId = await saveListener(stage, 'flooded');
	await n8n.api.activate(workflowId);
	const url = await triggerUrlOf(stage.n8n, workflowId);
	const lookup = await startLookup(sandbox, 'https://elsewhere.example/');

	// Both as new: what a process has once taken it does not give back at once.
	const restart = async () => {
		await n8n.restart();
		await expect.poll(async () => (await notify(url, {})).status, { timeout: 30_000 }).toBe(400);
	};
	await restart();
	const own = await memoryDuring(n8n, async () => await flood(refusing, CALLS));
	expect(own.result).toEqual({ 403: CALLS });
	await restart();

	const readsOf = () => sandbox.requests.filter(({ query }) => query.id !== undefined).length;
	const before = readsOf();
	const ours = await memoryDuring(n8n, async () => {
		const strangers = flood(url, CALLS);
		const statuses: number[] = [];
		do {
			await delay(PAUSE_MS);
			const body = JSON.stringify({ id: lookup });
			const headers = { 'content-type': 'application/json' };
			const answer = await fetch(`${url}?event=phoneFinderSingle`, {
				method: 'POST',
				headers,
				body,
			});
			statuses.push(answer.status);
		} while (statuses.at(-1) === 503 && statuses.length < MOST_TRIES);
		return { statuses, strangers: await strangers };
	});
	const { statuses, strangers } = ours.result;
	const [ownMb, oursMb] = [own, ours].map(({ idle, peak }) => Math.round((peak - idle) / MB));
	console.log(
		`${CALLS} calls: n8n's own ${ownMb} MB, the trigger ${oursMb} MB over rest; strangers ${JSON.stringify(strangers)}, ${readsOf() - before} reads; the true one ${statuses.join()}`,
	);
	// Those that are followed up get a 404, where the service has answered in time.
	expect(Object.keys(strangers)).toContain('503');
	expect(['404', '503']).toEqual(expect.arrayContaining(Object.keys(strangers)));
	expect(statuses.at(-1)).toBe(200);
	const started = await waitForStart(n8n.api, workflowId);
	expect(started.json('After')).toEqual([{ event: 'phoneFinderSingle', id: lookup }]);
	expect(await startsOf(n8n.api, workflowId)).toHaveLength(1);
	expect(oursMb / Math.max(ownMb, LEAST_MB)).toBeLessThanOrEqual(OF_N8N_ITSELF);
});
