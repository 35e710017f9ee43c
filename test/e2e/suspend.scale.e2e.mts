// @module-tag long
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ExecutionStatus } from 'n8n-workflow';
import { expect, it } from 'vitest';

import type { ExecutionSummary } from '../support/n8n/api.mts';
import { contactData, editFields, triggeredChain } from '../support/n8n/workflows.mts';
import { credentialFor, useHarness } from '../support/n8n/harness.mts';
import { people } from '../support/people.mts';

/** `CONTACT_DATA_PARKED=1000` parks as many at once; it takes about eight minutes. */
const COUNT = Number(process.env.CONTACT_DATA_PARKED ?? 150);
const STARTS_AT_ONCE = 10;
/** Longer than the test: it says when the lookups are over. */
const UNTIL_TOLD_MS = 3_000_000;
/** Over which the results come: n8n takes a tenth of a second of work for each callback. */
const SPREAD_MS = 200 * COUNT;
const MEGABYTE = 1024 ** 2;

const harness = useHarness();

const PAGE_LENGTH = 100;

interface Page {
	results: ExecutionSummary[];
	count: number;
	/** Not there in early 2.x, where the last id says where the next page begins. */
	nextCursor?: string | null;
}

async function list(workflowId: string, status: ExecutionStatus, next = {}): Promise<Page> {
	const filter = JSON.stringify({ workflowId, status: [status] });
	const query = new URLSearchParams({ filter, limit: String(PAGE_LENGTH), ...next });
	return await harness.n8n.api.rest<Page>('GET', `executions?${query}`);
}

function nextPage({ results, nextCursor }: Page): object | undefined {
	if (typeof nextCursor === 'string') return { cursor: nextCursor };
	const isLast = nextCursor === null || results.length < PAGE_LENGTH;
	return isLast ? undefined : { lastId: results.at(-1)?.id };
}

async function untilCount(workflowId: string, status: ExecutionStatus): Promise<void> {
	for (let count = 0; count < COUNT;) {
		await delay(1_000);
		({ count } = await list(workflowId, status));
	}
}

it(`${COUNT} executions parked at once are all resumed`, async () => {
	const { n8n, sandbox } = harness;
	const { api } = n8n;
	sandbox.configure({ single: UNTIL_TOLD_MS });
	const account = sandbox.service.account();
	account.requestsPerSecond = 1_000;
	account.credits = Math.max(account.credits, 100 * COUNT);
	const { data, ...rest } = credentialFor(sandbox, 'Fast');
	const credential = await api.importCredential({
		...rest,
		data: { ...data, requestsPerSecond: 100 },
	});
	const path = randomUUID();
	const workflowId = await api.importWorkflow(
		triggeredChain(
			'Many',
			{
				name: 'Webhook',
				type: 'n8n-nodes-base.webhook',
				typeVersion: 2,
				parameters: { httpMethod: 'POST', path, options: {} },
				webhookId: path,
			},
			contactData('Find', credential, {
				resource: 'emailFinder',
				operation: 'submitAndWait',
				waitMode: 'suspend',
				fullname: '={{ $json.body.fullname }}',
				companyDomain: 'acme.example',
				options: { timeout: 3_600 },
			}),
			editFields('After', { fullname: "={{ $('Webhook').item.json.body.fullname }}" }),
		),
	);
	await api.activate(workflowId);
	const before = await n8n.memory();

	const begin = Date.now();
	const leads = people(COUNT);
	const left = leads.values();
	const starter = async () => {
		for (const { fullname } of left) {
			const answer = await fetch(`${n8n.url}webhook/${path}`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ fullname }),
			});
			expect(answer.status).toBe(200);
		}
	};
	await Promise.all(Array.from({ length: STARTS_AT_ONCE }, starter));
	await untilCount(workflowId, 'waiting');
	const parkedAfter = Date.now() - begin;
	const parked = await n8n.memory();

	const told = Date.now();
	sandbox.service.finish(({ searches }) => {
		const number = Number(/number (\d+)/.exec(searches[0]?.canonical ?? '')?.[1]);
		return (SPREAD_MS * number) / COUNT;
	});
	await untilCount(workflowId, 'success');
	const resumedAfter = Date.now() - told - SPREAD_MS;
	const after = await n8n.memory();

	const seen: unknown[] = [];
	let next: object | undefined = {};
	while (next !== undefined) {
		const page = await list(workflowId, 'success', next);
		for (const { id } of page.results) {
			const items = (await api.getExecution(id)).json('After');
			expect(items).toHaveLength(1);
			seen.push(items[0].fullname);
		}
		next = nextPage(page);
	}
	expect(seen).toHaveLength(COUNT);
	expect(new Set(seen)).toEqual(new Set(leads.map(({ fullname }) => fullname)));
	const searched = sandbox.ledger.entries.flatMap(({ searches }) => searches);
	expect(searched).toHaveLength(COUNT);
	expect(new Set(searched).size).toBe(COUNT);
	const refused = sandbox.deliveries.filter(({ outcome }) => outcome !== 200).length;
	const megabytes = (bytes: number) => `${Math.round(bytes / MEGABYTE)} MB`;
	console.log(
		`${COUNT} parked at once after ${Math.round(parkedAfter / 1_000)} s; n8n's memory ${megabytes(before)} before, ${megabytes(parked)} with all of them parked, ${megabytes(after)} after; all resumed ${Math.round(resumedAfter / 1_000)} s after the last result; ${refused} callbacks not answered with 200`,
	);
}, 3_000_000);
