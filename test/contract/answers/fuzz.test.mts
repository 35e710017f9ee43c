import fc from 'fast-check';
import type { IDataObject, IHttpRequestOptions, INodeType } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LookupName } from '../../../nodes/ContactData/lookups/index.ts';
import { passTime, startClock } from '../../support/clock.mts';
import { contactData } from '../../support/n8nCore/contactData.mts';
import { runNode, type RunNodeResult } from '../../support/n8nCore/execute.mts';
import { items as leads, LOOKUP_NAMES, parametersOf } from '../../support/searches.mts';

const RUNS = 1_000;
const DAY_MS = 86_400_000;

/** An answer of a service that has lost its mind. */
interface Answer {
	statusCode: number;
	headers: Record<string, string>;
	body: string;
}

/** The node over a service that answers from a list, again and again. */
function over(answers: (options: IHttpRequestOptions, count: number) => Answer): INodeType {
	let count = 0;
	return {
		description: contactData.description,
		async execute() {
			this.helpers.httpRequestWithAuthentication = async (_type, options) =>
				await Promise.resolve(answers(options, count++));
			return await contactData.execute.call(this);
		},
	};
}

let keys = 0;
/** A key of its own for each run: no pace and no price is known from another one. */
const credentials = () => ({
	contactDataApi: {
		apiKey: `fuzz-${++keys}`,
		baseUrl: 'https://api.example.com',
		requestsPerSecond: 10,
	},
});

const PEOPLE = leads('person.0', 'person.1', 'person.2');
const OPERATIONS = [
	'submit',
	'submitBulk',
	'submitAndWait',
	'submitBulkAndWait',
	'getResult',
	'getBulkResult',
];

interface Call {
	resource: LookupName;
	operation: string;
	onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	simplify?: boolean;
	items?: IDataObject[];
	options?: IDataObject;
}

async function run(
	node: INodeType,
	{ resource, operation, onError, items, options, ...call }: Call,
) {
	return await passTime(
		runNode({
			node,
			parameters: {
				resource,
				operation,
				simplify: call.simplify ?? true,
				...parametersOf(resource),
				lookupId: 'asked-for',
				batchId: 'asked-for',
				options: { ...(operation.endsWith('Wait') && { timeout: 20 }), ...options },
			} as IDataObject as RunParameters,
			items: items ?? PEOPLE,
			settings: { onError },
			credentials: credentials(),
		}),
		DAY_MS,
	);
}
type RunParameters = NonNullable<Parameters<typeof runNode>[0]['parameters']>;

const BUILT_IN = Object.getOwnPropertyNames(Object.prototype).sort();

function expectUnpolluted() {
	expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(BUILT_IN);
	expect(Object.getOwnPropertyNames(Array.prototype)).not.toContain('polluted');
	expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
}

/** All that the user, n8n and a later try have of a run. */
function left({ items, error, contextData }: RunNodeResult): string {
	const told = error instanceof Error ? [error.message, descriptionOf(error)] : [];
	return JSON.stringify([items.map(({ json }) => json), told, contextData]);
}

function descriptionOf(error: Error): unknown {
	return 'description' in error ? error.description : '';
}

function expectClear({ error, items }: RunNodeResult) {
	if (error === undefined) {
		expect(items.every(({ json }) => typeof json === 'object')).toBe(true);
		return;
	}
	if (!(error instanceof Error)) throw new Error('What was thrown is no error');
	expect(error.name).toMatch(/^Node(Api|Operation)Error$/);
	expect(error.message.trim()).not.toBe('');
	expect(error.message).not.toMatch(/is not a function|Cannot read|call stack|undefined/);
}

beforeEach(startClock);
afterEach(() => void vi.useRealTimers());

