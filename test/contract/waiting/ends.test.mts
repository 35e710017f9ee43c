import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, shownError, textIn, useBench } from '../../support/n8nCore/contactData.mts';
import { resultsOf, Suspended } from '../pausing/suspended.mts';
import { notify, started } from '../trigger/trigger.mts';
import { couldNotProcess, finishedWithoutResult } from '../../support/texts.mts';
import { eachLookup } from '../../support/searches.mts';

// What an answer says of the end, or of how far it is: no wait is late for it, or misses the end.

const JOB_MS = 60_000;
const TIMEOUT_S = 3_600;
const CONTINUE = { onError: 'continueRegularOutput' } as const;

const bench = useBench({ single: JOB_MS, bulk: JOB_MS });
useFastClock();

const LOOKUPS = eachLookup({
	emailFinder: {
		noun: 'email search',
		parameters: { fullname: 'Ada Mustfind', companyDomain: 'acme.example' },
	},
	emailVerifier: {
		noun: 'email verification',
		parameters: { email: 'mustfind@acme.example' },
	},
	phoneFinder: {
		noun: 'phone search',
		parameters: { socialProfileUrl: 'https://linkedin.com/in/mustfind' },
	},
});

/** What every look is answered. */
const tell = (body: unknown, status = 200) =>
	Object.values(lookups).forEach(({ path }) =>
		bench().sandbox.faults.add({
			on: `GET ${path}/*`,
			kind: 'status',
			status,
			body,
			times: Infinity,
		}),
	);

const charged = () => bench().sandbox.ledger.entries[0]?.id;

describe('a single lookup that has failed', () => {
	const options = { timeout: TIMEOUT_S };
	const failed = (noun: string) => `${couldNotProcess}${noun} ${charged()}`;

	it.for([
		[{ status: 'failed' }, 200],
		[{ state: 'Failed' }, 200],
		[{ message: 'failed' }, 202],
		['failed', 200],
	] as const)('by %j under HTTP %i: ends the wait at once, with the id', async ([body, status]) => {
		const { resource, noun, parameters } = LOOKUPS[1];
		tell(body, status);
		const begin = Date.now();
		const run = await bench().run(resource, 'submitAndWait', { parameters, options });
		const shown = shownError(run, bench().sandbox.apiKey);
		expect(shown.message).toBe(failed(noun));
		expect(shown.description).toContain(charged());
		expect(Date.now() - begin).toBeLessThan(5_000);
	});

	it.for(LOOKUPS)(
		'is told by Get Result, after a suspend, and by the trigger: $resource',
		async (given) => {
			const { resource, noun, parameters } = given;
			const receipt = await bench().run(resource, 'submit', { parameters });
			const lookupId = textIn(jsonOf(receipt)[0], 'id');
			tell({ status: 'failed' });
			const read = await bench().run(resource, 'getResult', { parameters: { lookupId } });
			expect(shownError(read, bench().sandbox.apiKey).message).toBe(failed(noun));

			bench().sandbox.reset();
			const paused = { items: [{}], parameters, settings: CONTINUE };
			const execution = new Suspended(bench(), resource, 'submitAndWait', paused);
			const parked = await execution.park();
			tell({ status: 'failed' });
			const told = { id: charged(), status: 'failed', error: failed(noun) };
			expect(resultsOf(await execution.resume(parked))).toMatchObject([told]);
			const events = [`${resource}Single`];
			const notified = await notify(bench(), { id: charged() }, { parameters: { events } });
			expect(started(notified)).toMatchObject([told]);
		},
	);
});

describe('an end that is told without a result', () => {
	it.for([
		['submitAndWait', { status: 'completed' }],
		['submitBulkAndWait', { general: { status: 'completed' }, results: 'none' }],
	] as const)('%s, by %j: is an error at the Timeout', async ([operation, body]) => {
		tell(body);
		const run = await bench().run('emailVerifier', operation, {
			parameters: { email: 'mustfind@acme.example' },
			options: { timeout: 300 },
		});
		const shown = shownError(run, bench().sandbox.apiKey);
		expect(shown.message).toContain(finishedWithoutResult);
		expect(shown.description).toContain(charged());
	});
});

describe('progress that cannot be true', () => {
	/** How late the end of a batch of three is seen, where the looks at it tell this progress. */
	async function lagMs(stats: (look: number) => IDataObject): Promise<number> {
		const { sandbox } = bench();
		let look = 0;
		sandbox.faults.add({
			on: 'GET /email/verify/bulk',
			kind: 'changed',
			change: (body) => ('results' in body ? body : { ...body, stats: stats(look++) }),
			times: Infinity,
		});
		const begin = Date.now();
		const run = await bench().run('emailVerifier', 'submitBulkAndWait', {
			parameters: { email: '={{ $json.email }}' },
			items: [1, 2, 3].map((n) => ({ email: `mustfind.${n}@acme.example` })),
			options: { timeout: TIMEOUT_S },
		});
		expect(jsonOf(run)).toMatchObject([{ found: true }, { found: true }, { found: true }]);
		return Date.now() - begin - JOB_MS;
	}

	it.for<[string, (look: number) => IDataObject]>([
		['1 of 1e308', () => ({ finished: 1, requested: 1e308 })],
		['1 of more than were sent', () => ({ finished: 1, requested: 5_000 })],
		['more than all', () => ({ finished: 1e308, requested: 3 })],
		['backwards', (look) => ({ finished: look === 0 ? 2 : 1, requested: 3 })],
		['to and fro', (look) => ({ finished: look % 2, requested: 3 })],
	])('%s: the end is seen as if nothing were told', async ([, stats]) => {
		bench().sandbox.configure({ scenarios: ['durationAbsent'] });
		expect(await lagMs(stats)).toBeLessThanOrEqual(0.1 * JOB_MS + 1_500);
	});

	it.for([1e6, -5])('an estimate of %d minutes is none', async (minutes) => {
		bench().sandbox.faults.add({
			on: 'POST *',
			kind: 'changed',
			change: (body) => ({ ...body, estimated_duration: minutes }),
		});
		expect(await lagMs(() => ({}))).toBeLessThanOrEqual(0.1 * JOB_MS + 1_500);
	});
});
