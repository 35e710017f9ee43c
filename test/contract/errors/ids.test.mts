import { expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import {
	expectNoKey,
	jsonOf,
	shownError,
	type Given,
	useBench,
} from '../../support/n8nCore/contactData.mts';
import { addresses, MAIL } from '../spending/money.mts';

// An id that came, in whatever answer, is in the error.

const bench = useBench();
useFastClock();

const CONTINUE = { onError: 'continueRegularOutput' } as const;
const BODIES = [
	{ message: 'Ouch', id: 77_000 },
	{ message: 'Ouch', data: { id: 'taken-77' } },
	{ reason: 'Ouch', success: false, search_id: 'taken-77' },
];

const verify = async (given: Given = {}) =>
	await bench().run('emailVerifier', 'submit', { parameters: MAIL, items: addresses(1), ...given });

const answer = (status: number, body: object) =>
	bench().sandbox.faults.add({ kind: 'status', status, body, on: 'POST *' });

it.for([400, 402, 403, 408, 409, 500, 503])(
	'a submission answered with %d and an id: it is shown, and no key',
	async (status) => {
		const { apiKey } = bench().sandbox;
		const body = { message: 'Ouch', id: 'taken-77', seen: apiKey };
		answer(status, body);
		expect(shownError(await verify(), apiKey).description).toContain('taken-77');
		expect(bench().posts).toHaveLength(1);

		answer(status, body);
		const results = jsonOf(await verify({ settings: CONTINUE }));
		expect(JSON.stringify(results)).toContain('taken-77');
		expectNoKey(results, apiKey);
	},
);

it.for(BODIES)('an id in the body %j is shown', async (body) => {
	answer(500, body);
	const { description } = shownError(await verify(), bench().sandbox.apiKey);
	expect(description).toMatch(/taken-77|77000/);
});

it('each id is named where one is part of another, or is a number of the text', async () => {
	const ids = ['1000', '100', '5', '402'];
	for (const id of ids) {
		answer(200, { id, credits_used: 0.25 });
	}
	const ongoing = { kind: 'status', status: 202, body: { status: 'ongoing' } } as const;
	bench().sandbox.faults.add({ ...ongoing, on: 'GET /email/*', times: Infinity });
	const run = await bench().run('emailVerifier', 'submitAndWait', {
		parameters: MAIL,
		items: addresses(ids.length),
		options: { timeout: 5 },
	});
	const { description } = shownError(run, bench().sandbox.apiKey);
	const named = [...description.matchAll(/paid for: (.*?)\.$/g)].flatMap(([, list = '']) =>
		list.split(', '),
	);
	expect(named.sort()).toEqual([...ids].sort());
});
