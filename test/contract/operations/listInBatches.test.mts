import type { IDataObject } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, pairedWith, useBench } from '../../support/n8nCore/contactData.mts';
import { mayHaveBeenCharged } from '../../support/texts.mts';

// One list that is sent as two batches, of which the second one fails: it is not passed over.

const bench = useBench();
useFastClock();

const NAMES = ['mustfind one', 'mustfind two', 'mustfind three'];
const CONTINUE = { onError: 'continueRegularOutput' } as const;

/** Each is a batch of its own: under Max Credits what goes at once grows with what was charged. */
async function findList(parameters: IDataObject) {
	const { service, baseUrl } = bench().sandbox;
	const apiKey = service.addAccount(randomUUID(), { requestsPerSecond: 1_000 });
	const list = NAMES.map((fullname) => ({ fullname, company_domain: 'acme.example' }));
	return await bench().run('emailFinder', 'submitBulkAndWait', {
		parameters: { inputMode: 'array', searches: '={{ $json.list }}', ...parameters },
		items: [{ list }],
		options: { maxCredits: 100 },
		credentials: { contactDataApi: { apiKey, baseUrl } },
		settings: CONTINUE,
	});
}

describe.for<[string, IDataObject]>([
	['with Split Results', { splitResults: true }],
	['without Split Results', { splitResults: false }],
	['with Wait Mode Pause Until Notified', { waitMode: 'suspend' }],
])('%s', ([, parameters]) => {
	it('a second batch that is refused has its error', async () => {
		const body = { message: 'Not now' };
		bench().sandbox.faults.add({ kind: 'status', status: 418, body, on: 'POST *', skip: 1 });
		const run = await findList(parameters);
		const results = jsonOf(run);
		expect(results.map(({ error }) => error).filter(Boolean)).toEqual(['Not now']);
		expect(results.some(({ status }) => status === 'completed')).toBe(true);
		expect(run.items.map(pairedWith)).toEqual([[0], [0], [0]]);
	});

	it('a second batch of which nobody knows whether it was taken is told, with what came', async () => {
		bench().sandbox.faults.add({ kind: 'cutJson', on: 'POST *', skip: 1 });
		const results = jsonOf(await findList(parameters));
		const errors = results.filter(({ error }) => typeof error === 'string');
		// The third one is not started then.
		expect(errors).toMatchObject([
			{ error: expect.stringMatching(mayHaveBeenCharged) as string },
			{ error: expect.stringMatching(/^Not started/) as string },
		]);
		expect(errors[0]?.description).toMatch(/The answer was: /);
	});
});
