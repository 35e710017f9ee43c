import { describe, expect, it } from 'vitest';
import { skipTime, useFastClock } from '../../support/clock.mts';
import { jsonOf, textIn, useBench } from '../../support/n8nCore/contactData.mts';
import { resumeWorkflow } from '../../support/n8nCore/workflow.mts';
import { noResultForItem } from '../../support/texts.mts';
import { pairsOf, receiptsOf, resultsOf, Suspended, type SuspendGiven } from './suspended.mts';

// What an item's earlier search has found is read at once; only what still runs is parked.

const JOB_MS = 600_000;

const bench = useBench({ single: JOB_MS, bulk: JOB_MS });
useFastClock();

const OPERATIONS = [
	['submitAndWait', 'id'],
	['submitBulkAndWait', 'batch_id'],
] as const;
const BY_ID = { earlierId: '={{ $json.earlier }}' };
const PHONES = { identifyBy: 'profileUrl', socialProfileUrl: '={{ $json.url }}' };

const searchesCharged = () => bench().sandbox.ledger.totals().searches;

describe.for(OPERATIONS)('%s', ([operation, idName]) => {
	const suspended = (items: SuspendGiven['items'], options = {}, resource = 'emailFinder') =>
		new Suspended(bench(), resource, operation, { items, options: { ...BY_ID, ...options } });

	/** Starts searches, and gives their items with the ids that they got. */
	async function startEarlier(names: string[]): Promise<SuspendGiven['items']> {
		const items = names.map((fullname) => ({ fullname }));
		const started = await bench().run('emailFinder', operation, {
			parameters: { fullname: '={{ $json.fullname }}', companyDomain: 'acme.example' },
			items,
			options: { timeout: 1, onTimeout: 'output' },
		});
		const ids = jsonOf(started).map((json) => textIn(json, idName));
		return items.map((item, index) => ({ ...item, earlier: ids[index] }));
	}

	it('of another person that still runs gives nobody that person, paused or not', async () => {
		const [{ earlier } = {}] = await startEarlier(['mustfind ada']);
		const settings = { onError: 'continueRegularOutput' } as const;
		const given = {
			items: [{ fullname: 'zoe smith', earlier: String(earlier) }],
			parameters: { fullname: '={{ $json.fullname }}', companyDomain: 'other.example' },
			settings,
		};
		const options = { ...BY_ID, timeout: 1, onTimeout: 'output' };
		const waiting = jsonOf(await bench().run('emailFinder', operation, { ...given, options }));
		const execution = new Suspended(bench(), 'emailFinder', operation, {
			...given,
			options: BY_ID,
		});
		const parked = await execution.park();
		skipTime(JOB_MS);
		const kept = await bench().run('emailFinder', operation, { ...given, options: BY_ID });
		const [read, id] =
			operation === 'submitAndWait' ? ['getResult', 'lookupId'] : ['getBulkResult', 'batchId'];
		const got = await bench().run('emailFinder', read, {
			...given,
			items: waiting,
			parameters: { [id]: `={{ $json.${idName} }}` },
		});
		for (const json of [jsonOf(kept), jsonOf(got), resultsOf(await execution.resume(parked))]) {
			expect(json).toMatchObject([{ error: expect.any(String) as string }]);
			expect(JSON.stringify(json)).not.toContain('mustfind.ada');
		}
	});

	it('what is finished is read, and nothing is parked', async () => {
		const items = await startEarlier(['mustfind one', 'notfound two']);
		skipTime(JOB_MS);
		const run = await suspended(items).run();
		expect(run).toMatchObject({ status: 'success', parked: undefined });
		expect(resultsOf(run).map(({ found }) => found)).toEqual([true, false]);
		expect(pairsOf(run)).toEqual([0, 1]);
		expect(searchesCharged()).toBe(2);
	});

	it.for([false, true])(
		'what is new is parked, with the results of the others; Include Input Fields: %s',
		async (includeInputFields) => {
			const [first, third] = await startEarlier(['mustfind one', 'notfound three']);
			skipTime(JOB_MS);
			const items = [first, { fullname: 'mustfind two' }, third].map((item, row) => ({
				...item,
				row,
				status: 'lead',
			}));
			const execution = suspended(items, { includeInputFields });
			const parked = await execution.park();
			expect(receiptsOf(parked).map(({ status }) => status)).toEqual([
				'completed',
				'ongoing',
				'completed',
			]);
			skipTime(JOB_MS);
			const results = resultsOf(await execution.resume(parked));
			expect(results.map(({ found }) => found)).toEqual([true, true, false]);
			expect(results.map(({ row }) => row)).toEqual(
				includeInputFields ? [0, 1, 2] : [undefined, undefined, undefined],
			);
			for (const result of results) expect(result).not.toHaveProperty('input_fields');
			expect(searchesCharged()).toBe(3);
		},
	);

	it('what still runs is parked with the rest, and resumed when both are over', async () => {
		const [earlier] = await startEarlier(['mustfind one']);
		const execution = suspended([earlier ?? {}, { fullname: 'mustfind two' }]);
		const parked = await execution.park();
		expect(receiptsOf(parked).map(({ status }) => status)).toEqual(['ongoing', 'ongoing']);
		skipTime(JOB_MS);
		const results = resultsOf(await execution.resume(parked));
		expect(results.map(({ found }) => found)).toEqual([true, true]);
		expect(results[0]?.[idName]).toBe(earlier?.earlier);
		expect(searchesCharged()).toBe(2);
	});

	it('a field index of the input is kept, also where the earlier search is another one', async () => {
		const [one, two] = await startEarlier(['mustfind one', 'notfound two']);
		const changed = { ...two, fullname: 'zoe changed' };
		const items = [one ?? {}, changed, { fullname: 'mustfind three' }].map((item) => ({
			...item,
			index: 'own',
		}));
		const execution = suspended(items, { includeInputFields: true });
		const parked = await execution.park();
		skipTime(JOB_MS);
		const results = resultsOf(await execution.resume(parked));
		expect(results.map(({ found }) => found)).toEqual(
			operation === 'submitBulkAndWait' ? [true, undefined, true] : [true, false, true],
		);
		if (operation === 'submitAndWait') return;
		expect(results[1]).toMatchObject({
			error: expect.stringMatching(new RegExp(`${noResultForItem}$`)) as string,
			index: 'own',
		});
	});

	it('what cannot be read ends the run before anything is paid or parked', async () => {
		const items = [{ fullname: 'mustfind one' }, { fullname: 'x', earlier: 'unknown-id' }];
		const run = await suspended(items).run();
		expect(run).toMatchObject({ status: 'error', parked: undefined });
		bench().expectNothingSubmitted();
	});

	it('a retry after a crash pays nothing again, though the ids of the input are gone', async () => {
		const email = 'mustfind@acme.example';
		const verifier = (items: SuspendGiven['items']) => suspended(items, {}, 'emailVerifier');
		const [receipt] = receiptsOf(await verifier([{ email }]).park());
		skipTime(JOB_MS);
		const items = [{ email, earlier: receipt?.[idName] }, { email: 'notfound@acme.example' }];
		const execution = verifier(items);
		const parked = await execution.park();
		skipTime(JOB_MS);
		const { resumed } = await execution.call(parked);
		if (resumed === undefined) throw new Error('Not resumed');
		// n8n's retry puts the node of the saved workflow in the place of the disabled one.
		const { data } = structuredClone(resumed);
		for (const { node } of data.executionData?.nodeExecutionStack ?? []) node.disabled = false;
		const again = await resumeWorkflow(execution.workflow, { id: '8', mode: 'retry', data });
		expect(resultsOf(again).map(({ found }) => found)).toEqual([true, false]);
		expect(searchesCharged()).toBe(2);
	});
});

