import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { finishedWithoutResult } from '../../support/texts.mts';

// A batch that lists only who was found: of nobody, many servers write no empty list.

const bench = useBench();
useFastClock();

const CALL = { socialProfileUrl: '=https://linkedin.com/in/{{ $json.who }}' };
const ITEMS = [{ who: 'ada' }, { who: 'bea' }];
const BEA = { index: 1, params: { socialprofile_url: 'https://linkedin.com/in/bea' } };

function answer(found: number, results: unknown): void {
	const stats = { requested: 2, found, credits_cost: 100, credits_to_refund: 100 - 50 * found };
	const body = { general: { id: 'x', status: 'completed' }, stats, results };
	const on = 'GET /phone/bulk';
	bench().sandbox.faults.add({ kind: 'status', status: 200, body, on, times: Infinity });
}

const find = async () =>
	await bench().run('phoneFinder', 'submitBulkAndWait', { parameters: CALL, items: ITEMS });

it.for([[], null, undefined, {}])('nobody was found, with results %j', async (results) => {
	answer(0, results);
	expect(jsonOf(await find())).toMatchObject([{ found: false }, { found: false }]);
	expect(bench().looks).toHaveLength(1);
});

it('one was found, with results by their index', async () => {
	answer(1, { 1: { ...BEA, number: '+33', country: 'FR', qualification: 'found' } });
	expect(jsonOf(await find())).toMatchObject([{ found: false }, { found: true, number: '+33' }]);
	expect(bench().looks).toHaveLength(1);
});

describe('what the figures contradict is waited for', () => {
	it.for([null, undefined, {}])('with results %j', async (results) => {
		answer(1, results);
		const run = await find();
		expect(run.error).toMatchObject({
			message: expect.stringContaining(finishedWithoutResult) as string,
		});
		expect(bench().looks.length).toBeGreaterThan(3);
	});
});
