import { describe, expect, it } from 'vitest';
import { skipTime, useFastClock } from '../../support/clock.mts';
import { jsonOf, textIn, useBench } from '../../support/n8nCore/contactData.mts';
import { receiptsOf, resultsOf, Suspended, type SuspendGiven } from './suspended.mts';

// What an item's earlier search has found is read at once; only what still runs is parked. That the
// results are those of a poll, `sameAsPollProperty.test.mts` says.

const JOB_MS = 600_000;

const bench = useBench({ single: JOB_MS, bulk: JOB_MS });
useFastClock();

const OPERATIONS = [
	['submitAndWait', 'id'],
	['submitBulkAndWait', 'batch_id'],
] as const;
const BY_ID = { earlierId: '={{ $json.earlier }}' };

const searchesCharged = () => bench().sandbox.ledger.totals().searches;

describe.for(OPERATIONS)('%s', ([operation, idName]) => {
	const suspended = (items: SuspendGiven['items']) =>
		new Suspended(bench(), 'emailFinder', operation, { items, options: BY_ID });

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
		expect(searchesCharged()).toBe(2);
	});

	it('what still runs and what is new is parked, with the results of the others', async () => {
		const [first] = await startEarlier(['mustfind one']);
		skipTime(JOB_MS);
		const [third] = await startEarlier(['notfound three']);
		const items = [first ?? {}, { fullname: 'mustfind two' }, third ?? {}];
		const execution = suspended(items);
		const parked = await execution.park();
		const statuses = receiptsOf(parked).map(({ status }) => status);
		expect(statuses).toEqual(['completed', 'ongoing', 'ongoing']);
		skipTime(JOB_MS);
		const results = resultsOf(await execution.resume(parked));
		expect(results.map(({ found }) => found)).toEqual([true, true, false]);
		expect(results[2]?.[idName]).toBe(third?.earlier);
		expect(searchesCharged()).toBe(3);
	});

	it('what cannot be read ends the run before anything is paid or parked', async () => {
		const items = [{ fullname: 'mustfind one' }, { fullname: 'x', earlier: 'unknown-id' }];
		const run = await suspended(items).run();
		expect(run).toMatchObject({ status: 'error', parked: undefined });
		bench().expectNothingSubmitted();
	});
});
