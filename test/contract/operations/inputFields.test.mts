import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { start } from '../../support/n8nCore/testNodes.mts';
import { runWorkflow } from '../../support/n8nCore/workflow.mts';
import { resultsOf, Suspended } from '../pausing/suspended.mts';
import { FIND } from '../spending/money.mts';

// Include Input Fields: an answer hides an old value, and nothing is ever written over. What the input calls
// like the name that a hidden one would get, stays.

const bench = useBench();
useFastClock();

const KEEPING = { includeInputFields: true };
const STARTING = { parameters: FIND, options: KEEPING };
const LEAD = { fullname: 'mustfind lead', id: 'crm-77', email: 'old@a.example' };
const MINE = { input_email: 'mine@a.example' };

/** The values of an item that are not in another one, under whatever name. */
function lost(before: IDataObject, after: IDataObject | undefined): unknown[] {
	const kept = Object.values(after ?? {});
	return Object.values(before).filter((value) => !kept.includes(value));
}

describe.for(['submitAndWait', 'submitBulkAndWait'] as const)('%s', (operation) => {
	it('with Simplify off hides what an answer of its kind may leave out', async () => {
		const before = { number: '+1 555 0100', found: true, status: 'completed' };
		const run = await bench().run('phoneFinder', operation, {
			parameters: { socialProfileUrl: '={{ $json.who }}', simplify: false },
			items: [{ ...before, who: 'N/A' }],
			options: KEEPING,
			settings: { onError: 'continueRegularOutput' },
		});
		const [json] = jsonOf(run);
		expect(json).toMatchObject({ input_number: before.number, input_found: true });
		expect(json).not.toHaveProperty('number');
		expect(json).not.toHaveProperty('found');
	});

	it('hides a field beside such a name, also after a pause', async () => {
		const lead = { ...LEAD, ...MINE };
		const execution = new Suspended(bench(), 'emailFinder', operation, {
			items: [lead],
			options: KEEPING,
		});
		const [json] = resultsOf(await execution.runThrough(60_000));
		expect(json).toMatchObject({ ...MINE, input_email_2: LEAD.email, found: true });
		expect(json?.email).toMatch(/^mustfind\.lead@/);
	});

	it('keeps all of a lead, and the answers of each node, through three nodes', async () => {
		const lead = { ...LEAD, ...MINE };
		const verify = (name: string) => ({
			...bench().node('emailVerifier', operation, {
				parameters: { email: '={{ $json.email }}' },
				options: { ...KEEPING, searchAgain: true },
			}),
			name,
		});
		const nodes = [
			start([lead]),
			bench().node('emailFinder', operation, { parameters: FIND, options: KEEPING }),
			verify('Verify'),
			verify('Verify Again'),
		];
		const run = await runWorkflow({ nodes, credentials: bench().credentials });
		expect(run.error?.message).toBeUndefined();
		const [last] = run.items('Verify Again').map(({ json }) => json);
		expect(last).toMatchObject({ ...MINE, email: 'mustfind.lead@acme.com', found: true });
		const ids = bench().sandbox.ledger.entries.map(({ id }) => id);
		expect(ids).toHaveLength(3);
		expect(lost({ ...lead, ...ids }, { ...last, fullname: lead.fullname })).toEqual([]);
	});
});

describe('of what is not found yet', () => {
	const lead = { ...LEAD, status: 'warm' };

	it('the receipt of one search has the fields of its item, and that of several has them as null', async () => {
		const start = async (...items: IDataObject[]) =>
			jsonOf(await bench().run('emailFinder', 'submitBulk', { ...STARTING, items }))[0] ?? {};
		const one = await start(lead);
		expect(one).toMatchObject({ ...lead, status: 'ongoing', input_status: 'warm', size: 1 });
		const several = await start(
			{ ...lead, fullname: 'mustfind other' },
			{ fullname: 'mustfind a' },
		);
		const { batch_id, credits } = several;
		const nothing = Object.fromEntries(Object.keys(one).map((name) => [name, null]));
		expect(several).toEqual({ ...nothing, batch_id, credits, status: 'ongoing', size: 2 });
		expect(batch_id).not.toBeNull();
	});

	it.for([true, false])(
		"Get Result takes no lead's id for that of a search, with Simplify %s",
		async (simplify) => {
			const started = await bench().run('emailVerifier', 'submit', {
				parameters: { email: '={{ $json.mail }}', simplify },
				items: [{ mail: 'ada', id: 17, batch_id: 'crm-9' }],
				options: KEEPING,
			});
			// The name that a receipt has for it.
			const parameters = simplify ? {} : { simplify, lookupId: '={{ $json.id }}' };
			const items = jsonOf(started);
			const [json] = jsonOf(await bench().run('emailVerifier', 'getResult', { parameters, items }));
			expect(json).toMatchObject({ found: false, qualification: 'invalid', reason: 'no @' });
			expect(json?.search_id ?? json?.id ?? null).toBeNull();
			if (simplify) expect(json?.batch_id).toBeNull();
		},
	);

	it.for([true, false])(
		'Dry Run hides what it tells itself, and nothing else, with Simplify %s',
		async (simplify) => {
			const mine = { note: 'vip', credits: 9, action: 'call', reason: 'old', same_as: 'x' };
			const run = await bench().run('emailFinder', 'submitAndWait', {
				parameters: { ...FIND, simplify },
				items: [{ ...lead, ...mine }],
				options: { ...KEEPING, dryRun: true },
			});
			const told = { action: 'submit', note: null, reason: null, same_as: null, dry_run: true };
			const hidden = Object.entries(mine).map(([name, value]) => [`input_${name}`, value] as const);
			expect(jsonOf(run)).toMatchObject([{ ...lead, ...told, ...Object.fromEntries(hidden) }]);
		},
	);
});
