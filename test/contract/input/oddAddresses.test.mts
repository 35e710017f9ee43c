import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { isRecord } from '../../../nodes/ContactData/common/values.ts';
import { skipTime, useFastClock } from '../../support/clock.mts';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { ROWS } from './addressRows.mts';
import { resultsOf, Suspended } from '../pausing/suspended.mts';

// What cells of lists hold where an email address should be. One that is none is a result; of two
// nobody knows which is meant: that is an error of the item.

const bench = useBench();
useFastClock();

/** The service's own word for some of what is sent. */
const REFUSED = 'invalid email format';

const VERIFY = { parameters: { email: '={{ $json.email }}' } };
const CONTINUE = { settings: { onError: 'continueRegularOutput' } } as const;
const run = async (operation: string, items: IDataObject[], more = {}) =>
	jsonOf(await bench().run('emailVerifier', operation, { ...VERIFY, items, ...more }));

const invalid = (email: string, reason: string) => ({
	email,
	qualification: 'invalid',
	reason,
	status: 'completed',
	found: false,
});

/** What was sent, in a batch or alone. */
function sentAddresses(): unknown[] {
	return bench().posts.flatMap(({ body }): unknown[] => {
		const { email, verifications }: IDataObject = isRecord(body) ? body : {};
		return Array.isArray(verifications) ? verifications : [email];
	});
}

describe.for(ROWS)('%j', ([cell, single, bulk = single]) => {
	it.for([
		['submitAndWait', single],
		['submitBulkAndWait', bulk],
	] as const)('%s: %j', async ([operation, fate]) => {
		const [item] = await run(operation, [{ email: cell }], CONTINUE);
		if ('error' in fate) {
			bench().expectNothingSubmitted();
			expect(JSON.stringify(item)).toContain(fate.error);
			return;
		}
		expect(item).toMatchObject({ status: 'completed', found: expect.any(Boolean) as boolean });
		if ('sent' in fate) {
			expect(sentAddresses()).toEqual([fate.sent]);
			expect([null, REFUSED]).toContain(item?.reason);
		} else {
			bench().expectNothingSubmitted();
			expect(item).toMatchObject({ email: cell, qualification: 'invalid', reason: fate.reason });
		}
	});
});

describe('among good ones', () => {
	const ITEMS = ['mustfind.a@x.example', 'mustfind.b@x.example', 'n/a'].map((email) => ({ email }));
	const NO_AT = invalid('n/a', 'no @');

	it.for(['submitAndWait', 'submitBulkAndWait'])('%s gives each its result', async (operation) => {
		const items = await run(operation, ITEMS);
		expect(items).toMatchObject([{ found: true }, { found: true }, NO_AT]);
		expect(bench().sandbox.ledger.totals()).toMatchObject({ searches: 2, charged: 0.5 });
	});

	it.for(['submit', 'submitBulk'])('%s gives it beside the receipts', async (operation) => {
		const items = await run(operation, ITEMS);
		const ids = operation === 'submit' ? { search_id: null } : { batch_id: null };
		expect(items.at(-1)).toMatchObject({ ...NO_AT, ...ids });
		expect(items.slice(0, -1).every(({ status }) => status === 'ongoing')).toBe(true);
	});

	it.for([
		[true, 3],
		[false, 1],
	] as const)('in a list in one item, Split Results %s', async ([splitResults, count]) => {
		const list = ITEMS.map(({ email }) => email);
		const parameters = { inputMode: 'array', verifications: '={{ $json.list }}', splitResults };
		const items = await run('submitBulkAndWait', [{ list }], { parameters });
		expect(items).toHaveLength(count);
		expect(splitResults ? items : items[0]?.results).toMatchObject([{}, {}, NO_AT]);
	});

	it('in a list that is paused for, and fails', async () => {
		bench().sandbox.configure({ bulk: 600_000, scenarios: ['batchFailedWithResults'] });
		const execution = new Suspended(bench(), 'emailVerifier', 'submitBulkAndWait', {
			items: [{ list: ITEMS.map(({ email }) => email) }],
			parameters: { inputMode: 'array', verifications: '={{ $json.list }}' },
			settings: { onError: 'continueRegularOutput' },
		});
		const parked = await execution.park();
		skipTime(600_000);
		const [item] = resultsOf(await execution.resume(parked));
		const error = expect.any(String) as string;
		expect(item?.results).toMatchObject([
			{ found: true, error: null },
			{ status: 'failed', error },
			NO_AT,
		]);
	});

	it.for([
		['submit', 'getResult'],
		['submitBulk', 'getBulkResult'],
	] as const)('%s and then %s give all of them, in the same columns', async ([start, read]) => {
		const receipts = await run(start, ITEMS);
		bench().sandbox.service.finish();
		// By the IDs that are filled in.
		const reading = await bench().run('emailVerifier', read, { items: receipts });
		const items = jsonOf(reading);
		expect(items.map(({ found }) => found)).toEqual([true, true, false]);
		expect(items.map(({ reason }) => reason)).toEqual([null, null, 'no @']);
	});

	it('a list of nothing else is not sent', async () => {
		const parameters = { inputMode: 'array', verifications: '=["n/a", "-"]', splitResults: false };
		const items = await run('submitBulkAndWait', [{}], { parameters });
		expect(items).toMatchObject([{ status: 'completed', results: [NO_AT, { email: '-' }] }]);
		bench().expectNothingSubmitted();
	});

	it('what the service alone calls invalid is a result, and ends no run', async () => {
		const body = { message: REFUSED };
		bench().sandbox.faults.add({ kind: 'status', status: 400, body, on: 'POST *', times: 1 });
		const emails = ['ada@acme', 'mustfind.a@x.example'].map((email) => ({ email }));
		const items = await run('submitAndWait', emails);
		const [first, second] = items[0]?.reason === null ? [...items].reverse() : items;
		expect(first).toMatchObject({ qualification: 'invalid', reason: REFUSED });
		expect(second).toMatchObject({ status: 'completed' });
		expect(second?.reason).toBeNull();
	});
});
