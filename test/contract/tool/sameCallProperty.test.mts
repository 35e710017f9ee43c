import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { useBench } from '../../support/n8nCore/contactData.mts';

// Whatever fails, however slow the service is, and however often a model makes the same call in
// executions of their own: it is paid once.

const bench = useBench();
useFastClock();
vi.setConfig({ testTimeout: 300_000 });

let tried = 0;

const calls = fc.record({
	who: fc.constantFrom('mustfinda', 'mustfindb', 'notfoundc'),
	lookupMs: fc.constantFrom(20, 2_000, 600_000),
	postMs: fc.constantFrom(0, 0, 0, 30_000, 50_000, 70_000),
	fault: fc.constantFrom('none', 'none', 'unknown', 'refused', 'limited', 'unreadable'),
	finishAfter: fc.boolean(),
});
const draws = fc.record({
	operation: fc.constantFrom('submitAndWait', 'submitBulkAndWait'),
	tool: fc.constantFrom('invoked' as const, 'requested' as const, 'inline' as const),
	cap: fc.boolean(),
	sequence: fc.array(calls, { minLength: 2, maxLength: 6 }),
});
type Draw = typeof draws extends fc.Arbitrary<infer Drawn> ? Drawn : never;
type Call = Draw['sequence'][number];

function spoil({ postMs, fault }: Call): void {
	const { faults } = bench().sandbox;
	faults.clear();
	if (postMs > 0) faults.add({ kind: 'delay', ms: postMs, on: 'POST *' });
	else if (fault === 'unknown') faults.add({ kind: 'reset', when: 'after', on: 'POST *' });
	else if (fault === 'refused') faults.add({ kind: 'status', status: 418, on: 'POST *' });
	else if (fault === 'limited') {
		faults.add({ kind: 'status', status: 429, on: 'POST *', times: Infinity });
	}
	if (fault === 'unreadable') {
		// What the service refuses for good is forgotten, and paid anew.
		faults.add({ kind: 'status', status: 503, on: 'GET /email/*', times: Infinity });
	}
}

async function tryOut({ operation, tool, cap, sequence }: Draw): Promise<void> {
	const { sandbox } = bench();
	sandbox.reset();
	const apiKey = sandbox.service.addAccount('owner', { requestsPerSecond: 10_000 });
	const credentials = { contactDataApi: { ...bench().credentials.contactDataApi, apiKey } };
	const test = ++tried;
	for (const [index, call] of sequence.entries()) {
		sandbox.configure({ single: call.lookupMs, bulk: call.lookupMs });
		spoil(call);
		const email = `${call.who}.${test}@acme.example`;
		const begin = performance.now();
		await bench().run('emailVerifier', operation, {
			parameters: { email },
			options: cap ? { maxCredits: 1 } : {},
			credentials,
			tool,
			executionId: `${test}-${index}`,
		});
		const tookMs = performance.now() - begin;
		const charges = sandbox.ledger.entries.filter(({ searches }) =>
			JSON.stringify(searches).includes(email),
		);
		expect(charges.length).toBeLessThanOrEqual(1);
		expect(tookMs).toBeLessThanOrEqual(call.postMs > 40_000 ? 45_000 + call.postMs : 51_000);
		if (call.finishAfter) sandbox.service.finish();
	}
}

it('calls of executions of their own', async () => {
	await fc.assert(fc.asyncProperty(draws, tryOut), { numRuns: 60 });
});
