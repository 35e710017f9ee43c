import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import type { LookupName } from '../../../nodes/ContactData/lookups/index.ts';
import { useFastClock } from '../../support/clock.mts';
import type { Given } from '../../support/n8nCore/contactData.mts';
import { jsonOf, textIn, useBench } from '../../support/n8nCore/contactData.mts';
import { LOOKUP_NAMES } from '../../support/searches.mts';
import { resultsOf, Suspended } from '../pausing/suspended.mts';
import { SEARCH_BY_NAME } from '../spending/money.mts';
import { notify, started } from '../trigger/trigger.mts';

// The simplified form, which users get unless they switch it off: the same columns in the same order,
// whichever way a result comes.

const bench = useBench();
useFastClock();

const COLUMNS: Record<LookupName, string[]> = {
	emailFinder: [
		'email',
		'found',
		'qualification',
		'fullname',
		'firstname',
		'lastname',
		'company_domain',
		'company_name',
		'id',
		'batch_id',
		'status',
	],
	emailVerifier: ['email', 'found', 'qualification', 'id', 'batch_id', 'status'],
	phoneFinder: [
		'number',
		'country',
		'found',
		'qualification',
		'socialprofile_url',
		'firstname',
		'lastname',
		'company_domain',
		'company_name',
		'id',
		'batch_id',
		'status',
	],
};
const withColumn = (resource: LookupName, column: string, before: string) =>
	COLUMNS[resource].flatMap((name) => (name === before ? [column, name] : name));

const WORDS = ['mustfind', 'notfound'];
/** Runs an operation for one who is found and one who is not. */
async function run(
	resource: LookupName,
	operation: string,
	given: Given = {},
): Promise<IDataObject[]> {
	return jsonOf(
		await bench().run(resource, operation, {
			items: WORDS.map((who) => ({ who })),
			...given,
			parameters: { ...SEARCH_BY_NAME[resource], ...given.parameters },
		}),
	);
}

const columnsOf = (items: IDataObject[]) => items.map((item) => Object.keys(item));

describe.for(LOOKUP_NAMES)('%s', (resource) => {
	const expected = WORDS.map(() => COLUMNS[resource]);

	it.for(['submitAndWait', 'submitBulkAndWait'])('%s has the columns', async (operation) => {
		const items = await run(resource, operation);
		expect(columnsOf(items)).toEqual(expected);
		expect(items.map(({ found }) => found)).toEqual([true, false]);
		for (const item of items) {
			const [idle, used] = operation === 'submitAndWait' ? ['batch_id', 'id'] : ['id', 'batch_id'];
			expect(item).toMatchObject({ [idle]: null, [used]: expect.any(String) as string });
		}
	});

	it.for([
		['submit', 'getResult', 'lookupId', 'id'],
		['submitBulk', 'getBulkResult', 'batchId', 'batch_id'],
	] as const)('%s and %s have the columns, by the IDs that are filled in', async (row) => {
		const [start, read] = row;
		const receipts = await run(resource, start);
		bench().sandbox.service.finish();
		const reading = await bench().run(resource, read, { items: receipts });
		// A phone batch lists only whom it found.
		expect(columnsOf(jsonOf(reading))[0]).toEqual(expected[0]);
		expect(jsonOf(reading)[0]).toMatchObject({ found: true });
	});

	it.for(['submitAndWait', 'submitBulkAndWait'] as const)(
		'%s has them after a pause',
		async (operation) => {
			bench().sandbox.configure({ single: 600_000, bulk: 600_000 });
			const execution = new Suspended(bench(), resource, operation, {
				items: WORDS.map((who) => ({ who })),
				parameters: SEARCH_BY_NAME[resource],
			});
			expect(columnsOf(resultsOf(await execution.runThrough(600_000)))).toEqual(expected);
		},
	);

	it.for(['submit', 'submitBulk'])(
		'the trigger has them after %s, and the event',
		async (start) => {
			const [receipt] = await run(resource, start);
			bench().sandbox.service.finish();
			const items = started(await notify(bench(), { id: textIn(receipt, 'search_id') }));
			expect(columnsOf(items)[0]).toEqual([...COLUMNS[resource], 'event']);
		},
	);
});