it('an earlier batch of phone searches that still runs is parked', async () => {
	const items = ['mustfind-1', 'notfound-2'].map((name) => ({
		url: `https://network.example/in/${name}`,
	}));
	const given = { parameters: PHONES, options: BY_ID };
	const started = await bench().run('phoneFinder', 'submitBulkAndWait', {
		...given,
		items,
		options: { timeout: 1, onTimeout: 'output' },
	});
	const earlier = textIn(jsonOf(started)[0], 'batch_id');
	const isNew = { url: 'https://network.example/in/mustfind-3' };
	const again = [...items.map((item) => ({ ...item, earlier })), isNew];
	const execution = new Suspended(bench(), 'phoneFinder', 'submitBulkAndWait', {
		...given,
		items: again,
	});
	const parked = await execution.park();
	skipTime(JOB_MS);
	const results = resultsOf(await execution.resume(parked));
	expect(results.map(({ found }) => found)).toEqual([true, false, true]);
	expect(searchesCharged()).toBe(3);
});

it('a single phone search of before that still runs is parked', async () => {
	const items = [{ url: 'https://network.example/in/mustfind-alone' }];
	const started = await bench().run('phoneFinder', 'submit', { parameters: PHONES, items });
	const earlier = textIn(jsonOf(started)[0], 'id');
	const execution = new Suspended(bench(), 'phoneFinder', 'submitAndWait', {
		items: items.map((item) => ({ ...item, earlier })),
		options: BY_ID,
	});
	const parked = await execution.park();
	skipTime(JOB_MS);
	expect(resultsOf(await execution.resume(parked))).toMatchObject([{ id: earlier, found: true }]);
	expect(searchesCharged()).toBe(1);
});
