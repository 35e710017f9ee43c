import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { passTime, startClock } from '../../support/clock.mts';
import { bytesInUse } from '../../support/heap.mts';
import { useBench } from '../../support/n8nCore/contactData.mts';
import { ServiceInProcess } from '../../support/n8nCore/inProcess.mts';
import { callWebhookInProcess } from '../../support/n8nCore/webhook.mts';
import { KINDS, MAX_READS, notify, submitInProcess, trigger } from './trigger.mts';

const BODIES = 2_000;
/** Looks at what may be readable a little later: of two ids, three times. */
const MORE_READS = 6;

const bench = useBench({ single: 0, bulk: 0 });

afterEach(() => void vi.useRealTimers());

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
	startClock();
	const service = new ServiceInProcess({ single: 0, bulk: 0 });
	service.latencyMs = 0;
	const { credentials } = service;
	const stranger = service.service.addAccount('other');
	const foreign = submitInProcess(service, 'emailFinderBulk', stranger);
	const decoy = submitInProcess(service, 'emailFinderBulk');
	const statuses = new Map<number | undefined, number>();
	const bodies = fc.oneof(
		{ weight: 8, arbitrary: notification },
		{ weight: 1, arbitrary: notification.map((body) => ({ body, data: { id: foreign } })) },
		{ weight: 1, arbitrary: notification.map((body) => ({ custom: { id: decoy, body } })) },
	);
	await fc.assert(
		fc.asyncProperty(bodies, query, async (body, asked) => {
			const before = service.looks.length;
			const call = { node: service.wire(trigger), credentials, body, query: asked };
			const { response, ...result } = await passTime(callWebhookInProcess(call), 31_000);
			statuses.set(response?.status, (statuses.get(response?.status) ?? 0) + 1);
			expect(result).toMatchObject({ noWebhookResponse: true, workflowData: undefined });
			expect(result.error).toBeUndefined();
			expect([400, 404]).toContain(response?.status);
			expect(response?.body).toHaveProperty('message');
			expect(service.looks.length - before).toBeLessThanOrEqual(MAX_READS + MORE_READS);
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
	{ name: 'an id of 16 MB', body: JSON.stringify({ id: 'x'.repeat(16 * MB) }) },
	{ name: 'JSON in a text of 8 MB', body: JSON.stringify({ data: `[${'0,'.repeat(4 * MB)}0]` }) },
	{ name: 'a million entries', body: `[${'{"a":1},'.repeat(1e6)}1]` },
	{
		name: 'half a million keys',
		body: `{${[...Array(5e5).keys()].map((n) => `"k${n}":[{}]`).join()}}`,
	},
	{ name: 'a hundred thousand levels', body: nested(1e5) },
	{ name: 'a hundred thousand lists in lists', body: '['.repeat(1e5) + ']'.repeat(1e5) },
])('$name is answered with 400', async ({ body }) => {
	const headers = { 'content-type': 'application/json' };
	const answer = await notify(bench(), body, { headers });
	expect(answer.response?.status).toBe(400);
});

it('a flood leaves none of what it sent in memory', async () => {
	const service = new ServiceInProcess();
	service.latencyMs = 0;
	const node = service.wire(trigger);
	const { credentials } = service;
	const CALLS = 300;
	const BODY_BYTES = 200_000;
	let floods = 0;
	const run = async () => {
		floods++;
		const sent = Array.from({ length: CALLS }, async (_, n) => {
			const text = Buffer.alloc(BODY_BYTES, `${floods} ${n} `).toString('latin1');
			const body = { id: `flood-${floods}-${n}`, text };
			return await callWebhookInProcess({ node, credentials, body });
		});
		const calls = await Promise.all(sent);
		expect(calls.every(({ workflowData }) => workflowData === undefined)).toBe(true);
		service.requests.length = 0;
	};
	// The first one warms up.
	await run();
	const before = await bytesInUse();
	await run();
	expect(((await bytesInUse()) - before) / (CALLS * BODY_BYTES)).toBeLessThan(0.2);
});