describe('what a column holds', () => {
	it('what was asked, where the service does not tell it', async () => {
		const items = await run('emailFinder', 'submitBulkAndWait', {
			parameters: { companyName: 'Acme', companyDomain: '' },
		});
		expect(items[1]).toMatchObject({
			email: null,
			fullname: 'notfound Doe',
			firstname: null,
			company_domain: null,
			company_name: 'Acme',
		});
	});

	it('gender, in all items, where it was asked for', async () => {
		const items = await run('emailFinder', 'submitAndWait', { options: { retrieveGender: true } });
		const columns = withColumn('emailFinder', 'gender', 'company_domain');
		expect(columnsOf(items)).toEqual([columns, columns]);
		expect(items[1]?.gender).toBeNull();
	});

	it('custom, in all items, where one has it', async () => {
		const items = await run('phoneFinder', 'submitBulkAndWait', {
			items: WORDS.map((who, row) => ({ who, row: row === 0 ? '' : `row ${row}` })),
			options: { itemCustom: '={{ $json.row }}' },
		});
		const columns = withColumn('phoneFinder', 'custom', 'id');
		expect(columnsOf(items)).toEqual([columns, columns]);
		expect(items.map(({ custom }) => custom)).toEqual([null, 'row 1']);
	});

	it('an input field that says more of the search than is known', async () => {
		const items = await run('emailFinder', 'submitAndWait', {
			items: [{ who: 'notfound', firstname: 'Nora', row: 7 }],
			options: { includeInputFields: true },
		});
		expect(items).toMatchObject([{ row: 7, firstname: 'Nora', found: false }]);
	});

	it.for([
		['submitAndWait', true],
		['submitAndWait', false],
		['submitBulkAndWait', true],
		['submitBulkAndWait', false],
	] as const)(
		'the answer, and never an old one of the input, which has a column of its own: %s, Simplify %s',
		async ([operation, simplify]) => {
			const items = [
				{ who: 'notfound', email: 'old@acme.example', found: true },
				{ who: 'mustfind', email: 'mustfind.doe@acme.example', found: true },
			];
			const options = { includeInputFields: true };
			const given = { items, options, parameters: { simplify } };
			expect(await run('emailFinder', operation, given)).toMatchObject([
				{ email: null, input_email: 'old@acme.example', found: false, input_found: true },
				{ email: items[1]?.email, input_email: items[1]?.email, found: true, input_found: true },
			]);
		},
	);

	it('also of one that still runs', async () => {
		bench().sandbox.configure({ single: 600_000 });
		const given = await run('emailVerifier', 'submitAndWait', {
			items: [{ who: 'mustfind', status: 'customer' }],
			options: { includeInputFields: true, timeout: 1, onTimeout: 'output' },
		});
		expect(given).toMatchObject([{ status: 'ongoing', input_status: 'customer' }]);
	});

	it.for([true, false])('an old error is none of the result (Simplify %s)', async (simplify) => {
		const [item] = await run('emailVerifier', 'submitAndWait', {
			items: [{ who: 'mustfind', error: 'of the last run' }],
			options: { includeInputFields: true },
			parameters: { simplify },
		});
		expect(item).toMatchObject({ found: true, input_error: 'of the last run' });
		expect(item?.error ?? null).toBeNull();
	});

	it('no second column where the answer is what the input has', async () => {
		const [item] = await run('emailVerifier', 'submitAndWait', {
			items: [{ who: 'mustfind', email: 'mustfind@acme.example' }],
			options: { includeInputFields: true },
		});
		expect(Object.keys(item ?? {})).not.toContain('input_email');
	});

	it('a phone number that is told as a number', async () => {
		const change = (body: object) => ('number' in body ? { ...body, number: 15551234 } : body);
		bench().sandbox.faults.add({ kind: 'changed', on: 'GET /phone/single', change });
		expect((await run('phoneFinder', 'submitAndWait'))[0]).toMatchObject({ number: '15551234' });
	});
});

