import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { contactData, useBench } from '../../support/n8nCore/contactData.mts';
import { listSearch } from '../../support/n8nCore/listSearch.mts';
import { watchLog } from '../../support/n8nCore/log.mts';
import type { Answers, Reply } from '../../support/standIn.mts';
import { runBefore, useStandIn } from '../answers/standIn.mts';
import { Suspended } from '../pausing/suspended.mts';
import { notify, submit } from '../trigger/trigger.mts';

// A service, or a server before it, that repeats the API key it was sent, wherever it can.

useFastClock();
const standIn = useStandIn();
const bench = useBench({ single: 0 });

/** It has what writers of JSON and of URLs spell otherwise. */
const KEY = 'k3y/With+All=Of&It';
const SPELLINGS = [
	KEY,
	// As PHP and .NET write JSON.
	KEY.replaceAll('/', '\\/'),
	KEY.replaceAll('+', '\\u002B').replaceAll('&', '\\u0026'),
	encodeURIComponent(KEY),
];
/** In the text of a body the key stands here in each spelling, as no writer of JSON spells it anew. */
const HERE = 'KEY-IS-HERE';

function filled({ body, ...reply }: Reply): Reply {
	const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
	return { ...reply, body: text.replaceAll(HERE, SPELLINGS.join(' ')) };
}

/** In fields, in their names, in lists and in what they hold. */
const seen = {
	seen: `the key ${HERE}!`,
	[HERE]: HERE,
	deep: [{ by: [HERE] }],
	url: `/x?k=${HERE}`,
};
const RESULT = {
	...{ email: `${HERE}@acme.example`, qualification: 'valid', custom: HERE },
	info: { fullname: `Ada ${HERE}`, gender: HERE },
	...seen,
};
const BATCH = {
	general: { id: 'abc-1', status: 'completed', custom: HERE },
	stats: { requested: 1, valid: 1, note: HERE },
	results: [{ index: '0', ...RESULT, raw_params: { fullname: 'Ada', company_domain: HERE } }],
};
const FAILED = { status: 'failed', message: `No luck with ${HERE}`, ...seen };

type Case = [what: string, operations: string[], answers: Partial<Record<keyof Answers, Reply>>];

/** What is answered, to the operation that asks. */
const CASES: Case[] = [
	[
		'receipt',
		['submit', 'submitBulk'],
		{ post: { body: { id: 'abc-1', credits_used: 1, message: HERE, ...seen } } },
	],
	...[401, 429, 500].map((status): Case => {
		const body = { message: `Key ${HERE}`, ...seen };
		const post = { status, headers: { 'retry-after': '3600' }, body };
		return [`refusal ${status}`, ['submit', 'submitBulkAndWait'], { post }];
	}),
	['JSON that breaks off', ['submit'], { post: { body: `{"${HERE}":"${HERE}","id":"x-1` } }],
	['page', ['submit'], { post: { body: `<html>${HERE}</html>` } }],
	['result', ['submitAndWait', 'getResult'], { get: { body: RESULT } }],
	['results', ['submitBulkAndWait', 'getBulkResult'], { get: { body: BATCH } }],
	[
		'failed batch',
		['submitBulkAndWait', 'getBulkResult'],
		{ get: { body: { ...BATCH, ...FAILED, general: FAILED } } },
	],
	[
		'unknown word',
		['submitBulkAndWait', 'getBulkResult'],
		{ get: { body: { status: HERE, message: HERE } } },
	],
	[
		'account',
		['getInfo'],
		{ account: { body: { credits: 1, webhooks: [`https://a.example/${HERE}`], ...seen } } },
	],
];

/** Asserts that the key is in no form in which a value is saved, logged or shown; gives what is saved. */
function expectTakenOut(left: unknown, spellings: readonly string[] = SPELLINGS): string {
	const saved = JSON.stringify(left);
	for (const text of [saved, inspect(left, { depth: Infinity, showHidden: true })]) {
		for (const spelling of spellings) expect(text).not.toContain(spelling);
	}
	return saved;
}

const RUNS = CASES.flatMap(([what, operations, answers]) =>
	operations.flatMap((operation) =>
		(['stopWorkflow', 'continueRegularOutput'] as const).map((onError) => ({
			...{ what, operation, answers, onError },
		})),
	),
);

it.for(RUNS)('$what, $operation, $onError', async ({ operation, answers, onError }) => {
	const log = watchLog();
	const replies = Object.entries(answers).map(([to, reply]) => [to, filled(reply)]);
	standIn.say(Object.fromEntries(replies) as Answers);
	const resource = operation === 'getInfo' ? 'account' : 'emailFinder';
	const run = await runBefore(standIn, resource, operation, {
		credentials: { contactDataApi: { ...standIn.credential, apiKey: KEY } },
		items: [{ name: 'Ada' }],
		parameters: {
			...{ fullname: '={{ $json.name }}', companyDomain: 'acme.example', simplify: false },
			...{ lookupId: 'abc-1', batchId: 'abc-1' },
		},
		options: operation.endsWith('Wait') ? { timeout: 20, searchAgain: true } : {},
		settings: { onError },
	});
	const { error } = run;
	const told = error instanceof Error && { ...error, message: error.message, stack: error.stack };
	expect(expectTakenOut([run, told, log])).toContain('[API key]');
});

it("the list of the 'Webhook' option", async () => {
	standIn.say({ account: filled({ body: { webhooks: [`https://a.example/${HERE}`] } }) });
	const credentials = { contactDataApi: { ...standIn.credential, apiKey: KEY } };
	const list = await listSearch({ node: contactData, credentials, method: 'searchWebhooks' });
	expect(expectTakenOut(list)).toContain('[API key]');
});

describe('where every answer repeats it', () => {
	function repeat(): string[] {
		const { apiKey, faults } = bench().sandbox;
		const change = (body: object) => ({ ...body, custom: apiKey, seen: apiKey });
		for (const on of ['POST *', 'GET /email/verify/single'] as const) {
			faults.add({ on, kind: 'changed', change, times: Infinity });
		}
		return [apiKey];
	}

	it('a pause: what n8n saves, and what comes out', async () => {
		const log = watchLog();
		const keys = repeat();
		const execution = new Suspended(bench(), 'emailVerifier', 'submitAndWait', {
			items: [{ email: 'mustfind@acme.example' }],
			parameters: { simplify: false },
		});
		const parked = await execution.park();
		expect(expectTakenOut([parked.data, log], keys)).toContain('[API key]');
		const run = await execution.resume(parked);
		expect(expectTakenOut([run.items('Contact Data'), log], keys)).toContain('[API key]');
	});

	it('a trigger: what starts the workflow, and what n8n saves', async () => {
		const log = watchLog();
		const keys = repeat();
		const id = await submit(bench().sandbox, 'emailVerifierSingle');
		const call = await notify(bench(), { id }, { parameters: { simplify: false } });
		const left = [call.workflowData, call.staticData, log];
		expect(expectTakenOut(left, keys)).toContain('[API key]');
	});
});
