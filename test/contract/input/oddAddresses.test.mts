import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { isRecord } from '../../../nodes/ContactData/common/values.ts';
import { skipTime, useFastClock } from '../../support/clock.mts';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { moreThanOne } from '../../support/texts.mts';
import { resultsOf, Suspended } from '../suspension/suspended.mts';

// What cells of lists hold where an email address should be. One that is none is a result; of two
// nobody knows which is meant: that is an error of the item.

const bench = useBench();
useFastClock();

/** The service's own word for some of what is sent. */
const REFUSED = 'invalid email format';

/** What becomes of a cell: the address that is sent, the reason why it is invalid, or the error. */
type Fate = { sent: string } | { reason: string } | { error: string };
/** What Verify makes of the cell, and what Verify Many. */
type Row = [cell: string, single: Fate, bulk?: Fate];

const as = (sent: string): Fate => ({ sent });
const no = (reason: string): Fate => ({ reason });

const ADA = as('ada@acme.example');
const read = (...cells: string[]) => cells.map((cell): Row => [cell, ADA]);
const several = (...cells: string[]) => cells.map((cell): Row => [cell, { error: moreThanOne }]);
const asTheyAre = (...cells: string[]) => cells.map((cell): Row => [cell, as(cell)]);
const because = (reason: string, ...cells: string[]) =>
	cells.map((cell): Row => [cell, no(reason)]);
/** Only the service could say whether they are addresses. */
const unusual = (...cells: string[]) =>
	cells.map((cell): Row => [cell, as(cell), no('not of the usual form')]);

