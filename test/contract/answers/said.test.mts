import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import type { Given } from '../../support/n8nCore/contactData.mts';
import { jsonOf } from '../../support/n8nCore/contactData.mts';
import type { Answers, Reply } from '../../support/standIn.mts';
import { runBefore, useStandIn } from './standIn.mts';

// What the service says when it does not do what was asked, what it says of credits, and of the account.

useFastClock();
const standIn = useStandIn();

const PEOPLE = Array.from({ length: 5 }, (_, n) => ({ name: `Ada ${'abcde'[n]}` }));
const SEARCH = { fullname: '={{ $json.name }}', companyDomain: 'acme.example' };

async function run(operation: string, answers: Answers, given: Given = {}): Promise<IDataObject[]> {
	standIn.say(answers);
	const more = { items: PEOPLE, parameters: SEARCH, ...given };
	return jsonOf(await runBefore(standIn, 'emailFinder', operation, more));
}

/** One item's search. */
const one = { items: PEOPLE.slice(0, 1) };

describe('the words of the service are shown', () => {
	it.for<unknown>([
		{ message: 'Plan expired' },
		{ error: { message: 'Plan expired' } },
		{ error: 'Plan expired' },
		{ detail: 'Plan expired' },
		'Plan expired',
		{ success: false, reason: 'Plan expired' },
	])('of %j', async (body) => {
		const [item] = await run('submit', { post: { status: 400, body } }, one);
		expect(item?.error).toMatch(/^Plan expired\./);
	});

	it.for<unknown>([
		'<html><body>Bad Gateway</body></html>',
		{},
		[],
		7,
		null,
		{ message: 7 },
		{ message: '' },
		{ error: { code: 1 } },
	])('but not of %j', async (body) => {
		const [item] = await run('submit', { post: { status: 400, body } }, one);
		expect(item).toMatchObject({ error: expect.stringContaining('HTTP 400') as string });
	});
});

it('without credits nothing more is sent', async () => {
	const many = Array.from({ length: 200 }, (_, n) => ({ name: `Ada ${n}` }));
	const items = await run('submit', { post: { status: 402, body: '' } }, { items: many });
	expect(items).toHaveLength(200);
	for (const { error } of items) expect(error).toContain('. Add credits');
	// Those that are under way when the first is answered.
	expect(standIn.count('POST')).toBeLessThanOrEqual(50);
});

describe('amounts', () => {
	const receipts = (more: IDataObject) =>
		PEOPLE.map((_, n) => ({ status: 200, body: { id: `abc-${n}`, ...more } }));
	it.for<IDataObject>([
		{ credits_used: 2 },
		{ credits_used: '2' },
		{ credits_used: '2.00' },
		{ credits: { amount: 2, source: 'sub' } },
		{ credits: { amount: '2' } },
	])('%j is what Max Credits goes by', async (cost) => {
		const options = { maxCredits: 7 };
		const items = await run('submit', { post: receipts(cost) }, { options });
		expect(items.filter(({ error }) => typeof error !== 'string')).toHaveLength(3);
		expect(standIn.count('POST')).toBe(3);
	});

	it('a refund as text is told', async () => {
		const cost = { initial: '5', refunded: '4', final: '1' };
		const body = {
			general: { status: 'completed' },
			stats: { requested: '5', valid: '1', credits_cost: cost },
			results: PEOPLE.map(({ name }, index) => ({
				index,
				raw_params: { fullname: name },
				...(index === 0
					? { email: 'a@acme.example', qualification: 'valid' }
					: { qualification: 'invalid' }),
			})),
		};
		standIn.say({ post: receipts({ credits_used: '5' }), get: { body } });
		const given = { items: PEOPLE, parameters: SEARCH };
		const { hints } = await runBefore(standIn, 'emailFinder', 'submitBulkAndWait', given);
		expect(hints.map(({ message }) => message).join()).toContain(
			'Found 1 of 5, 4 not found. 5 credits spent, 4 refunded',
		);
	});
});

describe('the account', () => {
	const FOUND = { email: 'a@acme.example', qualification: 'valid' };
	it.for<Reply>([
		{ status: 403, body: { message: 'Forbidden' } },
		{ status: 500 },
		{ body: { webhooks: [] } },
		{ body: { credits: '1000' } },
	])('a search goes on after HTTP $status and $body', async (account) => {
		const items = await run('submitAndWait', { account, get: { body: FOUND } }, one);
		expect(items).toMatchObject([FOUND]);
	});

	it.for<[unknown, string[]]>([
		[undefined, []],
		[['https://a.example/x', 7], ['https://a.example/x']],
	])('webhooks %j are listed', async ([webhooks, listed]) => {
		standIn.say({ account: { body: { credits: 3, plan: 'gold', webhooks } } });
		const items = jsonOf(await runBefore(standIn, 'account', 'getInfo', { items: [{}] }));
		expect(items).toEqual([{ credits: 3, plan: 'gold', webhooks: listed }]);
	});
});
