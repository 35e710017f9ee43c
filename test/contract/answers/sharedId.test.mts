import { expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { expectChargedOnce, FIND } from '../spending/money.mts';

// An id that another search has is no receipt: what the service has charged, and for whom, nobody knows.

const bench = useBench();
useFastClock();

const ID = 'one-for-all';
const NAMES = ['mustfind.ada', 'mustfind.bob', 'mustfind.eve'];

const run = async (operation: string, options = {}) => {
	bench().sandbox.faults.add({
		on: 'POST *',
		kind: 'changed',
		change: (body) => ({ ...body, id: ID }),
		times: Infinity,
	});
	const body = { qualification: 'valid', email: 'ada@acme.example' };
	const on = 'GET /email/find/single';
	bench().sandbox.faults.add({ kind: 'status', status: 200, on, body, times: Infinity });
	return jsonOf(
		await bench().run('emailFinder', operation, {
			parameters: FIND,
			items: NAMES.map((fullname) => ({ fullname })),
			options,
			settings: { onError: 'continueRegularOutput' },
		}),
	);
};
const UNKNOWN = {
	error: expect.stringMatching(
		`may have been charged: the service gave it the ID ${ID}, which another search has`,
	) as string,
	search_id: null,
};

it('of three searches the first has it, and none is sent again', async () => {
	const found = { search_id: ID, found: true };
	expect(await run('submitAndWait')).toMatchObject([found, UNKNOWN, UNKNOWN]);
	expectChargedOnce(bench(), 3);
	// The next run reads what it has, and sends no other again.
	expect(await run('submitAndWait')).toMatchObject([found, UNKNOWN, UNKNOWN]);
	expect(bench().posts).toHaveLength(3);
});

it('of three batches the first has it', async () => {
	const receipts = await run('submitBulk', { custom: '={{ ({ batch: $itemIndex }) }}' });
	const { error } = UNKNOWN;
	expect(receipts).toMatchObject([{ batch_id: ID, error: null }, { error }, { error }]);
	expect(bench().posts).toHaveLength(3);
});

it('a service that knows an equal search again may give its id again', async () => {
	const items = [{ fullname: NAMES[0] }];
	await run('submit');
	const again = await bench().run('emailFinder', 'submit', { parameters: FIND, items });
	expect(jsonOf(again)).toMatchObject([{ search_id: ID, status: 'ongoing' }]);
});