const hostileKey = fc.constantFrom(
	'__proto__',
	'constructor',
	'prototype',
	'toString',
	'hasOwnProperty',
);
const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value));
const field = fc.oneof(
	hostileKey,
	fc.constantFrom(
		...['id', 'status', 'state', 'general', 'stats', 'results', 'qualification', 'index', 'email'],
		...['credits', 'credits_used', 'credits_cost', 'estimated_duration', 'finished', 'requested'],
		...['message', 'reason', 'error', 'params', 'raw_params', 'custom', 'info', 'webhooks'],
	),
);
const scalar = fc.oneof(
	fc.constantFrom('"ongoing"', '"completed"', '"failed"', '"valid"', '"found"', 'null', 'true'),
	fc.constantFrom('-1', '0', '1e308', '-0', '9007199254740993', '""', '"__proto__"', '[]', '{}'),
	json,
);
/** JSON text, so that `__proto__` is a field like any other. */
const { body: hostile } = fc.letrec<{ body: string }>((tie) => ({
	body: fc.oneof(
		{ maxDepth: 4, withCrossShrink: true },
		scalar,
		fc.array(tie('body'), { maxLength: 4 }).map((entries) => `[${entries.join(',')}]`),
		fc
			.array(fc.tuple(field, tie('body')), { maxLength: 6 })
			.map((entries) => `{${entries.map(([key, value]) => `"${key}":${value}`).join(',')}}`),
	),
}));
const text = fc.oneof(
	{ weight: 8, arbitrary: hostile },
	{ weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
	{ weight: 1, arbitrary: hostile.map((body) => body.slice(0, body.length / 2)) },
);
const status = fc.oneof(
	{ weight: 6, arbitrary: fc.constantFrom(200, 201) },
	{ weight: 1, arbitrary: fc.constantFrom(202, 204, 301, 400, 401, 402, 404, 418, 500, 503) },
	// Many of them would only make the run wait.
	{ weight: 1, arbitrary: fc.constantFrom(429) },
);
const headers = fc.constantFrom<Record<string, string>>(
	{},
	{ 'retry-after': '1' },
	{ 'retry-after': '\0' },
);
const answer: fc.Arbitrary<Answer> = fc.record({ statusCode: status, headers, body: text });
/** A receipt as it should be, but for what else is in it. */
const receipt = hostile.map(
	(other) => (id: string) => `{"other":${other},"id":"${id}","credits_used":1}`,
);

describe('whatever the service answers', () => {
	const call = fc.record({
		resource: fc.constantFrom(...LOOKUP_NAMES),
		operation: fc.constantFrom(...OPERATIONS),
		onError: fc.constantFrom(
			'stopWorkflow' as const,
			'continueRegularOutput' as const,
			'continueErrorOutput' as const,
		),
		simplify: fc.boolean(),
	});

	it(`${RUNS} runs end, say what happened, and lose no id`, async () => {
		await fc.assert(
			fc.asyncProperty(
				call,
				fc.array(answer, { minLength: 1, maxLength: 12 }),
				receipt,
				fc.boolean(),
				async (asked, answers, toReceipt, accepts) => {
					const given: string[] = [];
					const node = over(({ method, url }, count) => {
						if (url.endsWith('/account/info') && accepts) {
							return { statusCode: 200, headers: {}, body: '{"credits":100}' };
						}
						if (method === 'POST' && accepts && count % 2 === 0) {
							const id = `given-out-${keys}-${count}`;
							given.push(id);
							return { statusCode: 200, headers: {}, body: toReceipt(id) };
						}
						return answers[count % answers.length] ?? { statusCode: 500, headers: {}, body: '' };
					});
					const result = await run(node, asked);
					expectClear(result);
					expectUnpolluted();
					const rest = left(result);
					expect(given.filter((id) => !rest.includes(id))).toEqual([]);
				},
			),
			{ numRuns: RUNS },
		);
	});
});

const HOSTILE =
	'{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}},"prototype":{"polluted":3}}';

describe('keys that JavaScript has other uses for', () => {
	const single = `{"email":"a@acme.example","qualification":"valid","custom":${HOSTILE},"info":{"companyInfo":${HOSTILE}},"__proto__":{"polluted":4}}`;
	const batch = `{"general":{"id":"asked-for","status":"completed","custom":${HOSTILE}},"stats":{},"results":[${single},${single}],"__proto__":${HOSTILE}}`;
	const answering = (body: string) => () => ({ statusCode: 200, headers: {}, body });

	it.for([
		{ operation: 'getResult', body: single, options: {}, count: 1 },
		{ operation: 'getBulkResult', body: batch, options: {}, count: 2 },
		{ operation: 'getBulkResult', body: batch, options: { waitForResult: true }, count: 2 },
	])(
		'$operation $options: come out as they came in',
		async ({ operation, body, options, count }) => {
			const asked = {
				resource: 'emailFinder',
				operation,
				onError: 'stopWorkflow',
				simplify: false,
				options,
			} as const;
			const result = await run(over(answering(body)), { ...asked, items: [{}] });
			expect(result.error).toBeUndefined();
			expectUnpolluted();
			expect(result.items).toHaveLength(count);
			for (const { json: item } of result.items) {
				const out = JSON.stringify(item);
				expect(out).toContain(`"custom":${HOSTILE}`);
				expect(out).toContain(`"companyInfo":${HOSTILE}`);
				expect(out).toContain('"__proto__":{"polluted":4}');
			}
		},
	);

	it('in what the user sends along, and in the fields of an item', async () => {
		const sent: unknown[] = [];
		const node = over(({ url, body }) => {
			if (url.endsWith('info')) return { statusCode: 200, headers: {}, body: '{"credits":9}' };
			sent.push(body);
			return { statusCode: 200, headers: {}, body: '{"id":"__proto__","credits_used":1}' };
		});
		const item = JSON.parse(
			`{"who":"Ada","own":${HOSTILE},"__proto__":{"polluted":5}}`,
		) as IDataObject;
		const result = await run(node, {
			resource: 'emailFinder',
			operation: 'submit',
			onError: 'stopWorkflow',
			items: [item],
			options: { custom: HOSTILE, includeInputFields: true },
		});
		expect(result.error).toBeUndefined();
		expectUnpolluted();
		expect(JSON.stringify(sent)).toContain(`"custom":${HOSTILE}`);
		expect(result.items).toMatchObject([{ json: { search_id: '__proto__', status: 'ongoing' } }]);
		expect(JSON.stringify(result.items[0]?.json.own)).toBe(HOSTILE);
	});
});

describe('sizes', () => {
	const MB = 1024 ** 2;
	const long = (bytes: number) => `"${'x'.repeat(bytes)}"`;
	const odd = [
		{ what: 'a text of 10 MB', value: long(10 * MB) },
		{ what: 'a million entries', value: `[${'0,'.repeat(1e6)}0]` },
	];

	it.for([
		...OPERATIONS.map((operation) => ({ operation, statusCode: 200 })),
		{ operation: 'submit', statusCode: 400 },
		{ operation: 'getResult', statusCode: 500 },
	])('$operation, $statusCode', async ({ operation, statusCode }) => {
		const bodies = odd.flatMap(({ value }) => [value, `{"message":${value},"custom":${value}}`]);
		for (const body of bodies) {
			const node = over(({ url }) =>
				url.endsWith('info')
					? { statusCode: 200, headers: {}, body: '{"credits":9}' }
					: { statusCode, headers: {}, body },
			);
			const result = await run(node, {
				resource: 'emailVerifier',
				operation,
				onError: 'stopWorkflow',
			});
			expectClear(result);
			const { error } = result;
			if (error instanceof Error) {
				expect(error.message.length).toBeLessThan(2_000);
				expect(String(descriptionOf(error)).length).toBeLessThan(2_000);
			} else {
				// What says something else than the results of a batch counts as running; a batch is one item.
				const asked = operation === 'getBulkResult' ? PEOPLE.slice(0, 1) : PEOPLE;
				expect(result.items.map(({ json: { status } }) => status)).toEqual(
					asked.map(() => 'ongoing'),
				);
			}
		}
	});

	it.for(odd)('a receipt and a result with $what: are taken', async ({ value }) => {
		const node = over(({ url, method }) => {
			const body = url.endsWith('info')
				? '{"credits":9}'
				: method === 'POST'
					? `{"id":"one","credits_used":1,"extra":${value}}`
					: `{"qualification":"valid","email":"person.0@acme.example","custom":${value}}`;
			return { statusCode: 200, headers: {}, body };
		});
		const asked = { resource: 'emailVerifier', operation: 'submitAndWait' } as const;
		const result = await run(node, {
			...asked,
			onError: 'stopWorkflow',
			items: PEOPLE.slice(0, 1),
		});
		expect(result.error).toBeUndefined();
		expect(result.items).toMatchObject([{ json: { search_id: 'one', found: true } }]);
	});
});
