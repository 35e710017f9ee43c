import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import {
	contactData,
	jsonOf,
	shownError,
	type Given,
	useBench,
} from '../../support/n8nCore/contactData.mts';
import { runNode } from '../../support/n8nCore/execute.mts';
import { people } from '../../support/people.mts';
import { doesNotCover } from '../../support/texts.mts';

// What one run has learned of a price, others know: of whichever workflow, with the same key.

const bench = useBench();
useFastClock();

const FIND = { fullname: '={{ $json.fullname }}', companyDomain: 'acme.com' };

/** A new account, of whose price nothing is known in this process and which the test may change. */
function account(price: number) {
	const { service, baseUrl } = bench().sandbox;
	const name = randomUUID();
	const prices = { emailFinderSingle: price, emailFinderBulk: price };
	const apiKey = service.addAccount(name, { prices, requestsPerSecond: 1_000 });
	const setPrice = (now: number) => {
		const held = service.account(name);
		held.prices.emailFinderSingle = now;
		held.prices.emailFinderBulk = now;
	};
	/** The same key in two credentials, which differ in all else. */
	const credentials = { contactDataApi: { apiKey, baseUrl, requestsPerSecond: 1_000 } };
	const others = { contactDataApi: { apiKey, baseUrl: `${baseUrl}/`, requestsPerSecond: 900 } };
	return { apiKey, credentials, others, setPrice };
}

const find = async (count: number, given: Given) =>
	await bench().run('emailFinder', 'submitBulk', {
		parameters: FIND,
		items: people(count, randomUUID().replace(/\W|\d/g, '')),
		...given,
	});
const sizesOf = () =>
	bench().posts.map(({ body }) => (body as { searches: unknown[] }).searches.length);

describe('a price that a run has learned', () => {
	it('refuses before anything is sent what it shows to be too much', async () => {
		const { apiKey, credentials, others } = account(2);
		jsonOf(await find(1, { credentials }));
		const run = await find(5, { credentials: others, options: { maxCredits: 9 } });
		const { message, description } = shownError(run, apiKey);
		expect(message).toMatch(new RegExp(`${doesNotCover} 5 email searches at 2 credits`));
		expect(description).toMatch(/ That was the price at \d{4}-\d\d-\d\d \d\d:\d\d UTC\. /);
		expect(sizesOf()).toEqual([1]);
	});

	it('is not that of another key', async () => {
		jsonOf(await find(1, { credentials: account(2).credentials }));
		const { apiKey, credentials } = account(2);
		const run = await find(5, { credentials, options: { maxCredits: 9 } });
		// One goes to learn the price, and then it is known that the others do not fit.
		expect(shownError(run, apiKey).message).toMatch(
			new RegExp(`${doesNotCover} 4 email searches at 2 credits`),
		);
		expect(sizesOf()).toEqual([1, 1]);
	});

	it.for([
		['risen', 1, 3],
		['fallen', 3, 1],
	] as const)('is corrected by the next receipt where it has %s', async ([, before, now]) => {
		const { apiKey, credentials, others, setPrice } = account(before);
		jsonOf(await find(1, { credentials }));
		setPrice(now);
		jsonOf(await find(1, { credentials }));
		const run = await find(2, { credentials: others, options: { maxCredits: 2 } });
		if (now > before) {
			expect(shownError(run, apiKey).message).toMatch(/at 3 credits each/);
			expect(sizesOf()).toEqual([1, 1]);
		} else {
			expect(jsonOf(run)).toMatchObject([{ status: 'ongoing' }, { status: 'ongoing' }]);
			expect(sizesOf()).toEqual([1, 1, 1, 1]);
		}
	});

	it('that a restart has forgotten refuses nothing', async () => {
		const { credentials, setPrice } = account(3);
		jsonOf(await find(1, { credentials }));
		setPrice(1);
		vi.resetModules();
		const { ContactData } = await import('../../../nodes/ContactData/ContactData.node.ts');
		expect(ContactData).not.toBe(contactData.constructor);
		const run = await runNode({
			...bench().node('emailFinder', 'submitBulk', {
				parameters: FIND,
				options: { maxCredits: 4 },
			}),
			node: new ContactData(),
			items: people(4, 'after'),
			credentials,
		});
		expect(jsonOf(run)).toHaveLength(3);
		// One goes first, and tells that the others are covered.
		expect(sizesOf()).toEqual([1, 1, 1, 2]);
	});
});
