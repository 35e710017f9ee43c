import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it, vi } from 'vitest';
import { lookups, type LookupName } from '../../../nodes/ContactData/lookups/index.ts';
import { skipTime, useFastClock } from '../../support/clock.mts';
import { jsonOf, pairedWith, shownError, useBench } from '../../support/n8nCore/contactData.mts';
import { pairsOf, resultsOf, Suspended } from '../pausing/suspended.mts';
import { SEARCH_BY_NAME } from '../spending/money.mts';
import { eachLookup } from '../../support/searches.mts';
import { noResultForItem } from '../../support/texts.mts';

// A batch that is finished, and does not list every search.

const JOB_MS = 600_000;

const bench = useBench({ bulk: JOB_MS });
useFastClock();
// Sockets keep their own time, and another's load.
vi.setConfig({ testTimeout: 60_000 });

const CONTINUE = { onError: 'continueRegularOutput' as const };
const WHOS = ['mustfind-one', 'mustfind-two', 'mustfind-three'];

interface Case {
	resource: LookupName;
	path: `/${string}`;
	/** The n-th search as the batch lists it. */
	listed: (n: number) => IDataObject;
	stats: (found: number) => IDataObject;
}

const items = WHOS.map((who) => ({ who }));
const url = (who?: string) => `https://linkedin.com/in/${who}`;
const CASES: Record<LookupName, Omit<Case, 'resource'>> = {
	emailFinder: {
		path: '/email/find/bulk',
		listed: (n) => ({
			index: String(n),
			qualification: 'valid',
			email: `${n}@acme.example`,
			raw_params: { fullname: `${WHOS[n]} Doe`, company_domain: 'acme.example' },
		}),
		stats: (found) => ({ finished: 3, requested: 3, valid: found }),
	},
	emailVerifier: {
		path: '/email/verify/bulk',
		listed: (n) => ({
			index: String(n),
			qualification: 'valid',
			email: `${WHOS[n]}@acme.example`,
		}),
		stats: (found) => ({ requested: 3, valid: found }),
	},
	phoneFinder: {
		path: '/phone/bulk',
		listed: (n) => ({
			index: n,
			qualification: 'found',
			number: `+4412345${n}`,
			params: { socialprofile_url: url(WHOS[n]) },
		}),
		stats: (found) => ({ requested: 3, found }),
	},
};
const ALL = eachLookup(CASES);
/** Whose batches list everybody. */
const LISTING_ALL = ALL.filter(({ resource }) => lookups[resource].unlistedResult === undefined);
const phone: Case = { resource: 'phoneFinder', ...CASES.phoneFinder };

const batchId = () => bench().sandbox.ledger.entries[0]?.id ?? '';
const unlisted = () => ({
	error: expect.stringMatching(`^Batch ${batchId()} is finished, but ${noResultForItem}`) as string,
	...{ batch_id: batchId(), found: null },
});

/** Makes the batch end so: it lists these of its searches, and says that so many were found. */
function endWith(lookup: Case, positions: number[], found: number): void {
	const results = positions.map(lookup.listed);
	const body = { general: { status: 'completed' }, stats: lookup.stats(found), results };
	const fault = { kind: 'status', status: 200, times: Infinity } as const;
	bench().sandbox.faults.add({ ...fault, on: `GET ${lookup.path}`, body });
}

function findMany({ resource }: Case, more: object = {}) {
	const parameters = SEARCH_BY_NAME[resource];
	return bench().run(resource, 'submitBulkAndWait', { parameters, items, ...more });
}

describe.for(LISTING_ALL)('a finished batch of the $resource', (lookup) => {
	it('that leaves one out gives an error for it, and the others their results', async () => {
		endWith(lookup, [2, 0], 2);
		const [one, two, three] = items;
		const run = await findMany(lookup, { items: [one, two, three, two], settings: CONTINUE });
		const results = [{ found: true }, unlisted(), { found: true }, unlisted()];
		expect(jsonOf(run)).toMatchObject(results);
		expect(run.items.map(pairedWith)).toEqual([[0], [1], [2], [3]]);
	});

	it('that lists nothing, and found nothing, gives errors', async () => {
		endWith(lookup, [], 0);
		const run = await findMany(lookup, { settings: CONTINUE });
		expect(jsonOf(run)).toMatchObject(items.map(unlisted));
	});

	it('that leaves one out ends a run that stops on errors, and names the batch', async () => {
		endWith(lookup, [0, 2], 2);
		const { message, description, itemIndex } = shownError(
			await findMany(lookup),
			bench().sandbox.apiKey,
		);
		expect({ error: message, batch_id: batchId(), found: null }).toMatchObject(unlisted());
		expect(itemIndex).toBe(1);
		expect(description).toContain(`'Get Bulk Results' and 'Batch ID' ${batchId()}`);
	});

	it.for(['stopWorkflow', 'continueErrorOutput'] as const)(
		'that leaves one out is resumed with an error for it (%s)',
		async (onError) => {
			const { resource } = lookup;
			const given = { items, parameters: SEARCH_BY_NAME[resource], settings: { onError } };
			const execution = new Suspended(bench(), resource, 'submitBulkAndWait', given);
			const parked = await execution.park();
			skipTime(JOB_MS);
			endWith(lookup, [0, 2], 2);
			const run = await execution.resume(parked);
			if (onError === 'continueErrorOutput') {
				expect(resultsOf(run)).toMatchObject([{ found: true }, { found: true }]);
				expect(JSON.stringify(resultsOf(run, 1))).toContain(noResultForItem);
			} else {
				expect(resultsOf(run)).toMatchObject([{ found: true }, unlisted(), { found: true }]);
				expect(pairsOf(run)).toEqual([0, 1, 2]);
			}
		},
	);
});

it.for([
	[1, true],
	[2, false],
] as const)('a phone batch that counts %i and lists one, after a pause', async ([found, isAll]) => {
	const { resource } = phone;
	const given = { items, parameters: SEARCH_BY_NAME[resource], settings: CONTINUE };
	const execution = new Suspended(bench(), resource, 'submitBulkAndWait', given);
	const parked = await execution.park();
	skipTime(JOB_MS);
	endWith(phone, [1], found);
	const other = isAll ? { found: false, error: null } : unlisted();
	expect(resultsOf(await execution.resume(parked))).toMatchObject([other, { found: true }, other]);
});
