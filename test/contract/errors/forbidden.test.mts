import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { people } from '../../support/people.mts';
import { addresses, expectChargedOnce, failsWith, MAIL } from '../spending/money.mts';

// The service knows no 403; a firewall before it does, and dislikes one name or one address.

const bench = useBench();
useFastClock();

const CONTINUE = { onError: 'continueRegularOutput' } as const;
const body = { message: 'Request blocked' };
const FORBIDDEN = { kind: 'status', status: 403, body } as const;

describe('a 403 concerns its own request', () => {
	it.for(['submitAndWait', 'submit'])('%s: the other items get theirs', async (operation) => {
		bench().sandbox.faults.add({ ...FORBIDDEN, on: 'POST *', skip: 1 });
		const run = await bench().run('emailVerifier', operation, {
			parameters: MAIL,
			items: addresses(60),
			settings: CONTINUE,
		});
		const results = jsonOf(run);
		expect(results.filter(failsWith('Request blocked'))).toHaveLength(1);
		expect(results.filter(({ error }) => error === null)).toHaveLength(59);
		expectChargedOnce(bench(), 59);
	});

	it('the first one, too, where the price is not known', async () => {
		bench().sandbox.faults.add({ ...FORBIDDEN, on: 'POST *' });
		const run = await bench().run('emailFinder', 'submit', {
			parameters: { fullname: '={{ $json.fullname }}', companyDomain: 'acme.com' },
			items: people(5),
			options: { maxCredits: 1_000 },
			settings: CONTINUE,
		});
		const results = jsonOf(run);
		expect(results.filter(failsWith('Request blocked'))).toHaveLength(1);
		expectChargedOnce(bench(), 4);
	});

	it('which may be a batch: the next one goes on', async () => {
		bench().sandbox.faults.add({ ...FORBIDDEN, on: 'POST *' });
		const { contactDataApi } = bench().credentials;
		const run = await bench().run('emailVerifier', 'submitBulkAndWait', {
			parameters: MAIL,
			items: addresses(4),
			// The second batch is sent when the first one is refused.
			credentials: { contactDataApi: { ...contactDataApi, requestsPerSecond: 2 } },
			options: { custom: '={{ ({ half: Math.floor($itemIndex / 2) }) }}' },
			settings: CONTINUE,
		});
		const results = jsonOf(run);
		expect(results.filter(failsWith('Request blocked'))).toHaveLength(2);
		expect(results.filter(({ found }) => found === true)).toHaveLength(2);
		expectChargedOnce(bench(), 2);
	});

	it('of a read, which is tried again: nothing that is paid for is given up', async () => {
		bench().sandbox.faults.add({ ...FORBIDDEN, on: 'GET /email/*' });
		const run = await bench().run('emailVerifier', 'submitAndWait', {
			parameters: MAIL,
			items: addresses(2),
		});
		expect(jsonOf(run).map(({ found }) => found)).toEqual([true, true]);
		expectChargedOnce(bench(), 2);
	});
});
