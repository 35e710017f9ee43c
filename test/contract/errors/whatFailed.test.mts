import { describe, expect, it, vi } from 'vitest';
import { skipTime, useFastClock } from '../../support/clock.mts';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { WRONG_EMAIL } from '../../support/people.mts';
import { items, LOOKUP_NAMES, parametersOf, searchOf } from '../../support/searches.mts';
import { resultsOf, Suspended } from '../pausing/suspended.mts';

// What a user needs to repair an item that failed: which item, which search, and its own fields.

const bench = useBench();
useFastClock();
// Sockets keep their own time, and another's load.
vi.setConfig({ testTimeout: 60_000 });

const CONTINUE = { onError: 'continueRegularOutput' } as const;
const INCLUDE = { includeInputFields: true };
const TEXT: unknown = expect.any(String);

describe.for(LOOKUP_NAMES)('%s: a search that failed', (resource) => {
	const parameters = parametersOf(resource);
	const search = searchOf(resource, 'two');
	const given = { parameters, items: items('one', 'two'), settings: CONTINUE };

	it('is told as it was to be sent beside the number of its item, without Simplify', async () => {
		bench().sandbox.faults.add({ kind: 'status', on: 'POST *', status: 418, times: 2 });
		const run = await bench().run(resource, 'submitAndWait', {
			...given,
			parameters: { ...parameters, simplify: false },
		});
		expect(jsonOf(run)[1]).toEqual({ error: TEXT, description: TEXT, item: 1, search });
	});

	it('is told so in its columns, with the id of what was paid for', async () => {
		bench().sandbox.configure({ scenarios: ['batchFailed'] });
		const run = await bench().run(resource, 'submitBulkAndWait', given);
		const batch_id = bench().sandbox.ledger.entries[0]?.id;
		expect(jsonOf(run)[1]).toMatchObject({
			...search,
			found: null,
			error: TEXT,
			batch_id,
			status: 'failed',
		});
	});
});

it('a run that failed as a whole gives all columns, with the fields of the input', async () => {
	const run = await bench().run('emailVerifier', 'submitAndWait', {
		credentials: { contactDataApi: { apiKey: '', baseUrl: 'https://api.example.com' } },
		parameters: { email: '={{ $json.mail }}' },
		items: [{ mail: 'mustfind1@acme.com', row: 1 }],
		settings: CONTINUE,
		options: INCLUDE,
	});
	expect(jsonOf(run)).toEqual([
		{
			mail: 'mustfind1@acme.com',
			row: 1,
			email: null,
			found: null,
			error: TEXT,
			qualification: null,
			search_id: null,
			batch_id: null,
			status: 'failed',
			reason: null,
		},
	]);
});

describe('an item that failed while the others are waited for in a pause', () => {
	const JOB_MS = 600_000;
	const rows = [
		{ email: 'mustfind1@acme.com', row: 1, status: 'ongoing', search_id: 'x', batch_id: 'x' },
		{ email: WRONG_EMAIL, row: 2, status: 'ongoing', search_id: 'x', batch_id: 'x' },
		{ email: `other.${WRONG_EMAIL}`, row: 3 },
	];
	const suspended = (onError: 'continueRegularOutput' | 'continueErrorOutput') => {
		bench().sandbox.configure({ single: JOB_MS, bulk: JOB_MS });
		const given = { items: rows, settings: { onError }, options: INCLUDE };
		return new Suspended(bench(), 'emailVerifier', 'submitBulkAndWait', given);
	};
	const failed = rows.slice(1).map(({ row, email }) => ({
		row,
		n: row - 1,
		email: null,
		input_email: email,
		error: TEXT,
		status: 'failed',
	}));

	it('keeps the fields of its input, also when the time is over', async () => {
		const execution = suspended('continueRegularOutput');
		const parked = await execution.park();
		const late = resultsOf(await execution.reachDeadline(parked));
		expect(late.slice(1)).toMatchObject(failed);
		skipTime(JOB_MS);
		const run = await execution.resume(parked);
		expect(resultsOf(run)).toMatchObject([{ found: true, row: 1 }, ...failed]);
	});

	it('keeps them on the error output', async () => {
		const run = await suspended('continueErrorOutput').runThrough(JOB_MS);
		expect(resultsOf(run)).toMatchObject([{ found: true, row: 1 }]);
		expect(resultsOf(run, 1)).toMatchObject(
			failed.map(({ error, ...message }) => ({ error, message })),
		);
	});

	it('as its batch failed: says which search it is, and keeps the fields', async () => {
		bench().sandbox.configure({ scenarios: ['batchFailed'] });
		const [first] = resultsOf(await suspended('continueRegularOutput').runThrough(JOB_MS));
		const batch_id = bench().sandbox.ledger.entries[0]?.id;
		expect(first).toMatchObject({ row: 1, error: TEXT, email: rows[0]?.email, batch_id });
	});
});
