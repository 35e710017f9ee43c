import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { people } from '../../support/people.mts';

// A price that was true once: what one answer says does not release fifty more.

const bench = useBench();

const FIND = { fullname: '={{ $json.fullname }}', companyDomain: 'acme.com' };
const CONTINUE = { onError: 'continueRegularOutput' } as const;

/** A new account, whose price the test may change. */
function account(price: number) {
	const { service, baseUrl } = bench().sandbox;
	const name = randomUUID();
	const prices = { emailFinderSingle: price, emailFinderBulk: price };
	const apiKey = service.addAccount(name, { prices, requestsPerSecond: 1_000 });
	const credentials = { contactDataApi: { apiKey, baseUrl, requestsPerSecond: 1_000 } };
	return { credentials, held: service.account(name) };
}

const charged = () => bench().sandbox.ledger.totals().charged;

describe('Max Credits is not passed', () => {
	it('where what the first search cost was an exception', async () => {
		const { credentials, held } = account(1);
		const { sandbox } = bench();
		const running = bench().run('emailFinder', 'submit', {
			parameters: FIND,
			items: people(200),
			options: { maxCredits: 100 },
			credentials,
			settings: CONTINUE,
		});
		await sandbox.waitFor(() => sandbox.ledger.entries.length === 1);
		held.prices.emailFinderSingle = 3;
		jsonOf(await running);
		expect(charged()).toBeLessThanOrEqual(100);
	});

	it('where the price has risen since an earlier run', async () => {
		const { credentials, held } = account(1);
		const given = { parameters: FIND, credentials, settings: CONTINUE };
		await bench().run('emailFinder', 'submit', { ...given, items: people(1, 'first') });
		held.prices.emailFinderSingle = 3;
		const options = { maxCredits: 100 };
		jsonOf(await bench().run('emailFinder', 'submit', { ...given, items: people(100), options }));
		expect(charged() - 1).toBeLessThanOrEqual(100);
	});

	it.for([CONTINUE, {}])('by a list after a batch that was cheap, with %j', async (settings) => {
		const { credentials, held } = account(0.1);
		const given = { parameters: FIND, credentials, settings };
		await bench().run('emailFinder', 'submitBulk', { ...given, items: people(5, 'first') });
		held.prices.emailFinderBulk = 10;
		const options = { maxCredits: 50 };
		await bench().run('emailFinder', 'submitBulk', { ...given, items: people(100), options });
		expect(charged() - 0.5).toBeLessThanOrEqual(50);
		expect(charged() - 0.5).toBeGreaterThanOrEqual(10);
	});
});
