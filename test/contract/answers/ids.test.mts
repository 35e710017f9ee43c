import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, shownError, useBench } from '../../support/n8nCore/contactData.mts';
import { mayHaveBeenCharged } from '../../support/texts.mts';

// Ids that cannot be asked for again are no receipt; all others are taken as they came.

const bench = useBench();
useFastClock();

const contentType = 'application/json';

/** Answers a submission with this JSON. */
const receive = (body: string) =>
	bench().sandbox.faults.add({
		on: 'POST *',
		kind: 'status',
		status: 200,
		body,
		contentType,
		times: Infinity,
	});

const run = async (operation: string) =>
	await bench().run('emailVerifier', operation, { parameters: { email: 'ada@acme.example' } });

const LONG = 'x'.repeat(20_000);

describe('an id that cannot be asked for again', () => {
	it.for([
		['a number that loses digits', '9007199254740993', '9007199254740993'],
		['a number without end', '1e400', '1e400'],
		['a fraction', '1.5', '1.5'],
		['20,000 letters', `"${LONG}"`, 'xxxxxxxxxx'],
		['a NUL', '"be\\u0000fore"', 'be\\u0000fore'],
		['a line break', '"two\\nlines"', 'two\\nlines'],
		['a direction', '"a\\u202eb"', 'a\\u202eb'],
		['half a character', '"\\ud800half"', '\\ud800half'],
		['blanks', '"   "', '"   "'],
		['markup', '"<b>7</b>"', '<b>7</b>'],
	] as const)('%s: may have been charged, and what came is told', async ([, id, told]) => {
		receive(`{"message":"${'Started. '.repeat(100)}","credits_used":1,"id":${id}}`);
		const shown = shownError(await run('submitAndWait'), bench().sandbox.apiKey);
		expect(shown.message).toMatch(mayHaveBeenCharged);
		expect(shown.description).toContain(`"id":${id}`.slice(0, 20));
		expect(shown.description).toContain(told);
		expect(shown.description).toMatch(/^[\P{Cc}]*$/u);
		expect(shown.description.length).toBeLessThan(1_000);
		expect(bench().posts).toHaveLength(1);
		expect(bench().looks).toEqual([]);
	});
});

describe('an id is taken as it came', () => {
	it.for([
		['4711', '4711'],
		['-1', '-1'],
		['9007199254740991', '9007199254740991'],
		['"9007199254740993"', '9007199254740993'],
		['"007"', '007'],
		['" edges "', ' edges '],
		['"ümläut 🚀"', 'ümläut 🚀'],
		['"a/b?c=d&e#f%20"', 'a/b?c=d&e#f%20'],
		['"__proto__"', '__proto__'],
		[`"${'x'.repeat(500)}"`, 'x'.repeat(500)],
	] as const)('%s', async ([json, id]) => {
		receive(`{"id":${json},"credits_used":1}`);
		bench().sandbox.faults.add({
			on: 'GET /email/*',
			kind: 'status',
			status: 200,
			body: { email: 'ada@acme.example', qualification: 'valid' },
		});
		expect(jsonOf(await run('submitAndWait'))).toMatchObject([{ search_id: id, found: true }]);
		expect(bench().looks).toEqual([{ path: '/email/verify/single', id }]);
	});
});
