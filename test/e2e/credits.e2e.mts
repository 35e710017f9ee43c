import { describe, expect, it } from 'vitest';

import { useHarness } from '../support/n8n/harness.mts';
import { people } from '../support/people.mts';
import type { Sandbox } from '../support/sandbox/server.mts';
import { doesNotCover, webhooksNotUsed } from '../support/texts.mts';
import {
	CONTINUE,
	expectPaidOnce,
	FIND,
	hints,
	idsCharged,
	lookUp,
	pairs,
	SUSPEND_NOT_USED,
} from './paid.mts';
import { looksOf, withService } from './parked.mts';

const CALL = { resource: 'phoneFinder', socialProfileUrl: '={{ $json.url }}' };
const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };

const harness = useHarness();

const run = async (...given: Parameters<typeof lookUp>) =>
	await harness.n8n.api.runWorkflow(lookUp(...given));

const posts = ({ requests }: Sandbox) => requests.filter(({ method }) => method === 'POST');

describe.concurrent('paid once', () => {
	it.for(['poll', 'suspend'])(
		'where n8n runs the node again, as its first item has a field `error` (%s)',
		async (waitMode) => {
			await withService(harness, {}, async (sandbox, credential) => {
				const [first, second] = people(2);
				const leads = [{ ...first, error: 'Not found' }, second];
				const parameters = { ...FIND, waitMode, options: { includeInputFields: true } };
				const execution = await run(credential, leads, parameters, RETRY_ON_FAIL);
				expect(execution.status).toBe('success');
				const results = execution.json('Find');
				expect(results).toMatchObject([{ error: 'Not found', found: true }, { found: true }]);
				expect(pairs(execution)).toEqual([0, 1]);
				expectPaidOnce(sandbox, 2);
				expect(new Set(results.map(({ id }) => id))).toEqual(idsCharged(sandbox));
				// Each of its tries reads them.
				expect(looksOf(sandbox).length).toBeGreaterThanOrEqual(2 * RETRY_ON_FAIL.maxTries);
				if (waitMode === 'suspend') expect(hints(execution)).toContainEqual(SUSPEND_NOT_USED);
			});
		},
	);

	it('where equal searches have different webhooks, and another one is refused at first', async () => {
		await withService(harness, {}, async (sandbox, credential) => {
			const hook = (name: string) => `${harness.n8n.url}webhook/${name}`;
			const [ada, eve] = people(2);
			const leads = [
				{ ...ada, hook: hook('one') },
				{ ...ada, n: 1, hook: hook('two') },
				{ ...eve, n: 2, hook: hook('two') },
			];
			const on = 'POST /email/find/single';
			const body = { message: 'invalid JSON input' };
			sandbox.faults.add({ on, kind: 'status', status: 400, body, skip: 1 });
			const webhook = { __rl: true, mode: 'url', value: '={{ $json.hook }}' };
			const parameters = { ...FIND, operation: 'submit', options: { webhook } };
			const execution = await run(credential, leads, parameters, RETRY_ON_FAIL);
			expect(execution.status).toBe('success');
			expectPaidOnce(sandbox, 2);
			const ids = execution.json('Find').map(({ id }) => id);
			expect(ids[0]).toBe(ids[1]);
			expect(new Set(ids)).toEqual(idsCharged(sandbox));
			expect(pairs(execution)).toEqual([0, 1, 2]);
			expect(hints(execution)).toContainEqual(
				expect.stringMatching(new RegExp(`${webhooksNotUsed}item 1\\b`)),
			);
			await sandbox.waitFor(() => sandbox.deliveries.length === 2);
			const notified = sandbox.deliveries.map(({ url }) => url);
			expect(notified.sort()).toEqual([hook('one'), hook('two')]);
		});
	});

	it.for(['submitAndWait', 'submitBulkAndWait'])(
		'where one profile comes in seven spellings (%s)',
		async (operation) => {
			await withService(harness, {}, async (sandbox, credential) => {
				const spellings = [
					'https://www.linkedin.com/in/mustfind-ada',
					'http://linkedin.com/in/mustfind-ada',
					'www.linkedin.com/in/mustfind-ada',
					'https://WWW.LinkedIn.com/in/mustfind-ada',
					'https://www.linkedin.com/in/mustfind-ada/',
					'https://www.linkedin.com/in/mustfind-ada?originalSubdomain=uk#about',
					'https://uk.linkedin.com/in/mustfind-ada',
				];
				const another = 'https://www.linkedin.com/in/mustfind-eve';
				const leads = [...spellings, another].map((url, n) => ({ url, n }));
				const execution = await run(credential, leads, { ...CALL, operation });
				expect(execution.json('Find').map(({ found }) => found)).toEqual(Array(8).fill(true));
				expect(pairs(execution)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
				expectPaidOnce(sandbox, 2);
				expect(sandbox.ledger.totals().charged).toBe(100);
				const numbers = execution.json('Find').map(({ number }) => number);
				expect(new Set(numbers.slice(0, 7)).size).toBe(1);
				expect(numbers[7]).not.toBe(numbers[0]);
				const sent = JSON.stringify(posts(sandbox).map(({ body }) => body));
				expect(sent).toContain(`"${spellings[0]}"`);
			});
		},
	);
});

describe.concurrent('paid as far as the user allows', () => {
	const CHEAP = { phoneFinderSingle: 10, phoneFinderBulk: 10 };
	const callees = people(5).map(({ n }) => ({ url: `https://linkedin.com/in/mustfind-${n}`, n }));

	it('nothing, where Max Credits comes to nothing', async () => {
		await withService(harness, {}, async (sandbox, credential) => {
			const options = { maxCredits: '={{ $json.limit }}' };
			const execution = await run(credential, people(2), { ...FIND, options });
			expect(execution.status).toBe('error');
			const shown = execution.nodeError('Find');
			expect(shown?.message).toBe("'Max Credits' is empty");
			expect(shown?.description).toContain('0 for no limit');
			expect(posts(sandbox)).toEqual([]);
		});
	});

	it.for(['submitAndWait', 'submitBulkAndWait'])(
		'all that the balance covers at the price of the plan (%s)',
		async (operation) => {
			const account = { credits: 50, prices: CHEAP };
			await withService(harness, { account }, async (sandbox, credential) => {
				const execution = await run(credential, callees, { ...CALL, operation });
				expect(execution.error).toBeUndefined();
				expect(execution.json('Find').map(({ found }) => found)).toEqual(Array(5).fill(true));
				expectPaidOnce(sandbox, 5);
				expect(sandbox.service.account().credits).toBe(0);
			});
		},
	);

	it.for([
		['submitAndWait', 35, 3],
		['submitBulkAndWait', 50, 5],
	] as const)(
		'all that Max Credits covers at that price (%s, %i)',
		async ([operation, maxCredits, started]) => {
			await withService(harness, { account: { prices: CHEAP } }, async (sandbox, credential) => {
				const parameters = { ...CALL, operation, options: { maxCredits } };
				const execution = await run(credential, callees, parameters, CONTINUE);
				const error = expect.stringMatching(
					`^'Max Credits' of ${maxCredits} ${doesNotCover} 1 phone search at 10 credits`,
				) as string;
				expect(execution.json('Find')).toMatchObject([
					...Array<object>(started).fill({ found: true }),
					...Array<object>(5 - started).fill({ error }),
				]);
				expect(pairs(execution)).toEqual([0, 1, 2, 3, 4]);
				expectPaidOnce(sandbox, started);
				expect(sandbox.ledger.totals().charged).toBe(10 * started);
			});
		},
	);
});