const ROWS: Row[] = [
	...asTheyAre('ada@acme.example', "o'hara+news@acme.example", 'a+b@x.y.zz', 'who?@acme.example'),
	...asTheyAre('ada@müller.example', 'zoë@müller.de', 'a@उदाहरण.परीक्षा', 'ada@xn--mller-kva.de'),
	...asTheyAre('nemo-notfound@acme.example', 'notfound@acme.example', 'no.reply@acme.example'),
	// Signs that registries take between letters.
	...asTheyAre('info@paral·lel.cat', 'info@ア・イ.jp', 'Ada.Hart@Mail.Acme.CO.UK'),
	[' Ada@Acme.example ', as('Ada@Acme.example')],
	['mailto: Ada@Acme.example ?subject=x', as('Ada@Acme.example')],
	['o’hara@acme.example', as("o'hara@acme.example")],
	['ada\\_hart@acme.example', as('ada_hart@acme.example')],
	// Links of mail programs, web pages, chats, Markdown and sheets.
	...read('mailto:ada@acme.example', 'mailto:mailto:ada@acme.example', 'mailto://ada@acme.example'),
	...read('mailto:Ada <ada@acme.example>', 'mailto:ada@acme.example?cc=bea@acme.example'),
	...read('ada@acme.example?subject=Hello', 'mailto:?to=ada@acme.example'),
	...read('<mailto:ada@acme.example|ada@acme.example>', '[Ada](mailto:ada@acme.example)'),
	...read('[ada@acme.example](mailto:ada@acme.example)', 'SMTP:ada@acme.example'),
	...read('<a href="mailto:ada@acme.example">ada@acme.example</a>', '<p>ada@acme.example</p>'),
	...read("<a class=x href='mailto:ada@acme.example?subject=x'>Write to me</a>"),
	...read('=HYPERLINK("mailto:ada@acme.example","Ada")', 'ada@acme.example<br>'),
	...read('%20ada@acme.example', 'ada@acme.example%0A', 'ada%40acme.example'),
	// Labels, names and notes.
	...read('Email: ada@acme.example', 'E-Mail:ada@acme.example', 'mail ada@acme.example'),
	...read(
		'email=ada@acme.example',
		'1. ada@acme.example',
		'- ada@acme.example',
		'•\tada@acme.example',
	),
	...read('Ada Hart <ada@acme.example>', '"Hart, Ada" <ada@acme.example>', 'Ada ada@acme.example'),
	...read('Ada Hart ada@acme.example', 'ada@acme.example (work)', 'ada@acme.example - work'),
	...read(
		'ada@acme.example | +49 30 123',
		'ada@acme.example @adahart',
		'x mailto:ada@acme.example',
	),
	...read(
		'Ada Hart\\nada@acme.example',
		'ada@acme.example, ADA@acme.example',
		'ada@acme.example, logo@2x.png',
	),
	// Quotes of any sort, brackets, and what is behind an address in a sentence.
	...['""', "''", '“”', '„“', '«»', '‹›', '‘’', '``', '()', '<>', '[]', '{}', '**'].flatMap(
		(pair) => read(`${pair[0]}ada@acme.example${pair[1]}`),
	),
	...read('**ada@acme.example**', "'ada@acme.example", '<ada@acme.example', '["ada@acme.example"]'),
	...[';', ',', '.', ')', '>', ':', '/', ' ;', '!', '\\n'].flatMap((sign) =>
		read(`ada@acme.example${sign}`),
	),
	// Other letters for the same.
	...read(
		'\u200bada@acme\u00ad.example',
		'ａｄａ＠ａｃｍｅ．ｅｘａｍｐｌｅ',
		'ada&#64;acme.example',
	),
	...read('ada [at] acme.example', 'ada(at)acme(dot)example'),
	// Two of them.
	...several('ada@acme.example, bea@acme.example', 'ada@acme.example; bea@acme.example'),
	...several('ada@acme.example bea@acme.example', 'ada@acme.example/bea@acme.example'),
	...several('Ada <ada@acme.example>, Bea <bea@acme.example>', 'ada@acme.example\nbea@acme'),
	...several('mailto:ada@acme.example,bea@acme.example'),
	...several('<a href="mailto:ada@acme.example">bea@acme.example</a>'),
	['["ada@acme.example", "bea@acme.example"]', { error: '{{ JSON.parse($json.emails)[0] }}' }],
	// None, or one that cannot be.
	...because('no @', 'n/a', '-', 'undefined', '#N/A', 'ada', 'mailto:ada', 'ada.acme.example'),
	...because('nothing before the @', '@acme.example', '@'),
	...because('nothing after the @', 'ada@', 'ada@acme.example@'),
	...because('two dots in a row', 'ada..hart@acme.example', 'ada@acme..example'),
	...because('a dot at the beginning or the end of its name', '.ada@acme.example'),
	...because('a dot at the beginning or the end of its name', 'ada.@acme.example'),
	...because('more than 64 characters before the @', `${'a'.repeat(65)}@acme.example`),
	...because('more than 254 characters', `ada@${'a.'.repeat(200)}example`),
	...because('more than 254 characters', `${'x'.repeat(10_240)}@acme.example`),
	...because('white space in it', 'ada hart@acme.example', 'ada@acme .example'),
	...because(
		'white space in it',
		'ada@acme.example uk',
		'ada @acme.example',
		'ada . hart@acme.example',
	),
	...because('more than one @', 'ada@bea@acme.example'),
	...because('the name of a file', 'logo@2x.png', 'photo@3x.JPG', 'icon@2x.svg'),
	...because(
		'a placeholder of another tool',
		'email_not_unlocked@domain.com',
		'noemail@acme.example',
	),
	...because('a placeholder of another tool', 'you@company.com', 'ada@acme.example.invalid'),
	...because(
		'masked or cut off',
		'a***@acme.example',
		'***@acme.example',
		'Email: a•••@acme.example',
	),
	...because('masked or cut off', 'ada@acme.exam…', 'ada@acme.ex***'),
	...because('a word is glued to its end', 'ada@acme.exampleCopy', 'ada@acme.comPhone: 1'),
	...because('a value is missing in it', 'undefined@acme.example', 'undefined.hart@acme.example'),
	...because('a value is missing in it', '{{ $json.first }}hart@acme.example'),
	...because('a value is missing in it', '[object Object]@acme.example'),
	...unusual('"ada l"@acme.example', 'ada@[192.0.2.1]', 'ada@acme', 'ada@localhost'),
	...unusual('ada@acme_corp', 'ada(work)@acme.example', '[first]hart@acme.example'),
	...unusual('ada@acme,example', 'ada@acme;example'),
	// Hosts that are none.
	...unusual('ada@10.0.0.12', 'ada@.acme.example', 'ada@-acme.example', 'ada@acme.c'),
	// Joiners shape scripts, and are in no address.
	...unusual('a\u200cda@acme.example', 'ada@ac\u200dme.example'),
];

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
			expect([undefined, REFUSED]).toContain(item?.reason);
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
		expect(item).toMatchObject({ status: 'failed', error: expect.any(String) as string });
		const { results } = item ?? {};
		expect(results).toEqual(expect.arrayContaining([NO_AT]));
		expect(Array.isArray(results) && results.length).toBeGreaterThan(1);
	});

	it.for([
		['submit', 'getResult'],
		['submitBulk', 'getBulkResult'],
	] as const)('%s and then %s give all of them, in the same columns', async ([start, read]) => {
		const receipts = await run(start, ITEMS);
		bench().sandbox.service.finish();
		const reading = await bench().run('emailVerifier', read, {
			items: receipts,
			// By the IDs that are filled in.
			parameters: { simplify: true },
		});
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
		const [first, second] = items[0]?.reason === undefined ? [...items].reverse() : items;
		expect(first).toMatchObject({ qualification: 'invalid', reason: REFUSED });
		expect(second).toMatchObject({ status: 'completed' });
		expect(second?.reason).toBeUndefined();
	});
});
