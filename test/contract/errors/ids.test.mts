import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { expectNoKey, jsonOf, shownError, useBench } from '../../support/n8nCore/contactData.mts';
import { addresses, MAIL } from '../spending/money.mts';

// An id that came, in whatever answer, is in the error.

const bench = useBench();
useFastClock();

const CONTINUE = { onError: 'continueRegularOutput' } as const;
const BODIES = [
	{ message: 'Ouch', id: 'taken-77' },
	{ message: 'Ouch', id: 77_000 },
	{ message: 'Ouch', data: { id: 'taken-77' } },
	{ reason: 'Ouch', success: false, search_id: 'taken-77' },
];

describe.for([400, 402, 403, 408, 409, 500, 503])('a submission answered with %d', (status) => {
	it.for(BODIES)('and %j: the id is shown', async (body) => {
		bench().sandbox.faults.add({ kind: 'status', status, body, on: 'POST *' });
		const given = { parameters: MAIL, items: addresses(1) };
		const run = await bench().run('emailVerifier', 'submit', given);
		const { description } = shownError(run, bench().sandbox.apiKey);
		expect(description).toMatch(/taken-77|77000/);
		expect(bench().posts).toHaveLength(1);
	});

	it('and without an id: the answer is not repeated', async () => {
		const body = { message: 'Ouch', success: false };
		bench().sandbox.faults.add({ kind: 'status', status, body, on: 'POST *' });
		const given = { parameters: MAIL, items: addresses(1) };
		const run = await bench().run('emailVerifier', 'submit', given);
		expect(shownError(run, bench().sandbox.apiKey).description).not.toContain('success');
	});

	it('under Continue, without the key', async () => {
		const { apiKey } = bench().sandbox;
		const body = { message: 'Ouch', id: 'taken-77', seen: apiKey };
		bench().sandbox.faults.add({ kind: 'status', status, body, on: 'POST *' });
		const given = { parameters: MAIL, items: addresses(1), settings: CONTINUE };
		const results = jsonOf(await bench().run('emailVerifier', 'submit', given));
		expect(JSON.stringify(results)).toContain('taken-77');
		expectNoKey(results, apiKey);
	});
});

it('each id is named where one is part of another, or is a number of the text', async () => {
	const ids = ['1000', '100', '5', '402'];
	for (const id of ids) {
		const body = { id, credits_used: 0.25 };
		bench().sandbox.faults.add({ kind: 'status', status: 200, body, on: 'POST *' });
	}
	const ongoing = { kind: 'status', status: 202, body: { status: 'ongoing' } } as const;
	bench().sandbox.faults.add({ ...ongoing, on: 'GET /email/*', times: Infinity });
	const run = await bench().run('emailVerifier', 'submitAndWait', {
		parameters: MAIL,
		items: addresses(ids.length),
		options: { timeout: 5 },
	});
	const { description } = shownError(run, bench().sandbox.apiKey);
	const named = [...description.matchAll(/paid for: (.*?)\. Read /g)].flatMap(([, list = '']) =>
		list.split(', '),
	);
	expect(named.sort()).toEqual([...ids].sort());
});
