import { describe, expect, it } from 'vitest';

import { readExample } from '../support/n8n/examples.mts';
import { problemsOf, readOutcome } from '../support/n8n/leads.mts';
import { credentialFor, useHarness } from '../support/n8n/harness.mts';

const harness = useHarness();

interface NodeType {
	name: string;
	displayName: string;
}

describe('the packed package in a real n8n', () => {
	it('offers its nodes', async () => {
		const answer = await fetch(`${harness.n8n.url}types/nodes.json`, {
			headers: harness.n8n.api.headers,
		});
		const types = (await answer.json()) as NodeType[];
		const ours = types.filter(({ name }) => name.startsWith('n8n-nodes-contact-data.'));
		expect(ours.map(({ displayName }) => displayName)).toEqual(
			expect.arrayContaining(['Contact Data', 'Contact Data Trigger', 'Contact Data Tool']),
		);
	});

	it('tests its credential', async () => {
		const { api } = harness.n8n;
		const right = credentialFor(harness.sandbox);
		const wrong = credentialFor({ ...harness.sandbox, apiKey: 'wrong' });
		expect(await api.testCredential(await api.importCredential(right), right)).toMatchObject({
			status: 'OK',
		});
		const refused = await api.testCredential(await api.importCredential(wrong), wrong);
		expect(refused.status).toBe('Error');
		expect(refused.message).toContain('API key');
	});

	it('runs the example that finds and verifies leads', async () => {
		const { n8n, sandbox, credential } = harness;
		const example = await readExample('find-and-verify-leads', credential);
		const execution = await n8n.api.runWorkflow(example);
		expect(execution.error).toBeUndefined();
		const outcome = readOutcome(execution);
		expect(outcome.rows).toHaveLength(10);
		expect(problemsOf(outcome, sandbox.ledger)).toEqual([]);
	});
});