describe.for([
	['submitAndWait', 'id'],
	['submitBulkAndWait', 'batch_id'],
] as const)(
	'a column is in all items, also after a pause that only some of them needed: %s',
	(row) => {
		const [operation, idName] = row;
		const JOB_MS = 600_000;

		async function pauseFor(
			resource: LookupName,
			{ items = [], ...given }: Given,
		): Promise<IDataObject[]> {
			const execution = new Suspended(bench(), resource, operation, {
				parameters: SEARCH_BY_NAME[resource],
				items,
				...given,
			});
			return resultsOf(await execution.runThrough(JOB_MS));
		}

		it('reason, where one is no address', async () => {
			bench().sandbox.configure({ single: JOB_MS, bulk: JOB_MS });
			const emails = ['mustfind@a.example', 'nonsense', 'notfound@a.example', 'mustfind@b.example'];
			const items = await pauseFor('emailVerifier', {
				items: emails.map((email) => ({ email })),
				parameters: { email: '={{ $json.email }}' },
			});
			const columns = [...(COLUMNS.emailVerifier ?? []), 'reason'];
			expect(columnsOf(items)).toEqual(emails.map(() => columns));
			expect(items.map(({ email }) => email)).toEqual(emails);
			expect(items.map(({ found }) => found)).toEqual([true, false, false, true]);
			const reason: unknown = expect.stringMatching(/\w/);
			expect(items.map((item) => item.reason)).toEqual([null, reason, null, null]);
		});

		it.for([
			['names a search that is finished', ['row 1', '']],
			['is waited for', ['', 'row 2']],
		] as const)('custom, where the only one that has it %s', async ([, customs]) => {
			const [before] = await run('emailFinder', operation, { items: [{ who: 'mustfind' }] });
			bench().sandbox.configure({ single: JOB_MS, bulk: JOB_MS });
			const byItem = '={{ $json.row ? { row: $json.row } : "" }}';
			const items = await pauseFor('emailFinder', {
				items: WORDS.map((who, n) => ({
					who,
					row: customs[n],
					earlier: n === 0 ? textIn(before, idName) : '',
				})),
				options: {
					earlierId: '={{ $json.earlier }}',
					[operation === 'submitAndWait' ? 'custom' : 'itemCustom']: byItem,
				},
			});
			const columns = withColumn('emailFinder', 'custom', 'id');
			expect(columnsOf(items)).toEqual([columns, columns]);
			expect(items[0]?.[idName]).toBe(before?.[idName]);
			expect(items.map(({ found }) => found)).toEqual([true, false]);
			expect(items.map(({ custom }) => custom)).toEqual(
				customs.map((row) => (row === '' ? null : { row })),
			);
		});
	},
);

