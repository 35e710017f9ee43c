import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { GENEROUS, jsonOf, type Given, useBench } from '../../support/n8nCore/contactData.mts';
import { expectChargedOnce, somebody } from '../spending/money.mts';
import { entryOf, listParameters, LOOKUP_NAMES, lookupOf } from '../../support/searches.mts';

// A call that goes on with what another call has paid for: what is the other call's own stays its own.

const bench = useBench();
useFastClock();

const LONG = 3_600_000;
let calls = 0;

async function call(operation: string, given: Given) {
	const executionId = `other ${++calls}`;
	const run = await bench().run('emailVerifier', operation, {
		tool: 'invoked',
		executionId,
		options: GENEROUS,
		...given,
	});
	return jsonOf(run)[0] ?? {};
}

it('goes on with what was paid for by one that was stopped', async () => {
	bench().sandbox.faults.add({ kind: 'delay', ms: 5_000, on: 'POST *' });
	const parameters: INodeParameters = { email: somebody() };
	const stop = new AbortController();
	const running = call('submitAndWait', { parameters, signal: stop.signal });
	await bench().sandbox.waitFor(() => bench().posts.length > 0);
	stop.abort();
	await running;
	const [entry] = bench().sandbox.ledger.entries;
	const second = await call('submitAndWait', { parameters });
	expect(second).toMatchObject({ search_id: entry?.id });
	expectChargedOnce(bench(), 1);
});

it('a part of the batch of another call of its execution is paid for already', async () => {
	const [one, two] = [somebody(), somebody()];
	let contextData = {};
	for (const verifications of [[one, two], [two], [one]]) {
		const run = await bench().run('emailVerifier', 'submitBulkAndWait', {
			tool: 'invoked',
			executionId: 'one for all',
			contextData,
			parameters: { inputMode: 'array', verifications },
		});
		({ contextData } = run);
		expect(jsonOf(run)).toMatchObject(verifications.map((email) => ({ email, found: true })));
	}
	expectChargedOnce(bench(), 2);
});

describe('a list of one chat that still runs when another chat asks for one of its people', () => {
	// No hex id holds any of them.
	const NAMES = ['Uwe', 'Lou', 'Cem', 'Tim'];
	const cases = LOOKUP_NAMES.map((resource, n) => ({ resource, splitResults: n % 2 === 0 }));

	it.for(cases)('$resource, Split Results $splitResults', async ({ resource, splitResults }) => {
		bench().sandbox.configure({ bulk: LONG, scenarios: ['customInEcho'] });
		const customOf = (name: string) =>
			lookupOf(resource).itemCustom ? `secret of ${name}` : undefined;
		const ask = async (names: string[], executionId: string, custom?: string) => {
			const list = names.map((name) => entryOf(resource, `mustfind-${name}`, customOf(name)));
			const run = await bench().run(resource, 'submitBulkAndWait', {
				tool: 'invoked',
				executionId,
				parameters: { splitResults, ...listParameters(resource, JSON.stringify(list)) },
				options: custom === undefined ? {} : { custom: { chat: custom } },
			});
			return JSON.stringify(jsonOf(run));
		};
		const first = await ask(NAMES, 'chat A', 'secret of chat A');
		const [paid] = bench().sandbox.ledger.entries;
		expect(first).toContain(paid?.id);
		bench().sandbox.configure({ bulk: 0 });
		bench().sandbox.service.finish();

		const same = await ask(NAMES, 'chat C', 'of chat C');
		expect(same).toContain(paid?.id);
		expect(same).toMatch(/tim/i);
		expect(same).not.toContain('secret of chat A');
		expect(bench().posts).toHaveLength(1);

		const other = await ask(['Lou'], 'chat B');
		expect(other).toMatch(/lou/i);
		for (const word of ['uwe', 'cem', 'tim', 'chat A']) {
			expect(other).not.toMatch(new RegExp(word, 'i'));
		}
		expect(other).not.toContain(paid?.id);
		expect(bench().posts).toHaveLength(2);
	});
});
