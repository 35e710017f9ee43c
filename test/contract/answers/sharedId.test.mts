import { expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { expectChargedOnce, FIND } from '../spending/money.mts';

// An id that another search has is no receipt: what the service has charged, and for whom, nobody knows.

const bench = useBench();
useFastClock();

const ID = 'one-for-all';
const NAMES = ['mustfind.ada', 'mustfind.bob', 'mustfind.eve'];

/** From now on each submission gets the one ID. */
function shareId() {
	bench().sandbox.faults.add({
		on: 'POST *',
		kind: 'changed',
		change: (body) => ({ ...body, id: ID }),
		times: Infinity,
	});
	const body = { qualification: 'valid', email: 'ada@acme.example' };
	const on = 'GET /email/find/single';
	bench().sandbox.faults.add({ kind: 'status', status: 200, on, body, times: Infinity });
}
const run = async (operation: string, names: string[], options = {}) =>
	jsonOf(
		await bench().run('emailFinder', operation, {
			parameters: FIND,
			items: names.map((fullname) => ({ fullname })),
			options,
			settings: { onError: 'continueRegularOutput' },
		}),
	);
const UNKNOWN = {
	error: expect.stringMatching(
		`may have been charged: the service gave it the ID ${ID}, which another search has`,
	) as string,
	search_id: null,
};

it('of three searches the first has it, and none is sent again', async () => {
	shareId();
	const found = { search_id: ID, found: true };
	expect(await run('submitAndWait', NAMES)).toMatchObject([found, UNKNOWN, UNKNOWN]);
	expectChargedOnce(bench(), 3);
	// The next run reads what it has, and sends no other again.
	expect(await run('submitAndWait', NAMES)).toMatchObject([found, UNKNOWN, UNKNOWN]);
	expect(bench().posts).toHaveLength(3);
});

it('of three batches the first has it', async () => {
	shareId();
	const receipts = await run('submitBulk', NAMES, { custom: '={{ ({ batch: $itemIndex }) }}' });
	const { error } = UNKNOWN;
	expect(receipts).toMatchObject([{ batch_id: ID, error: null }, { error }, { error }]);
	expect(bench().posts).toHaveLength(3);
});

const [ADA = '', BOB = '', EVE = ''] = NAMES;

it.for<[operation: string, before: string[], after: string[], error: unknown]>([
	['submit', [ADA], [ADA], null],
	['submitBulk', [ADA, BOB], [ADA, BOB], null],
	['submitBulk', [ADA, BOB], [ADA, EVE], UNKNOWN.error],
	['submitBulk', [ADA, BOB], [ADA], UNKNOWN.error],
])(
	'a service that knows the same searches again may give their ID again, and only theirs: %s of %j, then of %j',
	async ([operation, before, after, error]) => {
		shareId();
		const idName = operation === 'submit' ? 'search_id' : 'batch_id';
		expect(await run(operation, before)).toMatchObject([{ [idName]: ID, error: null }]);
		const [again] = await run(operation, after);
		expect(again).toMatchObject({ [idName]: error === null ? ID : null, error });
	},
);
