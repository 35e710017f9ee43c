import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { optionalColumns } from '../../../nodes/ContactData/input/settings.ts';
import { lookups, type LookupName } from '../../../nodes/ContactData/lookups/index.ts';
import { columnsOf } from '../../../nodes/ContactData/results/columns.ts';
import { useFastClock } from '../../support/clock.mts';
import type { Given } from '../../support/n8nCore/contactData.mts';
import { jsonOf, textIn, useBench } from '../../support/n8nCore/contactData.mts';
import { settingsFor } from '../../support/rows.mts';
import { LOOKUP_NAMES, parametersOf } from '../../support/searches.mts';
import { resultsOf, Suspended } from '../pausing/suspended.mts';
import { notify, started } from '../trigger/trigger.mts';

// The simplified form, which users get unless they switch it off: which columns there are depends on the
// settings alone. What they are, and what each holds, is in `unit/results/columns.test.mts`.

const bench = useBench();
useFastClock();

const CONTINUE = { settings: { onError: 'continueRegularOutput' as const } };
const WHOS = ['mustfind', 'notfound', '\ufffd'].map((who) => ({ who }));
const JOB_MS = 600_000;
const WAITS = ['submitAndWait', 'submitBulkAndWait'] as const;

/** Runs an operation for one who is found, one who is not, and one who cannot be searched for. */
async function run(
	resource: LookupName,
	operation: string,
	given: Given = {},
): Promise<IDataObject[]> {
	const parameters = { ...parametersOf(resource), ...given.parameters };
	const all = { items: WHOS, ...CONTINUE, ...given, parameters };
	return jsonOf(await bench().run(resource, operation, all));
}

const namesIn = (items: IDataObject[]) => [...new Set(items.map((item) => Object.keys(item)))];
const columns = (resource: LookupName, askedColumns: readonly string[] = []) =>
	columnsOf(settingsFor(lookups[resource], 'single', { askedColumns }));

describe.for(LOOKUP_NAMES)('%s has the same columns', (resource) => {
	const expectColumns = (items: IDataObject[], expected = columns(resource)) => {
		expect(items.length).toBeGreaterThan(0);
		for (const names of namesIn(items)) expect(names).toEqual(expected);
	};
	const optional = columns(resource, optionalColumns(lookups[resource]));

	it.for(WAITS)('found, not found, and failed: %s', async (operation) => {
		const items = await run(resource, operation);
		expectColumns(items);
		expect(items.slice(0, 2).map(({ found }) => found)).toEqual([true, false]);
	});

	it.for(WAITS)('still running, as an item and as an error: %s', async (operation) => {
		bench().sandbox.configure({ single: JOB_MS, bulk: JOB_MS });
		for (const onTimeout of ['output', 'error']) {
			const items = await run(resource, operation, { options: { timeout: 1, onTimeout } });
			expectColumns(items);
			expect(items[0]).toMatchObject({ found: null, status: 'ongoing' });
			expect(typeof items[0]?.error).toBe(onTimeout === 'error' ? 'string' : 'object');
		}
	});

	it.for(WAITS)('after a pause: %s', async (operation) => {
		bench().sandbox.configure({ single: JOB_MS, bulk: JOB_MS });
		const parameters = parametersOf(resource);
		const given = { items: WHOS, parameters, ...CONTINUE };
		const execution = new Suspended(bench(), resource, operation, given);
		expectColumns(resultsOf(await execution.runThrough(JOB_MS)));
	});

	it.for([
		['submit', 'getResult', 'search_id'],
		['submitBulk', 'getBulkResult', 'batch_id'],
	] as const)('with all options, read by %s and %s, and of the trigger', async (row) => {
		const [start, read, idName] = row;
		const receipts = await run(resource, start, { items: WHOS.slice(0, 2) });
		bench().sandbox.service.finish();
		expectColumns(jsonOf(await bench().run(resource, read, { items: receipts })), optional);
		const call = await notify(bench(), { id: textIn(receipts[0], idName) });
		expectColumns(started(call), [...optional, 'event']);
	});
});

it('what was asked stands where the service does not tell it', async () => {
	const [, item] = await run('emailFinder', 'submitBulkAndWait', {
		parameters: { companyName: 'Acme', companyDomain: '' },
	});
	expect(item).toMatchObject({
		...{ email: null, firstname: null, company_domain: null },
		...{ fullname: 'notfound Doe', company_name: 'Acme' },
	});
});

it.for([
	['submitAndWait', 'custom'],
	['submitBulkAndWait', 'itemCustom'],
] as const)('custom and gender are there where their option is: %s', async ([operation, name]) => {
	const items = await run('emailFinder', operation, {
		items: WHOS.slice(0, 2),
		options: { [name]: '={{ $itemIndex > 0 ? { row: 7 } : "" }}', retrieveGender: false },
	});
	const expected = columns('emailFinder', ['gender', 'custom']);
	for (const names of namesIn(items)) expect(names).toEqual(expected);
	expect(items).toMatchObject([{ custom: null }, { custom: { row: 7 }, gender: null }]);
});

it('receipts say who was asked for and what it cost, also beside what is invalid or failed', async () => {
	const emails = ['mustfind@a.example', 'MUSTFIND@a.example', 'nonsense', '\ufffd@a.example'];
	const given = {
		items: emails.map((email) => ({ email })),
		parameters: { email: '={{ $json.email }}' },
	};
	const receipts = await run('emailVerifier', 'submit', given);
	expect(new Set(namesIn(receipts).map(String)).size).toBe(1);
	const search_id = textIn(receipts[0], 'search_id');
	expect(receipts).toMatchObject([
		{ email: emails[0], search_id, status: 'ongoing', credits: 0.25, error: null },
		{ email: emails[1], search_id, status: 'ongoing', credits: 0, error: null },
		{
			email: emails[2],
			search_id: null,
			status: 'completed',
			reason: expect.any(String) as string,
		},
		{ search_id: null, status: 'failed', error: expect.any(String) as string },
	]);
	const [batch] = await run('emailFinder', 'submitBulk', { items: WHOS.slice(0, 2) });
	expect(batch).toMatchObject({ fullname: null, status: 'ongoing', size: 2, credits: 2 });
});

it('with Simplify off, what failed says what and where, and its description apart', async () => {
	const [failed] = await run('emailVerifier', 'submitAndWait', {
		items: [{}],
		parameters: { email: '={{ 7 }}', simplify: false },
	});
	expect(Object.keys(failed ?? {})).toEqual(['error', 'description', 'item']);
});
