import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';

// What an answer says of how far it is: no wait is late for it, or misses the end.

const JOB_MS = 60_000;
const TIMEOUT_S = 3_600;

const bench = useBench({ bulk: JOB_MS });
useFastClock();

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
		['more than all', () => ({ finished: 1e308, requested: 3 })],
		['backwards', (look) => ({ finished: look === 0 ? 2 : 1, requested: 3 })],
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
