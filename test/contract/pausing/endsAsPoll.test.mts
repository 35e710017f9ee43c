import { describe, expect, it, vi } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { people } from '../../support/people.mts';
import { expectChargedOnce, FIND } from '../spending/money.mts';
import { pauseInN8n } from './callingN8n.mts';
import { resultsOf, Suspended } from './suspended.mts';

// A finished wait gives the same items whether it was paused or kept running, also where the service is slow
// or has lost something.

const MINUTE = 60_000;
const JOB_MS = 10 * MINUTE;

const bench = useBench({ single: JOB_MS, bulk: JOB_MS, webhooks: { send: 'none' } });
useFastClock();
// Sockets keep their own time, and another's load.
vi.setConfig({ testTimeout: 60_000 });

it('a batch whose results take more than a minute to read is read', async () => {
	const execution = new Suspended(bench(), 'emailFinder', 'submitBulkAndWait', {
		items: ['mustfind one', 'notfound two'].map((fullname) => ({ fullname })),
	});
	const paused = await pauseInN8n(execution);
	const on = 'GET /email/find/bulk';
	bench().sandbox.faults.add({ kind: 'delay', ms: 70_000, on, times: Infinity });
	const run = await paused.resumedWithin(JOB_MS + 30 * MINUTE);
	expect(resultsOf(run)).toMatchObject([{ found: true }, { found: false }]);
	expectChargedOnce(bench(), 2);
});

const OPERATIONS = [
	['submitAndWait', 'search_id'],
	['submitBulkAndWait', 'batch_id'],
] as const;

describe.for(OPERATIONS)('%s', ([operation, idName]) => {
	it('an id that the service refuses for good ends after as many looks as in a run, and holds up no result', async () => {
		const items = (mark: string) =>
			people(3, mark).map((one, n) => ({ ...one, country: ['US', 'FR', 'DE'][n] }));
		const given = {
			parameters: { ...FIND, companyDomain: '', companyName: 'Acme' },
			// A batch for each.
			options: { countryCode: '={{ $json.country }}', timeout: 86_400 },
			settings: { onError: 'continueRegularOutput' as const },
		};
		const lose = (id: string) => {
			const change = (body: object) => ({ ...body, id });
			bench().sandbox.faults.add({ kind: 'changed', on: 'POST *', change });
		};
		const looksAt = (one: string) => bench().looks.filter(({ id }) => id === one).length;

		lose(`lost by a run ${operation}`);
		const kept = await bench().run('emailFinder', operation, { ...given, items: items('kept') });
		const looks = looksAt(`lost by a run ${operation}`);
		const [, ...found] = jsonOf(kept);
		expect(found).toMatchObject([{ found: true }, { found: true }]);

		const lost = `lost by a pause ${operation}`;
		lose(lost);
		const execution = new Suspended(bench(), 'emailFinder', operation, {
			...given,
			items: items('paused'),
		});
		let looksBefore: number | undefined;
		const paused = await pauseInN8n(execution, {
			onCall: () => void (looksBefore ??= looksAt(lost)),
		});
		const run = await paused.resumedWithin(JOB_MS + 30 * MINUTE);
		expect(resultsOf(run)).toMatchObject([
			{ error: expect.any(String) as string, [idName]: lost },
			{ found: true },
			{ found: true },
		]);
		expect(looksBefore).toBe(looks);
		expectChargedOnce(bench(), 6);
	});
});
