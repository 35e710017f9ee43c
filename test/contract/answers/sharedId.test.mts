import type { IDataObject } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, shownError, textIn, useBench } from '../../support/n8nCore/contactData.mts';
import { resultsOf, Suspended } from '../suspension/suspended.mts';

// One id for several submissions: whose result it leads to is anybody's guess, so nobody gets it.

const bench = useBench();
useFastClock();

const ID = 'one-for-all';
const CONTINUE = { onError: 'continueRegularOutput' } as const;
const NAMES = ['mustfind.ada', 'mustfind.bob', 'mustfind.eve'];

interface Case {
	resource: string;
	fields: IDataObject;
	items: IDataObject[];
}

const CASES: Case[] = [
	{
		resource: 'emailFinder',
		fields: { fullname: '={{ $json.fullname }}', companyDomain: 'acme.example' },
		items: NAMES.map((fullname) => ({ fullname })),
	},
	{
		resource: 'emailVerifier',
		fields: { email: '={{ $json.email }}' },
		items: NAMES.map((name) => ({ email: `${name}@acme.example` })),
	},
	{
		resource: 'phoneFinder',
		fields: { socialProfileUrl: '={{ $json.url }}' },
		items: NAMES.map((name) => ({ url: `https://network.example/in/${name}` })),
	},
];

const shareId = (times = Infinity) =>
	bench().sandbox.faults.add({
		on: 'POST *',
		kind: 'changed',
		change: (body) => ({ ...body, id: ID }),
		times,
	});

/** What is read under the id: the first one's result. */
const first = { qualification: 'valid', email: 'ada@acme.example' };
beforeEach(() => {
	const read = { kind: 'status', status: 200, times: Infinity } as const;
	bench().sandbox.faults.add({ ...read, on: 'GET /email/find/single', body: first });
});

describe.for(CASES)('$resource', ({ resource, fields, items }) => {
	const run = async (operation: string, settings = {}, given = {}) =>
		await bench().run(resource, operation, {
			parameters: fields as Record<string, string>,
			items,
			settings,
			...given,
		});

	it.for(['submitAndWait', 'submit'])(
		'%s: each of the three is an error with the id, and no result',
		async (operation) => {
			shareId();
			const results = jsonOf(await run(operation, CONTINUE));
			expect(results).toHaveLength(3);
			for (const json of results) {
				expect(json.id).toBe(ID);
				expect(json.error).toContain(ID);
				expect(json).not.toHaveProperty('found');
				expect(json).not.toHaveProperty('status');
			}
			expect(bench().looks).toEqual([]);
		},
	);

	it.for(['submitAndWait', 'submit'])(
		'%s: a run that stops on errors names it',
		async (operation) => {
			shareId();
			const shown = shownError(await run(operation), bench().sandbox.apiKey);
			expect(shown.message).toMatch(/^The service gave the ID one-for-all to several /);
			expect(shown.description).toContain("'Get Result'");
			expect(shown.description).toContain('nothing is sent again');
		},
	);

	it('the one that has an id of its own gets its result, and the next try sends nothing', async () => {
		shareId(2);
		const once = await run('submitAndWait', CONTINUE);
		const ids = jsonOf(once).map(({ id }) => id);
		expect(ids.filter((id) => id === ID)).toHaveLength(2);
		expect(jsonOf(once).filter(({ found }) => found === true)).toHaveLength(1);

		const again = await run('submitAndWait', CONTINUE, { contextData: once.contextData });
		expect(jsonOf(again).map(({ id }) => id)).toEqual(ids);
		expect(jsonOf(again).filter(({ error }) => error !== undefined)).toHaveLength(2);
		expect(bench().posts).toHaveLength(3);
	});
});

describe('batches', () => {
	it('that share an id are errors with it', async () => {
		shareId();
		const run = await bench().run('emailFinder', 'submitBulk', {
			parameters: { fullname: '={{ $json.fullname }}', companyDomain: 'acme.example' },
			options: { custom: '={{ ({ of: $json.fullname }) }}' },
			items: NAMES.map((fullname) => ({ fullname })),
			settings: CONTINUE,
		});
		expect(bench().posts).toHaveLength(3);
		for (const { batch_id, error } of jsonOf(run)) {
			expect(batch_id).toBe(ID);
			expect(error).toContain(ID);
		}
	});
});

describe('after a suspend', () => {
	it('those that share an id are errors, and the others get their results', async () => {
		bench().sandbox.configure({ single: 3_600_000 });
		shareId(2);
		const items = NAMES.map((name) => ({ email: `${name}@acme.example` }));
		const given = { items, settings: CONTINUE };
		const execution = new Suspended(bench(), 'emailVerifier', 'submitAndWait', given);
		const parked = await execution.park();
		bench().sandbox.service.finish();
		const results = resultsOf(await execution.resume(parked));
		expect(results.filter(({ error, id }) => error !== undefined && id === ID)).toHaveLength(2);
		expect(results.filter(({ found }) => found === true)).toHaveLength(1);
	});
});

describe('is none', () => {
	const email = 'mustfind@acme.example';

	it('where equal searches are one submission', async () => {
		const items = [{ email }, { email: email.toUpperCase() }];
		const run = await bench().run('emailVerifier', 'submitAndWait', {
			parameters: { email: '={{ $json.email }}' },
			items,
		});
		const [one, other] = jsonOf(run);
		expect(one).toMatchObject({ found: true });
		expect(other?.id).toBe(one?.id);
	});

	it('where a later try has it from an earlier one', async () => {
		bench().sandbox.faults.add({ on: 'GET /email/*', kind: 'status', status: 418, times: 9 });
		const given = { parameters: { email } };
		const failed = await bench().run('emailVerifier', 'submitAndWait', given);
		expect(failed.error).toBeDefined();
		bench().sandbox.faults.clear();
		const again = { ...given, contextData: failed.contextData };
		expect(jsonOf(await bench().run('emailVerifier', 'submitAndWait', again))).toMatchObject([
			{ found: true },
		]);
		expect(bench().posts).toHaveLength(1);
	});

	it('where two items read the same id', async () => {
		const start = await bench().run('emailVerifier', 'submit', { parameters: { email } });
		const lookupId = textIn(jsonOf(start)[0], 'id');
		bench().sandbox.service.finish();
		const run = await bench().run('emailVerifier', 'getResult', {
			parameters: { lookupId },
			items: [{}, {}],
		});
		expect(jsonOf(run)).toMatchObject([{ found: true }, { found: true }]);
	});
});
