import { describe, expect, it, vi } from 'vitest';
import { skipTime, useFastClock } from '../../support/clock.mts';
import { jsonOf, pairedWith, useBench } from '../../support/n8nCore/contactData.mts';
import { WRONG_EMAIL } from '../../support/people.mts';
import { eachLookup } from '../../support/searches.mts';
import { resultsOf, Suspended } from '../pausing/suspended.mts';

// What a user needs to repair an item that failed: which item, which search, and its own fields.

const bench = useBench();
useFastClock();
// Sockets keep their own time, and another's load.
vi.setConfig({ testTimeout: 60_000 });

const CONTINUE = { onError: 'continueRegularOutput' } as const;
const INCLUDE = { includeInputFields: true };
const EMAIL = { email: '={{ $json.mail }}' };
const ITEMS = [
	{ mail: 'mustfind1@acme.com', row: 1 },
	{ mail: WRONG_EMAIL, row: 2 },
	{ mail: 'mustfind3@acme.com', row: 3 },
];
const TEXT: unknown = expect.any(String);

/** The service takes all submissions but the second. */
function refuseSecond() {
	bench().sandbox.faults.add({ kind: 'status', on: 'POST *', skip: 1, status: 418 });
}

it.for(['submitAndWait', 'submitBulkAndWait', 'submit', 'submitBulk'])(
	'%s: an item that is wrong keeps the fields of its input with Include Input Fields',
	async (operation) => {
		const run = await bench().run('emailVerifier', operation, {
			parameters: EMAIL,
			items: ITEMS,
			settings: CONTINUE,
			options: INCLUDE,
		});
		const failed = run.items.filter(({ json }) => typeof json.error === 'string');
		expect(failed.map(({ json }) => json)).toEqual([
			expect.objectContaining({ ...ITEMS[1], error: TEXT, description: TEXT, status: 'failed' }),
		]);
		expect(failed.map(pairedWith)).toEqual([[1]]);
	},
);

const CASES = eachLookup({
	emailFinder: {
		parameters: { fullname: '={{ $json.name }}', companyDomain: 'https://Acme.com/about' },
		search: { fullname: 'two', company_domain: 'acme.com' },
	},
	emailVerifier: {
		parameters: { email: '= {{ $json.name }}@acme.com ' },
		search: { email: 'two@acme.com' },
	},
	phoneFinder: {
		parameters: { socialProfileUrl: '=https://social.example/in/{{ $json.name }}' },
		search: { socialprofile_url: 'https://social.example/in/two' },
	},
});

describe.for(CASES)('$resource: a search that failed', ({ resource, parameters, search }) => {
	const given = { parameters, items: [{ name: 'one' }, { name: 'two' }], settings: CONTINUE };

	it('is told as it was to be sent', async () => {
		bench().sandbox.faults.add({ kind: 'status', on: 'POST *', status: 418, times: 2 });
		const run = await bench().run(resource, 'submitAndWait', given);
		expect(jsonOf(run)[1]).toMatchObject({
			...search,
			found: null,
			error: TEXT,
			description: TEXT,
			id: null,
			status: 'failed',
		});
	});

	it('is told so beside the number of its item, without Simplify', async () => {
		bench().sandbox.faults.add({ kind: 'status', on: 'POST *', status: 418, times: 2 });
		const run = await bench().run(resource, 'submitAndWait', {
			...given,
			parameters: { ...parameters, simplify: false },
		});
		expect(jsonOf(run)[1]).toEqual({ error: TEXT, description: TEXT, item: 1, search });
	});

	it('is told with the id of what was paid for', async () => {
		bench().sandbox.configure({ scenarios: ['batchFailed'] });
		const run = await bench().run(resource, 'submitBulkAndWait', given);
		const batch_id = bench().sandbox.ledger.entries[0]?.id;
		expect(jsonOf(run)[1]).toMatchObject({
			...search,
			found: null,
			error: TEXT,
			description: TEXT,
			batch_id,
			status: 'failed',
		});
	});
});

