import { expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { GENEROUS, jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { isMissing } from '../../support/n8nCore/missing.mts';
import { runEngineAgent } from '../../support/n8nCore/agent.mts';
import { WRONG_EMAIL } from '../../support/people.mts';
import { expectChargedOnce, somebody } from '../spending/money.mts';
import { callWasOver, notReadable } from '../../support/texts.mts';

// Agents from version 3 on have n8n's engine run the tool, with all settings of the node.

const bench = useBench();
useFastClock();

const EMAIL = "={{ $fromAI('email', 'the address', 'string') }}";

async function verify(emails: string[], settings = {}) {
	const tool = bench().node('emailVerifier', 'submitAndWait', {
		parameters: { email: EMAIL },
		settings,
	});
	const calls = emails.map((email) => ({ email }));
	return await runEngineAgent(tool, calls, { credentials: bench().credentials });
}

it.for([
	{},
	{ executeOnce: true },
	{ onError: 'continueRegularOutput' },
	{ alwaysOutputData: true },
	{ retryOnFail: true, waitBetweenTries: 1 },
])('the model reads results, and what is wrong and how to mend it, with %j', async (settings) => {
	const { observations, run } = await verify([WRONG_EMAIL, somebody()], settings);
	expect(run.status).toBe('success');
	expect(observations[0]).toContain(`'Email' ${notReadable}`);
	expect(observations[0]).toContain('save the file as UTF-8');
	expect(observations[1]).toContain('"found":true');
	expectChargedOnce(bench(), 1);
});

it('what n8n tries again is paid and counted once', async () => {
	const on = 'GET /email/verify/single';
	const body = { message: 'Could not retrieve single verification results' };
	bench().sandbox.faults.add({ kind: 'status', status: 500, body, on, times: 5 });
	const { observations } = await verify([somebody()], { retryOnFail: true, waitBetweenTries: 1 });
	expectChargedOnce(bench(), 1);
	expect(observations[0]).toContain('"found":true');
	expect(observations[0]).toContain('"credits_spent":0.25');
});

it('nothing is started where n8n would lose the answer', async () => {
	const { observations } = await verify([somebody()], { onError: 'continueErrorOutput' });
	bench().expectNothingSubmitted();
	// There n8n gives the model its own arguments as the answer of a tool that has failed.
	if (isMissing('errors as answers of tools')) return;
	expect(observations[0]).toContain('n8n would lose the answer of this tool');
});

it('a run of very many items is answered in time, and no id is lost', async () => {
	const { sandbox } = bench();
	sandbox.configure({ single: 3_600_000 });
	const apiKey = sandbox.service.addAccount('slow', { requestsPerSecond: 4 });
	const { contactDataApi } = bench().credentials;
	const begin = performance.now();
	const run = await bench().run('emailVerifier', 'submitAndWait', {
		parameters: { email: '={{ $json.email }}' },
		items: Array.from({ length: 300 }, () => ({ email: somebody() })),
		options: GENEROUS,
		credentials: { contactDataApi: { ...contactDataApi, apiKey, requestsPerSecond: 4 } },
		tool: 'requested',
	});
	expect(performance.now() - begin).toBeLessThanOrEqual(60_000);
	const { entries } = sandbox.ledger;
	// 45 seconds at four a second.
	expect(entries.length).toBeGreaterThan(160);
	expect(entries.length).toBeLessThan(200);
	expect(sandbox.ledger.chargedTwice()).toEqual([]);
	const read = JSON.stringify(jsonOf(run));
	expect(entries.filter(({ id }) => !read.includes(id))).toEqual([]);
	expect(jsonOf(run)[0]).toMatchObject({
		results: 300,
		failed: 300 - entries.length,
		first_error: expect.stringContaining(callWasOver) as string,
	});
});
