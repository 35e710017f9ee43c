import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, shownError, useBench } from '../../support/n8nCore/contactData.mts';
import { couldNotProcess } from '../../support/texts.mts';

// What an answer says of the end, or of how far it is: no wait is late for it, or misses the end.

const JOB_MS = 60_000;
const TIMEOUT_S = 3_600;

const bench = useBench({ single: JOB_MS, bulk: JOB_MS });
useFastClock();

describe('a single lookup that has failed', () => {
	it.for([
		[{ status: 'failed' }, 200],
		[{ status: 'Failed', qualification: 'invalid' }, 202],
	] as const)('by %j under HTTP %i: ends the wait at once, with the id', async ([body, status]) => {
		const { sandbox } = bench();
		const on = 'GET /email/verify/single';
		sandbox.faults.add({ kind: 'status', on, status, body, times: Infinity });
		const begin = Date.now();
		const run = await bench().run('emailVerifier', 'submitAndWait', {
			parameters: { email: 'mustfind@acme.example' },
			options: { timeout: TIMEOUT_S },
		});
		const id = sandbox.ledger.entries[0]?.id;
		const shown = shownError(run, sandbox.apiKey);
		expect(shown.message).toBe(`${couldNotProcess}email verification ${id}`);
		expect(shown.description).toContain(id);
		expect(Date.now() - begin).toBeLessThan(5_000);
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
