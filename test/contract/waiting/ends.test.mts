import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, shownError, textIn, useBench } from '../../support/n8nCore/contactData.mts';
import { resultsOf, Suspended } from '../suspension/suspended.mts';
import { notify, started } from '../trigger/trigger.mts';
import { couldNotProcess, finishedWithoutResult } from '../../support/texts.mts';

// What an answer says of the end, or of how far it is: no wait is late for it, or misses the end.

const JOB_MS = 60_000;
const TIMEOUT_S = 3_600;
const CONTINUE = { onError: 'continueRegularOutput' } as const;

const bench = useBench({ single: JOB_MS, bulk: JOB_MS });
useFastClock();

const LOOKUPS: Array<{ resource: string; noun: string; parameters: INodeParameters }> = [
	{
		resource: 'emailFinder',
		noun: 'email search',
		parameters: { fullname: 'Ada Mustfind', companyDomain: 'acme.example' },
	},
	{
		resource: 'emailVerifier',
		noun: 'email verification',
		parameters: { email: 'mustfind@acme.example' },
	},
	{
		resource: 'phoneFinder',
		noun: 'phone search',
		parameters: { socialProfileUrl: 'https://linkedin.com/in/mustfind' },
	},
];

/** What every look is answered. */
const tell = (body: unknown, status = 200) =>
	['GET /email/*' as const, 'GET /phone/*' as const].forEach((on) =>
		bench().sandbox.faults.add({ on, kind: 'status', status, body, times: Infinity }),
	);

const charged = () => bench().sandbox.ledger.entries[0]?.id;

describe.for(LOOKUPS)('a single $noun that has failed', ({ resource, noun, parameters }) => {
	const options = { timeout: TIMEOUT_S };
	const failed = () => `${couldNotProcess}${noun} ${charged()}`;

	it.for([{ status: 'failed' }, { state: 'Failed' }, { message: 'failed' }, 'failed'])(
		'by %j: ends the wait at once, with the id',
		async (body) => {
			tell(body);
			const begin = Date.now();
			const run = await bench().run(resource, 'submitAndWait', { parameters, options });
			const shown = shownError(run, bench().sandbox.apiKey);
			expect(shown.message).toBe(failed());
			expect(shown.description).toContain(charged());
			expect(bench().looks).toHaveLength(1);
			expect(Date.now() - begin).toBeLessThan(5_000);
		},
	);

	it('also under HTTP 202', async () => {
		tell({ status: 'failed' }, 202);
		const run = await bench().run(resource, 'submitAndWait', { parameters, options });
		expect(shownError(run, bench().sandbox.apiKey).message).toBe(failed());
	});

	it('is told by Get Result, after a suspend, and by the trigger', async () => {
		const receipt = await bench().run(resource, 'submit', { parameters });
		const lookupId = textIn(jsonOf(receipt)[0], 'id');
		tell({ status: 'failed' });
		const read = await bench().run(resource, 'getResult', { parameters: { lookupId } });
		expect(shownError(read, bench().sandbox.apiKey).message).toBe(failed());

		bench().sandbox.reset();
		const given = { items: [{}], parameters, settings: CONTINUE };
		const execution = new Suspended(bench(), resource, 'submitAndWait', given);
		const parked = await execution.park();
		tell({ status: 'failed' });
		const told = { id: charged(), status: 'failed', error: failed() };
		expect(resultsOf(await execution.resume(parked))).toMatchObject([told]);
		const events = [`${resource}Single`];
		const notified = await notify(bench(), { id: charged() }, { parameters: { events } });
		expect(started(notified)).toMatchObject([told]);
	});
});

describe('an end that is told without a result', () => {
	it.for([
		['submitAndWait', { status: 'completed' }],
		['submitBulkAndWait', { general: { status: 'completed' } }],
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
		expect(bench().looks.length).toBeGreaterThan(1);
		expect(bench().looks.length).toBeLessThanOrEqual(20);
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
		['1 of ever more', (look) => ({ finished: 1, requested: 2 ** look })],
		['more than all', () => ({ finished: 1e308, requested: 3 })],
		['less than none', () => ({ finished: -1e308, requested: 3 })],
		['a part of one', () => ({ finished: 1e-308, requested: 3 })],
		['backwards', (look) => ({ finished: look === 0 ? 2 : 1, requested: 3 })],
		['to and fro', (look) => ({ finished: look % 2, requested: 3 })],
	])('%s: the end is seen as if nothing were told', async ([, stats]) => {
		bench().sandbox.configure({ scenarios: ['durationAbsent'] });
		expect(await lagMs(stats)).toBeLessThanOrEqual(0.1 * JOB_MS + 1_500);
	});

	it.for([1e308, 1e6, -5])('an estimate of %d minutes is none', async (minutes) => {
		bench().sandbox.faults.add({
			on: 'POST *',
			kind: 'changed',
			change: (body) => ({ ...body, estimated_duration: minutes }),
		});
		expect(await lagMs(() => ({}))).toBeLessThanOrEqual(0.1 * JOB_MS + 1_500);
	});
});
