import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { runAgent } from '../../support/n8nCore/agent.mts';
import { expectNoKey, jsonOf, type Given, useBench } from '../../support/n8nCore/contactData.mts';
import { WRONG_EMAIL } from '../../support/people.mts';
import { expectChargedOnce, idsCharged, newAccount, statusesOf } from '../spending/money.mts';
import {
	keyMissing,
	nameAndCompanyMissing,
	noDomain,
	noResultForItem,
} from '../../support/texts.mts';

// What goes wrong is an answer that a model can act on, and does not end the agent.

const bench = useBench();
useFastClock();

const MCP = '@n8n/n8n-nodes-langchain.mcpTrigger';
const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const VERIFY = { email: "={{ $fromAI('email', 'the address', 'string') }}" };

interface Called extends Given {
	parent?: string;
}

/** One call by an agent before version 3, or by an MCP client. */
async function call(
	resource: string,
	args: IDataObject,
	{ parent, ...given }: Called,
	operation = 'submitAndWait',
) {
	const tool = bench().node(resource, operation, given);
	const { answers } = await runAgent(tool, [args], {
		credentials: given.credentials ?? bench().credentials,
		parent,
	});
	return answers[0] ?? {};
}

/** A list for one call: they have their names, and are in the same company. */
const searchesFor = (names: string[]) =>
	JSON.stringify(
		names.map((name) => ({ fullname: `${name} Mustfind`, company_domain: 'acme.example' })),
	);

describe('an answer that says what is missing, and how to mend it', () => {
	it.for<[operation: string, parameters: INodeParameters, error: string]>([
		['submitAndWait', {}, nameAndCompanyMissing],
		['submitAndWait', { fullname: 'Ada', companyDomain: 'Acme' }, `'Company Domain' ${noDomain}`],
		['submitBulkAndWait', { inputMode: 'array', searches: '' }, "'Searches'"],
		['getResult', {}, "'Search ID' is empty"],
		['getBulkResult', {}, "'Batch ID' is empty"],
	])('%s with %j', async ([operation, parameters, error]) => {
		const run = await bench().run('emailFinder', operation, { parameters, tool: 'requested' });
		const [answer] = jsonOf(run);
		expect(answer?.error).toContain(error);
		expect(answer?.error).toMatch(/Fill in|Correct '|Give /);
		bench().expectNothingSubmitted();
	});
});

it.for([
	['each batch', false, '"credits_spent":3'],
	['what may have been charged', true, '"searches_maybe_charged":2'],
] as const)('a call that has failed altogether tells %s', async ([, isLost, told]) => {
	bench().sandbox.configure({ scenarios: ['batchFailed'] });
	if (isLost) bench().sandbox.faults.add({ kind: 'reset', when: 'after', on: 'POST *', skip: 1 });
	const given = {
		parameters: { inputMode: 'array', searches: searchesFor(['Ada', 'Bob', 'Cy']) },
		// Its price is not known yet, so one search goes before the others.
		options: { maxCredits: 100 },
		credentials: newAccount(bench()).credentials,
	};
	const { answer } = await call('emailFinder', {}, given, 'submitBulkAndWait');
	const ids = idsCharged(bench());
	expect(ids).toHaveLength(2);
	for (const id of isLost ? ids.slice(0, 1) : ids) expect(answer).toContain(id);
	expect(answer).toContain(told);
});

it('a call that fails before anything is sent tells what the calls before it have spent', async () => {
	const verify = async (given: Given) =>
		await bench().run('emailVerifier', 'submitAndWait', { tool: 'requested', ...given });
	const first = await verify({ parameters: { email: 'mustfind.spent@acme.com' } });
	expect(jsonOf(first)).toMatchObject([{ found: true, credits_spent: 0.25 }]);
	const second = await verify({
		parameters: { email: 'mustfind.more@acme.com' },
		options: { maxCredits: 'many' },
		contextData: first.contextData,
		flowData: first.flowData,
	});
	expect(jsonOf(second)).toMatchObject([
		{ error: expect.stringContaining("'Max Credits'") as string, credits_spent: 0.25 },
	]);
});

describe.for(['invoked', 'requested', 'inline'] as const)('a tool that is %s', (tool) => {
	const refuse = (status: number, message: string) =>
		bench().sandbox.faults.add({ kind: 'status', status, body: { message }, on: 'POST *' });

	it.for<[string, () => unknown, Given]>([
		['Insufficient credits', () => refuse(402, 'Insufficient credits'), {}],
		['This apikey is not valid', () => refuse(401, 'This apikey is not valid'), {}],
		["'Max Credits' must be a number", () => {}, { options: { maxCredits: 'many' } }],
		[keyMissing, () => {}, { credentials: { contactDataApi: { apiKey: '' } } }],
	])('answers "%s", and how to mend it', async ([error, prepare, given]) => {
		prepare();
		const parameters = { email: 'ada@acme.com' };
		const run = await bench().run('emailVerifier', 'submitAndWait', { parameters, tool, ...given });
		const [answer] = jsonOf(run);
		expect(answer?.error).toMatch(new RegExp(`^${error}.*\\. \\w`));
		expectNoKey(answer, bench().sandbox.apiKey);
	});

	it("fails where 'On Error' is Stop Workflow by choice", async () => {
		const run = await bench().run('emailVerifier', 'submitAndWait', {
			parameters: { email: WRONG_EMAIL },
			settings: { onError: 'stopWorkflow' },
			tool,
		});
		expect(run.error).toHaveProperty('message', expect.stringContaining("'Email' must be"));
	});
});

it.for([undefined, MCP])(
	'a failing call is answered at once, also with Retry On Fail: called by %s',
	async (parent) => {
		bench().sandbox.faults.add({ kind: 'status', status: 418, on: 'POST *', times: Infinity });
		const given = { parameters: VERIFY, settings: RETRY_ON_FAIL, parent };
		const answer = await call('emailVerifier', { email: 'ada@acme.com' }, given);
		expect(answer.error).toBeUndefined();
		expect(answer.answer).toContain('"error"');
		expect(statusesOf(bench().sandbox)).toEqual([418]);
	},
);

it('a client gets what there is, where only a part has failed', async () => {
	bench().sandbox.configure({ scenarios: ['leavesOutNotFound'] });
	const parameters = {
		inputMode: 'array',
		verifications: ['mustfind1@acme.com', 'notfound2@acme.com'],
	};
	const { answer } = await call('emailVerifier', {}, { parameters }, 'submitBulkAndWait');
	expect(answer).toContain('"found":true');
	expect(answer).toContain(`is finished, but ${noResultForItem}`);
	expectChargedOnce(bench(), 2);
});