describe('the error of an item', () => {
	it('stands over fields of the input with the same names', async () => {
		const own = { error: 'earlier', description: 'mine', item: 'mine', search: 'mine', id: 'mine' };
		refuseSecond();
		const run = await bench().run('emailVerifier', 'submitAndWait', {
			parameters: EMAIL,
			items: ITEMS.map((item) => ({ ...item, ...own })),
			settings: CONTINUE,
			options: INCLUDE,
		});
		const failed = jsonOf(run).filter(({ error }) => typeof error === 'string');
		expect(failed).toHaveLength(2);
		for (const json of failed) {
			expect(json).toMatchObject({
				error: TEXT,
				input_error: 'earlier',
				description: TEXT,
				input_description: 'mine',
				// There is none of ours.
				id: null,
				input_id: 'mine',
				search: 'mine',
			});
			expect(json.error).not.toBe('earlier');
			expect(json.description).not.toBe('mine');
		}
	});

	it('has the fields of the input where the run failed as a whole', async () => {
		const run = await bench().run('emailVerifier', 'submitAndWait', {
			credentials: { contactDataApi: { apiKey: '', baseUrl: 'https://api.example.com' } },
			parameters: EMAIL,
			items: ITEMS,
			settings: CONTINUE,
			options: INCLUDE,
		});
		expect(jsonOf(run)).toEqual(
			ITEMS.map((fields) => ({
				...fields,
				email: null,
				found: null,
				error: TEXT,
				qualification: null,
				id: null,
				batch_id: null,
				status: 'failed',
				description: TEXT,
			})),
		);
	});

	it('of an entry that its finished list does not list says which one it is', async () => {
		bench().sandbox.faults.add({
			kind: 'changed',
			on: 'GET /email/verify/bulk',
			change: (body) => ('results' in body ? { ...body, stats: {}, results: [] } : body),
			times: Infinity,
		});
		const list = ['mustfind1@acme.com', 'mustfind2@acme.com'];
		const run = await bench().run('emailVerifier', 'submitBulkAndWait', {
			parameters: { inputMode: 'array', verifications: '={{ $json.list }}' },
			items: [{ list }],
			settings: CONTINUE,
		});
		expect(jsonOf(run)).toMatchObject(list.map((email) => ({ email, error: TEXT })));
	});
});

describe('an item that failed while the others are waited for in a pause', () => {
	const JOB_MS = 600_000;
	/** They would be mistaken for those of a search that is waited for. */
	const LOOKALIKE = {
		status: 'ongoing',
		id: 'x',
		batch_id: 'x',
		input_fields: { a: 1 },
		custom: 'own',
	};
	const items = [
		{ email: 'mustfind1@acme.com', row: 1, ...LOOKALIKE },
		{ email: WRONG_EMAIL, row: 2, ...LOOKALIKE },
		{ email: `other.${WRONG_EMAIL}`, row: 3 },
	];
	const suspended = (onError: 'continueRegularOutput' | 'continueErrorOutput') => {
		bench().sandbox.configure({ single: JOB_MS, bulk: JOB_MS });
		const given = { items, settings: { onError }, options: INCLUDE };
		return new Suspended(bench(), 'emailVerifier', 'submitBulkAndWait', given);
	};
	const failedBefore = (n: number): unknown =>
		expect.objectContaining({
			row: n + 1,
			n,
			email: null,
			input_email: items[n]?.email,
			error: TEXT,
			description: TEXT,
			status: 'failed',
		});

	it('keeps the fields of its input', async () => {
		const execution = suspended('continueRegularOutput');
		const parked = await execution.park();
		skipTime(JOB_MS);
		expect(resultsOf(await execution.resume(parked))).toEqual([
			expect.objectContaining({ found: true, row: 1 }),
			failedBefore(1),
			failedBefore(2),
		]);
	});

	it('keeps them when the time is over', async () => {
		const execution = suspended('continueRegularOutput');
		const results = resultsOf(await execution.reachDeadline(await execution.park()));
		expect(results.slice(1)).toEqual([failedBefore(1), failedBefore(2)]);
	});

	it('keeps them on the error output', async () => {
		const execution = suspended('continueErrorOutput');
		const parked = await execution.park();
		skipTime(JOB_MS);
		const run = await execution.resume(parked);
		expect(resultsOf(run)).toMatchObject([{ found: true, row: 1 }]);
		expect(resultsOf(run, 1)).toMatchObject([
			{ error: TEXT, message: { row: 2, input_email: items[1]?.email, description: TEXT } },
			{ error: TEXT, message: { row: 3, input_email: items[2]?.email, description: TEXT } },
		]);
	});

	it('as its batch failed: says which search it is, and keeps the fields', async () => {
		bench().sandbox.configure({ scenarios: ['batchFailed'] });
		const execution = suspended('continueRegularOutput');
		const parked = await execution.park();
		skipTime(JOB_MS);
		const [failed] = resultsOf(await execution.resume(parked));
		expect(failed).toMatchObject({
			row: 1,
			custom: 'own',
			error: TEXT,
			email: 'mustfind1@acme.com',
			batch_id: bench().sandbox.ledger.entries[0]?.id,
		});
	});
});
