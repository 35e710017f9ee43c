import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, textIn, useBench, type Given } from '../../support/n8nCore/contactData.mts';
import { expectChargedOnce } from '../spending/money.mts';

// A call that goes on with what another call has paid for: what is the other call's own stays its own.

const bench = useBench();
useFastClock();

const LONG = 3_600_000;
let calls = 0;

/** Somebody whom no other test has looked for. */
const somebody = () => `mustfind.other.${++calls}@acme.com`;

async function call(operation: string, given: Given) {
	const executionId = `other ${++calls}`;
	const run = await bench().run('emailVerifier', operation, {
		tool: 'invoked',
		executionId,
		...given,
	});
	return jsonOf(run)[0] ?? {};
}

it('gets its own custom data', async () => {
	bench().sandbox.configure({ single: LONG });
	const parameters: INodeParameters = { email: somebody() };
	await call('submitAndWait', { parameters, options: { custom: { crm: 'one' } } });
	bench().sandbox.service.finish();
	const second = await call('submitAndWait', { parameters, options: { custom: { crm: 'two' } } });
	expect(second).toMatchObject({ found: true, custom: { crm: 'two' } });
	expectChargedOnce(bench(), 1);
});

it('gets no custom data of another call', async () => {
	bench().sandbox.configure({ single: LONG });
	const parameters: INodeParameters = { email: somebody() };
	await call('submitAndWait', { parameters, options: { custom: { crm: 'one' } } });
	bench().sandbox.service.finish();
	const second = await call('submitAndWait', { parameters });
	expect(second).toMatchObject({ found: true });
	expect(second).not.toHaveProperty('custom');
});

describe.for(['submitAndWait', 'submit'])('after %s that was stopped', (operation) => {
	it('goes on with what the stopped one has paid for', async () => {
		bench().sandbox.faults.add({ kind: 'delay', ms: 5_000, on: 'POST *' });
		const parameters: INodeParameters = { email: somebody() };
		const stop = new AbortController();
		const running = call(operation, { parameters, signal: stop.signal });
		while (bench().posts.length === 0) await new Promise((resolve) => setImmediate(resolve));
		stop.abort();
		await running;
		const [entry] = bench().sandbox.ledger.entries;
		const second = await call(operation, { parameters });
		expect(second).toMatchObject({ id: entry?.id });
		expectChargedOnce(bench(), 1);
	});
});

it('goes on with the part of a batch that nobody has asked for since', async () => {
	bench().sandbox.configure({ bulk: LONG });
	const [one, two] = [somebody(), somebody()];
	const list = (verifications: string[]) => ({
		parameters: { inputMode: 'array', verifications },
	});
	const first = await call('submitBulkAndWait', list([one, two]));
	bench().sandbox.service.finish();
	const second = await call('submitBulkAndWait', list([two]));
	const third = await call('submitBulkAndWait', list([one]));
	for (const answer of [second, third]) {
		expect(answer).toMatchObject({ batch_id: textIn(first, 'batch_id'), found: true });
	}
	expectChargedOnce(bench(), 2);
});

it('goes on with the results that no answer had room for', async () => {
	const verifications = Array.from({ length: 500 }, () => somebody());
	const parameters: INodeParameters = { inputMode: 'array', verifications };
	const first = await call('submitBulkAndWait', { parameters });
	expect(first).toMatchObject({ results: 500 });
	const second = await call('submitBulkAndWait', { parameters });
	expect(second).toMatchObject({ batch_id: textIn(first, 'batch_id'), credits_spent: 0 });
	expectChargedOnce(bench(), 500);
});
