import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { skipTime, useFastClock } from '../../support/clock.mts';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { resultsOf, Suspended } from '../suspension/suspended.mts';

// What cells of lists hold where an email address should be. To verify never stops for one of them.

const bench = useBench();
useFastClock();

const SENT = 'sent';
/** The service's own word for some of what is sent. */
const REFUSED = 'invalid email format';
const UNUSUAL = 'not of the usual form';

/** The cell, what Verify makes of it (sent, or the reason why it is invalid), and what Verify Many. */
type Row = [cell: string, single: string, bulk?: string];

const ROWS: Row[] = [
	['ada@acme.example', SENT],
	[' Ada@Acme.example ', SENT],
	['mailto:ada@acme.example', SENT],
	['Ada Hart <ada@acme.example>', SENT],
	['"Hart, Ada" <ada@acme.example>', SENT],
	['<ada@acme.example>', SENT],
	['%20ada@acme.example', SENT],
	['ada@acme.example%0A', SENT],
	["o'hara+news@acme.example", SENT],
	['ada@müller.example', SENT],
	['ada@mail.acme.co.uk', SENT],
	['n/a', 'no @'],
	['-', 'no @'],
	['undefined', 'no @'],
	['#N/A', 'no @'],
	['ada.acme.example', 'no @'],
	['@acme.example', 'nothing before the @'],
	['ada@', 'nothing after the @'],
	['@', 'nothing before the @'],
	['ada..hart@acme.example', 'two dots in a row'],
	['ada@acme..example', 'two dots in a row'],
	['.ada@acme.example', 'a dot at the beginning or the end of its name'],
	['ada.@acme.example', 'a dot at the beginning or the end of its name'],
	[`${'a'.repeat(65)}@acme.example`, 'more than 64 characters before the @'],
	[`ada@${'a.'.repeat(200)}example`, 'more than 254 characters'],
	['ada hart@acme.example', 'white space in it'],
	['ada@acme .example', 'white space in it'],
	['ada@acme.example, bea@acme.example', 'more than one address'],
	['ada@acme.example; bea@acme.example', 'more than one address'],
	['ada@bea@acme.example', 'more than one @'],
	['logo@2x.png', 'the name of a file'],
	['photo@3x.JPG', 'the name of a file'],
	['icon@2x.svg', 'the name of a file'],
	['"ada l"@acme.example', SENT, UNUSUAL],
	['ada@[192.0.2.1]', SENT, UNUSUAL],
	['ada@acme', SENT, UNUSUAL],
	['ada@localhost', SENT, UNUSUAL],
	['ada@acme_corp', SENT, UNUSUAL],
	['ada(work)@acme.example', SENT, UNUSUAL],
];

const VERIFY = { parameters: { email: '={{ $json.email }}' } };
const run = async (operation: string, items: IDataObject[], more = {}) =>
	jsonOf(await bench().run('emailVerifier', operation, { ...VERIFY, items, ...more }));

const invalid = (email: string, reason: string) => ({
	email,
	qualification: 'invalid',
	reason,
	status: 'completed',
	found: false,
});

describe.for(ROWS)('%j', ([cell, single, bulk = single]) => {
	it.for([
		['submitAndWait', single],
		['submitBulkAndWait', bulk],
	] as const)(`%s: %s`, async ([operation, what]) => {
		const [item] = await run(operation, [{ email: cell }]);
		expect(item).toMatchObject({ status: 'completed', found: expect.any(Boolean) as boolean });
		expect(what === SENT ? [undefined, REFUSED] : [what]).toContain(item?.reason);
		expect(bench().posts).toHaveLength(what === SENT ? 1 : 0);
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

	it('Simplify gives all of them the column reason', async () => {
		const parameters = { ...VERIFY.parameters, simplify: true };
		const items = await run('submitBulkAndWait', ITEMS, { parameters });
		expect(items.map(({ reason }) => reason)).toEqual([null, null, 'no @']);
		expect(new Set(items.map((item) => Object.keys(item).join())).size).toBe(1);
	});

	it.for(['submit', 'submitBulk'])('%s gives it beside the receipts', async (operation) => {
		const items = await run(operation, ITEMS);
		expect(items.at(-1)).toEqual(NO_AT);
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

	it('in a list that is paused for', async () => {
		bench().sandbox.configure({ bulk: 600_000 });
		const execution = new Suspended(bench(), 'emailVerifier', 'submitBulkAndWait', {
			items: [{ list: ITEMS.map(({ email }) => email) }],
			parameters: { inputMode: 'array', verifications: '={{ $json.list }}' },
		});
		const parked = await execution.park();
		skipTime(600_000);
		expect(resultsOf(await execution.resume(parked))).toMatchObject([{ results: [{}, {}, NO_AT] }]);
	});

	it('a list of nothing else is not sent', async () => {
		const parameters = { inputMode: 'array', verifications: '=["n/a", "-"]', splitResults: false };
		const items = await run('submitBulkAndWait', [{}], { parameters });
		expect(items).toMatchObject([{ status: 'completed', results: [NO_AT, { email: '-' }] }]);
		bench().expectNothingSubmitted();
	});

	it('Dry Run calls it invalid', async () => {
		const items = await run('submitBulkAndWait', ITEMS, { options: { dryRun: true } });
		expect(items).toMatchObject([
			{ action: 'submit' },
			{ action: 'submit' },
			{ action: 'invalid', reason: 'no @', search: { email: 'n/a' } },
		]);
	});

	it('an empty cell is an error of its item', async () => {
		const settings = { onError: 'continueRegularOutput' };
		const items = await run('submitBulkAndWait', [...ITEMS, { email: '' }], { settings });
		expect(items[3]).toMatchObject({ error: "'Email' is empty", item: 3 });
	});

	it('what the service alone calls invalid is a result, and ends no run', async () => {
		const body = { message: REFUSED };
		bench().sandbox.faults.add({ kind: 'status', status: 400, body, on: 'POST *', times: 1 });
		const emails = ['ada@acme', 'mustfind.a@x.example'].map((email) => ({ email }));
		const items = await run('submitAndWait', emails);
		const [first, second] = items[0]?.reason === undefined ? [...items].reverse() : items;
		expect(first).toMatchObject({ qualification: 'invalid', reason: REFUSED });
		expect(second).toMatchObject({ status: 'completed' });
		expect(second?.reason).toBeUndefined();
	});
});
