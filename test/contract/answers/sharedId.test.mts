import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { ofAnotherSearch } from '../../support/texts.mts';

// One id for several submissions, as of a service that knows an equal search again: all get its result,
// unless it is plainly of somebody else.

const bench = useBench();
useFastClock();

const ID = 'one-for-all';
const CONTINUE = { onError: 'continueRegularOutput' } as const;
const NAMES = ['mustfind.ada', 'mustfind.bob', 'mustfind.eve'];

const FIND = {
	parameters: { fullname: '={{ $json.fullname }}', companyDomain: 'acme.example' },
	items: NAMES.map((fullname) => ({ fullname })),
	settings: CONTINUE,
};

const shareId = () =>
	bench().sandbox.faults.add({
		on: 'POST *',
		kind: 'changed',
		change: (body) => ({ ...body, id: ID }),
		times: Infinity,
	});

/** This is read under the id. */
const tell = (body: IDataObject) => {
	for (const { path } of Object.values(lookups)) {
		const on = `GET ${path}/*` as const;
		bench().sandbox.faults.add({ kind: 'status', status: 200, on, body, times: Infinity });
	}
};

it('each of the three gets the result, and none is sent again', async () => {
	const result = { qualification: 'valid', email: 'ada@acme.example' };
	shareId();
	tell(result);
	const results = jsonOf(await bench().run('emailFinder', 'submitAndWait', FIND));
	expect(results).toMatchObject(Array(3).fill({ id: ID, found: true, ...result }));
	expect(bench().posts).toHaveLength(3);
});

describe('whose result it plainly is not is an error of its item', () => {
	const verify = async () =>
		await bench().run('emailVerifier', 'submitAndWait', {
			parameters: { email: '={{ $json.email }}' },
			items: NAMES.map((name) => ({ email: `${name}@acme.example` })),
			settings: CONTINUE,
		});

	it('as it tells of another address', async () => {
		shareId();
		tell({ qualification: 'valid', email: 'mustfind.bob@acme.example' });
		const wrong = `The result of the email verification ${ID} ${ofAnotherSearch}`;
		expect(jsonOf(await verify())).toMatchObject([
			{ id: ID, error: wrong },
			{ id: ID, found: true },
			{ id: ID, error: wrong },
		]);
	});

	it('as it tells of another person, at whatever company', async () => {
		shareId();
		tell({
			qualification: 'valid',
			email: 'ada@acme.example',
			info: { fullname: 'Bob Mustfind', company_domain: 'b.example' },
		});
		const run = await bench().run('emailFinder', 'submitAndWait', {
			parameters: { fullname: '={{ $json.who }}', companyDomain: '={{ $json.at }}' },
			items: [
				{ who: 'Ada Hart', at: 'acme.example' },
				{ who: 'Bob Mustfind', at: 'acme.example' },
				{ who: 'Eve Hart', at: 'b.example' },
			],
			settings: CONTINUE,
		});
		const wrong = `The result of the email search ${ID} ${ofAnotherSearch}`;
		expect(jsonOf(run)).toMatchObject([{ error: wrong }, { found: true }, { error: wrong }]);
	});
});

describe('batches', () => {
	it('each get what repeats their searches, and nothing by its index', async () => {
		shareId();
		const results = NAMES.slice(0, 2).map((fullname, index) => ({
			index: `${index}`,
			qualification: 'valid',
			email: `${fullname}@acme.example`,
			raw_params: index === 0 ? { fullname, company_domain: 'acme.example' } : {},
		}));
		tell({ general: { id: ID, status: 'completed' }, stats: { requested: 2 }, results });
		const run = await bench().run('emailFinder', 'submitBulkAndWait', {
			...FIND,
			options: { custom: '={{ ({ of: $json.fullname.slice(0, -3) + ($itemIndex > 1) }) }}' },
		});
		expect(bench().posts).toHaveLength(2);
		const [ada, ...others] = jsonOf(run);
		expect(ada).toMatchObject({ batch_id: ID, email: `${NAMES[0]}@acme.example` });
		for (const json of others)
			expect(json).toMatchObject({ batch_id: ID, error: expect.any(String) as string });
	});

	it.for<[string, (fullname: string) => IDataObject]>([
		['repeats', (fullname) => ({ raw_params: { fullname, company_domain: 'acme.example' } })],
		['found', (fullname) => ({ info: { fullname, company_domain: 'acme.example' } })],
	])('of lists go to the list whose people it %s', async ([, tellOf]) => {
		shareId();
		const [ada, bob, eve] = ['Ada Hart', 'Bob Stone', 'Eve Low'];
		const results = [ada, bob].map((fullname, index) => ({
			index: `${index}`,
			qualification: 'valid',
			email: `${index}@acme.example`,
			...tellOf(fullname ?? ''),
		}));
		tell({ general: { id: ID, status: 'completed' }, stats: { requested: 2 }, results });
		const lists = [
			[eve, 'Cem Marsh'],
			[ada, bob],
		].map((names) => names.map((fullname) => ({ fullname, company_domain: 'acme.example' })));
		const run = await bench().run('emailFinder', 'submitBulkAndWait', {
			parameters: { inputMode: 'array', searches: '={{ $json.list }}', splitResults: false },
			items: lists.map((list) => ({ list })),
			settings: CONTINUE,
		});
		expect(bench().posts).toHaveLength(2);
		const [wrong, right] = jsonOf(run);
		const error = `The results of batch ${ID} are for other`;
		expect(wrong).toMatchObject({ batch_id: ID, error: expect.stringContaining(error) as string });
		expect(wrong).not.toHaveProperty('results');
		expect(right).toMatchObject({ batch_id: ID, status: 'completed', results });
	});

	it('have one refund: it is not counted for each of them', async () => {
		shareId();
		const results = NAMES.map((fullname, index) => ({
			index: `${index}`,
			qualification: index === 0 ? 'valid' : 'invalid',
			email: index === 0 ? `${fullname}@acme.example` : null,
			raw_params: { fullname, company_domain: 'acme.example' },
		}));
		const stats = { requested: 2, valid: 1, credits_cost: { initial: 2, refunded: 1, final: 1 } };
		tell({ general: { id: ID, status: 'completed' }, stats, results });
		const run = await bench().run('emailFinder', 'submitBulkAndWait', {
			...FIND,
			options: { custom: '={{ ({ half: $itemIndex > 1 }) }}' },
			items: [...NAMES, 'mustfind.tim'].map((fullname) => ({ fullname })),
		});
		expect(bench().posts).toHaveLength(2);
		expect(run.hints[0]?.message).toContain('4 credits spent, 1 refunded.');
	});
});