describe('one set of columns', () => {
	const CONTINUE = { settings: { onError: 'continueRegularOutput' as const } };
	const withError = (resource: LookupName) => {
		const columns = [...COLUMNS[resource], 'description'];
		columns.splice(2, 0, 'error');
		return columns;
	};

	it.for(['submitAndWait', 'submitBulkAndWait'])(
		'of all items of a run in which one failed, which says who it is: %s',
		async (operation) => {
			const items = await run('emailFinder', operation, {
				items: ['mustfind', '7', 'notfound'].map((who) => ({ who })),
				parameters: { fullname: '={{ $json.who }}' },
				...CONTINUE,
			});
			expect(columnsOf(items)).toEqual(items.map(() => withError('emailFinder')));
			expect(items.map(({ found }) => found)).toEqual([true, null, false]);
			expect(items[1]).toMatchObject({
				email: null,
				error: expect.stringMatching(/^'Full Name' /) as string,
				company_domain: 'acme.example',
				status: 'failed',
			});
			expect(items[0]).toMatchObject({ error: null, description: null, status: 'completed' });
		},
	);

	it('but for an error in the first item, by which some n8n would run the node again', async () => {
		const items = await run('emailVerifier', 'submitAndWait', {
			items: [{ email: 'mustfind@acme.example' }, { email: 7 }],
			parameters: { email: '={{ $json.email }}' },
			settings: { ...CONTINUE.settings, retryOnFail: true },
		});
		expect(items[0]?.error).toBeUndefined();
		expect(items[1]?.error).toEqual(expect.any(String));
	});

	it.for(['submitAndWait', 'submitBulkAndWait'])(
		'of what still runs at the timeout, or is an error then, with its ID: %s',
		async (operation) => {
			bench().sandbox.configure({ single: 600_000, bulk: 600_000 });
			const asked = { fullname: 'mustfind Doe', company_domain: 'acme.example' };
			const options = { timeout: 1, searchAgain: true };
			const items = await run('emailFinder', operation, { options, ...CONTINUE });
			expect(columnsOf(items)).toEqual(items.map(() => withError('emailFinder')));
			expect(items[0]).toMatchObject({ ...asked, found: null, status: 'ongoing' });
			const ongoing = await run('emailFinder', operation, {
				options: { ...options, onTimeout: 'output' },
			});
			const more = operation === 'submitAndWait' ? [] : ['index'];
			expect(columnsOf(ongoing)).toEqual(
				ongoing.map(() => [...(COLUMNS.emailFinder ?? []), ...more]),
			);
			expect(ongoing[0]).toMatchObject({ ...asked, found: null, status: 'ongoing' });

			bench().sandbox.service.finish();
			const reading = operation === 'submitAndWait' ? 'getResult' : 'getBulkResult';
			const read = jsonOf(await bench().run('emailFinder', reading, { items: ongoing }));
			expect(columnsOf(read)).toEqual(WORDS.map(() => COLUMNS.emailFinder));
			expect(read.map(({ fullname }) => fullname)).toEqual([expect.any(String), 'notfound Doe']);
		},
	);

	it('of receipts, with who was asked for and what it cost, also beside what is invalid or failed', async () => {
		const ids = { id: expect.any(String) as string, status: 'ongoing' };
		const [one] = await run('emailFinder', 'submit');
		const asked = { fullname: 'mustfind Doe', company_domain: 'acme.example', company_name: null };
		expect(one).toEqual({ ...asked, ...ids, credits: 1 });

		const items = ['mustfind@a.example', 'MUSTFIND@a.example', 'nonsense', 7].map((email) => ({
			email,
		}));
		const parameters = { email: '={{ $json.email }}' };
		const given = { items, parameters, ...CONTINUE };
		const all = await run('emailVerifier', 'submit', given);
		expect(new Set(columnsOf(all).map(String)).size).toBe(1);
		expect(all).toMatchObject([
			{ email: 'mustfind@a.example', ...ids, credits: 0.25, error: null },
			{ email: 'MUSTFIND@a.example', ...ids, credits: 0, error: null },
			{ email: 'nonsense', found: false, status: 'completed' },
			{ email: null, found: null, status: 'failed', error: expect.any(String) as string },
		]);

		const [batch] = await run('emailFinder', 'submitBulk');
		expect(batch).toMatchObject({
			...ids,
			batch_id: batch?.id,
			fullname: null,
			size: 2,
			credits: 2,
		});
	});

	it('but a batch in one item keeps its own form, and Simplify off what failed', async () => {
		const [receipt] = await run('emailVerifier', 'submitBulk');
		bench().sandbox.service.finish();
		const whole = await bench().run('emailVerifier', 'getBulkResult', {
			items: [receipt ?? {}],
			parameters: { splitResults: false },
		});
		expect(jsonOf(whole)).toMatchObject([{ stats: {}, results: [{}, {}] }]);
		const [failed] = await run('emailVerifier', 'submitAndWait', {
			items: [{}],
			parameters: { email: '={{ 7 }}', simplify: false },
			...CONTINUE,
		});
		expect(columnsOf([failed ?? {}])).toEqual([['error', 'description', 'item']]);
	});
});
