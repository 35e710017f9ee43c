import fc from 'fast-check';
import { WebhookContext } from 'n8n-core';
import type { IWebhookResponseData } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { useBench } from '../../support/n8nCore/contactData.mts';
import { createAdditionalData, createWorkflow } from '../../support/n8nCore/environment.mts';
import { webhookDataOf } from '../../support/n8nCore/webhook.mts';
import { KINDS, notify, submit, trigger } from './trigger.mts';

const BODIES = 10_000;
const MAX_READS = 6;

const bench = useBench({ single: 0, bulk: 0, keepRequests: Infinity });
const reads = () => bench().sandbox.requests.length;

/**
 * Calls the trigger in n8n's own context as `callWebhook` does, but without a connection to it:
 * ten thousand of them would take minutes. The service is asked over HTTP all the same.
 */
async function call(body: unknown, query: Record<string, string>) {
	const entry = { node: trigger };
	const { credentials } = bench();
	const workflow = createWorkflow([entry], {}, { credentials });
	const additionalData = createAdditionalData('trigger', { credentials });
	const answer: { status?: number; body?: unknown } = {};
	const response = {
		status: (status: number) => Object.assign(response, { statusCode: (answer.status = status) }),
		json: (value: unknown) => Object.assign(response, { ended: (answer.body = value) }),
	};
	Object.assign(additionalData, {
		httpRequest: { body, query, headers: {} },
		httpResponse: response,
	});
	const [node] = Object.values(workflow.nodes);
	const data = webhookDataOf(entry, additionalData, false);
	const context = new WebhookContext(workflow, node, additionalData, 'trigger', data, [], null);
	const result: IWebhookResponseData = await trigger.webhook.call(context);
	return { result, answer };
}

const json = fc.jsonValue({ maxDepth: 4 });
const idKey = fc.constantFrom(
	'id',
	'_id',
	'search_id',
	'batchId',
	'uuid',
	'data',
	'general',
	'payload',
	'custom',
	'results',
	'__proto__',
	'constructor',
	'toString',
	'event',
);
const anyId = fc.oneof(
	fc.uuid(),
	fc.string({ unit: 'binary', maxLength: 300 }),
	fc.double(),
	fc.integer(),
	fc.constantFrom('../account/info', '&id=1', '%00', '\ud800', '', ' ', 'null', 'NaN', '{}', '['),
);
const { body: notification } = fc.letrec((tie) => ({
	body: fc.oneof(
		{ maxDepth: 6, withCrossShrink: true },
		anyId,
		json,
		fc.array(tie('body'), { maxLength: 6 }),
		fc
			.array(
				fc.tuple(
					fc.oneof({ weight: 3, arbitrary: idKey }, { weight: 1, arbitrary: fc.string() }),
					tie('body'),
				),
				{ maxLength: 6 },
			)
			// As JSON.parse gives it: `__proto__` is a field like any other.
			.map((entries) => {
				const value = {};
				for (const [key, inner] of entries)
					Object.defineProperty(value, key, {
						value: inner,
						enumerable: true,
						configurable: true,
						writable: true,
					});
				return value;
			}),
		tie('body').map((value) => JSON.stringify(value)),
	),
}));
const query = fc.oneof(
	fc.constant({}),
	fc.record({ event: fc.constantFrom(...KINDS, 'nonsense', '__proto__') }),
	fc.record({ id: fc.string() }),
);

it(`${BODIES} bodies: none starts the workflow, each is answered, with few reads`, async () => {
	const other = bench().sandbox.service.addAccount('other');
	const foreign = await submit(bench().sandbox, 'emailFinderBulk', {}, other);
	const decoy = await submit(bench().sandbox, 'emailFinderBulk');
	const statuses = new Map<number | undefined, number>();
	const bodies = fc.oneof(
		{ weight: 8, arbitrary: notification },
		{ weight: 1, arbitrary: notification.map((body) => ({ body, data: { id: foreign } })) },
		{ weight: 1, arbitrary: notification.map((body) => ({ custom: { id: decoy, body } })) },
	);
	await fc.assert(
		fc.asyncProperty(bodies, query, async (body, asked) => {
			const before = reads();
			const { result, answer } = await call(body, asked);
			statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
			expect(result).toEqual({ noWebhookResponse: true });
			expect([400, 404]).toContain(answer.status);
			expect(answer.body).toHaveProperty('message');
			expect(reads() - before).toBeLessThanOrEqual(MAX_READS);
			expect(Object.prototype).not.toHaveProperty('id');
		}),
		{ numRuns: BODIES },
	);
	// Both answers were given often, so the bodies were neither all void nor all alike.
	expect(Math.min(statuses.get(400) ?? 0, statuses.get(404) ?? 0)).toBeGreaterThan(BODIES / 20);
});

const MB = 1024 * 1024;
const nested = (depth: number) => `${'{"data":'.repeat(depth)}{"id":"deep"}${'}'.repeat(depth)}`;

it.for([
	{ name: 'a text of 16 MB', body: JSON.stringify('x'.repeat(16 * MB)) },
	{ name: 'an id of 16 MB', body: JSON.stringify({ id: 'x'.repeat(16 * MB) }) },
	{ name: 'a key of 8 MB', body: JSON.stringify({ ['a'.repeat(8 * MB)]: 'x' }) },
	{ name: 'JSON in a text of 8 MB', body: JSON.stringify({ data: `[${'0,'.repeat(4 * MB)}0]` }) },
	{ name: 'a million entries', body: `[${'{"a":1},'.repeat(1e6)}1]` },
	{ name: 'a million ids', body: `{"data":[${'{"id":"x y"},'.repeat(1e6)}1]}` },
	{
		name: 'half a million keys',
		body: `{${[...Array(5e5).keys()].map((n) => `"k${n}":[{}]`).join()}}`,
	},
	{ name: 'a hundred thousand levels', body: nested(1e5) },
	{ name: 'a hundred thousand lists in lists', body: '['.repeat(1e5) + ']'.repeat(1e5) },
	{ name: 'spaces', body: JSON.stringify({ data: ' '.repeat(8 * MB), id: ' ' }) },
])('$name is answered with 400', async ({ body }) => {
	const headers = { 'content-type': 'application/json' };
	const answer = await notify(bench(), body, { headers });
	expect(answer.response?.status).toBe(400);
});

it('thousands of different ids cause few reads', async () => {
	const ids = [...Array(5000).keys()].map((id) => ({ id, search_id: `s${id}`, data: { id: -id } }));
	const answer = await notify(bench(), ids);
	expect(answer.response?.status).toBe(404);
	expect(reads()).toBe(MAX_READS);
});

it('a flood: every call is answered, the memory stays bounded, and later calls are as ever', async () => {
	const calls = await Promise.all(
		[...Array(300).keys()].map(async (n) => await notify(bench(), { id: `flood-${n}` })),
	);
	// 503 where the machine is too busy to ask the service for all of them in time.
	const statuses = new Set(calls.map(({ response }) => response?.status));
	expect([404, 503]).toEqual(expect.arrayContaining([...statuses]));
	expect(calls.every(({ staticData }) => Object.keys(staticData).length === 0)).toBe(true);

	const later = await notify(bench(), { id: 'later' });
	expect(later.response?.status).toBe(404);
});
