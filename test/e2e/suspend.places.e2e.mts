import { describe, expect, it } from 'vitest';

import type { Execution } from '../support/n8n/execution.mts';
import { useHarness } from '../support/n8n/harness.mts';
import { lacks } from '../support/n8n/lacks.mts';
import type { Sandbox, SandboxOptions } from '../support/sandbox/server.mts';
import { CALLBACK_PATH, withService } from './parked.mts';
import * as places from './places.mts';

const harness = useHarness();

/** In n8n 1 the caller goes on with the items that it gave. */
const CALLER_GETS_NONE = lacks('the results of a paused sub-workflow for its caller');

const CALLED_BACK: SandboxOptions = { single: 500 };
/** The process that has parked the executions finds the results. */
const CALLBACKS_LOST: SandboxOptions = { single: 500, webhooks: { send: 'none' } };

describe.each([
	['is called back', CALLED_BACK],
	['is resumed although its callbacks are lost', CALLBACKS_LOST],
])('a suspending node %s', (_, service) => {
	it.concurrent.for([
		['in a sub-workflow, whose caller waits', places.inSubWorkflow, 3],
		['in a loop', places.inLoop, 3],
		['twice in a row', places.twiceInARow, 6],
		['in two branches', places.inTwoBranches, 6],
		['where two branches meet', places.whereTwoBranchesMeet, 3],
		['after a Wait', places.afterWait, 3],
	] as const)('%s', async ([, run, searches], { skip }) => {
		skip(CALLER_GETS_NONE && run === places.inSubWorkflow);
		await withService(harness, service, async (sandbox, credential) => {
			const execution = await run({ n8n: harness.n8n, credential });
			expect(execution.error).toBeUndefined();
			expect(execution.status).toBe('success');
			expectPaired(execution, sandbox);
			expect(sandbox.ledger.entries).toHaveLength(searches);
			expect(sandbox.ledger.chargedTwice()).toEqual([]);
			expectSuspended(sandbox);
		});
	});
});

/** Each lead has its own results at the end, none twice. */
function expectPaired(execution: Execution, { ledger }: Sandbox): void {
	const runs = execution.data.resultData.runData.After ?? [];
	const given = runs.flatMap(({ data }) => data?.main[0] ?? []).map(({ json }) => json);
	const ends = ledger.entries.slice(-given.length);
	expect(given.map(({ id }) => id).sort()).toEqual(ends.map(({ id }) => id).sort());
	for (const { n, id } of given) {
		const search = ledger.entries.find((entry) => entry.id === id)?.searches.join();
		expect(search).toMatch(new RegExp(`number\\W${Number(n)}\\b`));
	}
}

/** It did not poll: it asked to be called back. */
function expectSuspended({ requests }: Sandbox): void {
	for (const { body } of requests.filter(({ method }) => method === 'POST')) {
		expect(body).toHaveProperty('settings.webhook', expect.stringMatching(CALLBACK_PATH));
	}
}
