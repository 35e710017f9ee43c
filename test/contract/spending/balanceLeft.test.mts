import { describe, expect, it, vi } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { type Given, useBench } from '../../support/n8nCore/contactData.mts';

// What the hint of a run says of the account: what is left, where that is known.

const bench = useBench();
useFastClock();
vi.setConfig({ testTimeout: 60_000 });

const ITEMS = ['Ada Mustfind', 'Bob Notfound'].map((fullname) => ({ fullname }));
const BALANCE = 'GET /account/info';

async function find(operation: string, given: Given = {}) {
	const parameters = { fullname: '={{ $json.fullname }}', companyDomain: 'acme.com' };
	const run = await bench().run('emailFinder', operation, { parameters, items: ITEMS, ...given });
	expect(run.error).toBeUndefined();
	expect(run.items).toHaveLength(operation === 'submitBulk' ? 1 : ITEMS.length);
	return run.hints[0]?.message;
}
const requestsOf = (endpoint: string) =>
	bench().sandbox.requests.filter((request) => request.endpoint === endpoint).length;

describe('the hint of a run', () => {
	it.for([
		['submitAndWait', 'Found 1 of 2, 2 credits spent. The account has about 99,998 credits left.'],
		[
			'submitBulkAndWait',
			'Found 1 of 2, 2 credits spent, 1 refunded. The account has about 99,999 credits left.',
		],
	] as const)('says what is left: %s', async ([operation, hint]) => {
		expect(await find(operation)).toBe(hint);
		expect(bench().sandbox.service.account('demo').credits).toBe(
			operation === 'submitAndWait' ? 99_998 : 99_999,
		);
		// It is counted, and not asked for again.
		expect(requestsOf(BALANCE)).toBe(1);
	});

	it.for([
		[
			'submit',
			'Started 2 email searches, 2 credits spent. The account has about 99,998 credits left.',
		],
		[
			'submitBulk',
			'Started 2 email searches in 1 batch, 2 credits spent. The account has about 99,998 credits left.',
		],
	] as const)('says what is left without asking again: %s', async ([operation, hint]) => {
		expect(await find(operation)).toBe(hint);
		expect(requestsOf(BALANCE)).toBe(1);
	});

	it.for([
		['submit', 'Started 1 email search, at least 1 credit spent.'],
		['submitAndWait', 'Found 0 of 2, at least 1 credit spent.'],
	] as const)(
		'says that a charge is not known, and no sum of it: %s',
		async ([operation, hint]) => {
			bench().sandbox.faults.add({ kind: 'reset', when: 'after', on: 'POST *' });
			const settings = { onError: 'continueRegularOutput' } as const;
			expect(await find(operation, { settings })).toBe(hint);
			expect(bench().sandbox.ledger.totals().charged).toBe(2);
		},
	);

	it.for([
		[{ kind: 'status', status: 500 }],
		[{ kind: 'status', status: 200, body: { credits: 'many' } }],
		[{ kind: 'status', status: 200, body: { credits: -1e300 } }],
	] as const)('says nothing of it where it is not known: %j', async ([fault]) => {
		bench().sandbox.faults.add({ ...fault, on: BALANCE, times: Infinity });
		expect(await find('submitAndWait')).toBe('Found 1 of 2, 2 credits spent.');
	});
});
