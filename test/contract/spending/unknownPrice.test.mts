import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { ContactData } from '../../../nodes/ContactData/ContactData.node.ts';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, shownError, useBench, withBench } from '../../support/n8nCore/contactData.mts';
import type { Given } from '../../support/n8nCore/contactData.mts';
import { runNode } from '../../support/n8nCore/execute.mts';
import { people } from '../../support/people.mts';
import { doesNotCover } from '../../support/texts.mts';
import { addresses, MAIL, statusesOf } from './money.mts';

// What is not known for sure refuses nothing.

const bench = useBench();
useFastClock();

const CONTINUE = { onError: 'continueRegularOutput' } as const;
const SUBMITS = ['submit', 'submitBulk'] as const;

/** A new account with these prices: nothing is known of it in this process. */
function account(prices: Record<string, number>, credits = 100_000, at = bench()) {
	const { service, baseUrl } = at.sandbox;
	const name = randomUUID();
	const apiKey = service.addAccount(name, { prices, credits, requestsPerSecond: 1_000 });
	const credentials = { contactDataApi: { apiKey, baseUrl, requestsPerSecond: 1_000 } };
	return { name, credentials };
}

const FIND = { fullname: '={{ $json.fullname }}', companyDomain: 'acme.com' };
const CALL = {
	socialProfileUrl: '=https://linkedin.com/in/{{ $json.fullname.replaceAll(" ", "-") }}',
};

const find = async (operation: string, given: Given) =>
	await bench().run('emailFinder', operation, { parameters: FIND, ...given });
const call = async (operation: string, given: Given) =>
	await bench().run('phoneFinder', operation, { parameters: CALL, ...given });

const charged = () => bench().sandbox.ledger.totals().charged;
const PHONES_AT = (price: number) => ({ phoneFinderSingle: price, phoneFinderBulk: price });

describe('the balance', () => {
	it.for(SUBMITS)(
		'%s: lets phone searches start that a cheaper plan makes affordable',
		async (operation) => {
			const { credentials } = account(PHONES_AT(10), 40);
			jsonOf(await call(operation, { items: people(4), credentials }));
			expect(charged()).toBe(40);
		},
	);

	it('is compared with no price that was learned: the service decides', async () => {
		const { name, credentials } = account({ emailFinderSingle: 3 }, 100);
		jsonOf(await find('submit', { items: people(1), credentials }));
		const held = bench().sandbox.service.account(name);
		held.prices.emailFinderSingle = 1;
		held.credits = 4;
		jsonOf(await find('submit', { items: people(4, 'cheaper'), credentials }));
		expect(charged()).toBe(3 + 4);
	});

	it('that runs out ends the run in the words of the service, and costs nothing', async () => {
		const { credentials } = account({ emailFinderSingle: 2 }, 5);
		const run = await find('submit', { items: people(6), credentials, settings: CONTINUE });
		const results = jsonOf(run);
		expect(results.filter(({ status }) => status === 'ongoing')).toHaveLength(2);
		const refused = results.filter(({ error }) => error !== undefined);
		expect(refused).toMatchObject(Array(4).fill({ error: 'Insufficient credits' }));
		expect(charged()).toBe(4);
	});

	it('that does not cover a batch of unknown price is left to the service, too', async () => {
		const { credentials } = account({ emailFinderBulk: 2 }, 5);
		const run = await find('submitBulk', { items: people(6), credentials });
		expect(shownError(run, credentials.contactDataApi.apiKey).message).toBe('Insufficient credits');
		expect(statusesOf(bench().sandbox)).toEqual([402]);
		expect(charged()).toBe(0);
	});

	it('still refuses verifications, of which the price is documented', async () => {
		const { credentials } = account({}, 1);
		const run = await bench().run('emailVerifier', 'submit', {
			parameters: MAIL,
			items: addresses(5),
			credentials,
		});
		expect(shownError(run, credentials.contactDataApi.apiKey).message).toMatch(
			new RegExp(`^The account's balance of 1 credit ${doesNotCover} 5 email verifications`),
		);
		bench().expectNothingSubmitted();
	});
});

describe('Max Credits', () => {
	it.for(SUBMITS)(
		'%s: lets phone searches start that a cheaper plan makes fit',
		async (operation) => {
			const { credentials } = account(PHONES_AT(10));
			const options = { maxCredits: 100 };
			jsonOf(await call(operation, { items: people(5), options, credentials }));
			expect(charged()).toBe(50);
		},
	);

	it.for(SUBMITS)(
		'%s: lets one search tell the price, whatever it costs, and none after it that does not fit',
		async (operation) => {
			const { credentials } = account(PHONES_AT(80));
			const run = await call(operation, {
				items: people(4),
				options: { maxCredits: 60 },
				credentials,
				settings: CONTINUE,
			});
			const results = jsonOf(run);
			expect(results.filter(({ status }) => status === 'ongoing')).toHaveLength(1);
			for (const { error } of results.slice(1)) {
				expect(error).toMatch(
					new RegExp(`^'Max Credits' of 60 ${doesNotCover} .* at 80 credits each`),
				);
			}
			expect(charged()).toBe(80);
		},
	);
});

describe('where the first search of a batch does not tell the price, another one does', () => {
	const options = { maxCredits: 12 };
	const sizesSent = () =>
		bench().posts.map(({ body }) => (body as { searches: unknown[] }).searches.length);

	const giveForFree = (count: number) => {
		for (let number = 0; number < count; number++) {
			const body = { message: 'Known already', id: `free ${number}`, credits_used: 0 };
			bench().sandbox.faults.add({ kind: 'status', status: 201, body, on: 'POST *' });
		}
	};

	it('as it was free', async () => {
		const { credentials } = account({ emailFinderBulk: 2 });
		giveForFree(2);
		const run = await find('submitBulk', { items: people(6), options, credentials });
		expect(jsonOf(run).map(({ size }) => size)).toEqual([1, 1, 1, 1, 2]);
		expect(charged()).toBe(8);
	});

	it('as the service refused it', async () => {
		const { credentials } = account({ emailFinderBulk: 2 });
		const body = { message: 'Error while parsing payload' };
		bench().sandbox.faults.add({ kind: 'status', status: 400, body, on: 'POST *' });
		const settings = CONTINUE;
		const run = await find('submitBulk', { items: people(6), options, credentials, settings });
		expect(sizesSent()).toEqual([1, 1, 1, 2, 1]);
		expect(jsonOf(run)).toHaveLength(5);
		expect(charged()).toBe(10);
	});

	it('and as long as they are free they go one by one', async () => {
		const { credentials } = account({ emailFinderBulk: 2 });
		giveForFree(20);
		const run = await find('submitBulk', { items: people(20), options, credentials });
		expect(jsonOf(run)).toHaveLength(20);
		expect(new Set(sizesSent())).toEqual(new Set([1]));
		expect(charged()).toBe(0);
	});

	it('where an earlier try was told it, one search goes first all the same', async () => {
		const { credentials } = account({ emailFinderBulk: 2 });
		const given = { items: people(6), options: { maxCredits: 12 }, credentials };
		bench().sandbox.faults.add({ kind: 'status', status: 418, on: 'POST *', skip: 1 });
		const { contextData } = await find('submitBulk', given);
		vi.resetModules();
		const anew = await import('../../../nodes/ContactData/ContactData.node.ts');
		const retry = await runNode({
			...bench().node('emailFinder', 'submitBulk', { parameters: FIND, options: given.options }),
			node: new anew.ContactData(),
			items: given.items,
			credentials,
			contextData,
		});
		expect(jsonOf(retry).map(({ size }) => size)).toEqual([1, 1, 1, 2, 1]);
		expect(charged()).toBe(12);
	});
});

it.for([0.1, 0.35, 1.1, 1.7, 3.3])(
	'a limit of exactly what all searches cost, at %d each, lets all of them start',
	async (price) => {
		const { credentials } = account({ emailFinderSingle: price, emailFinderBulk: price });
		for (const operation of SUBMITS) {
			for (const count of [3, 7]) {
				const options = { maxCredits: Number((price * count).toFixed(2)) };
				const items = people(count, `${operation} ${count}`);
				jsonOf(await find(operation, { items, options, credentials }));
			}
		}
		expect(bench().sandbox.ledger.totals().searches).toBe(20);
	},
);

describe('a price that is told by a batch of an earlier try', () => {
	it.for([0, 1, 3])(
		'is that of one of its searches, also where %i of its four are asked for again',
		async (again) => {
			const { credentials } = account({ emailFinderBulk: 3 });
			const options = { maxCredits: 100, custom: '={{ ({ of: $json.list }) }}' };
			const items = people(5).map((person, n) => ({ ...person, list: n < 4 ? 'one' : 'two' }));
			const refused = { kind: 'status', status: 418, on: 'POST *', times: 1 } as const;
			// One search of the first list goes, one more, the two others; then the second list.
			bench().sandbox.faults.add({ ...refused, skip: 3 });
			const first = await find('submitBulk', { items, options, credentials });
			expect(first.error).toBeDefined();
			expect(charged()).toBe(12);

			const newcomers = people(2, 'new').map((person) => ({ ...person, list: 'one' }));
			// The Retry button after n8n was started anew, with a workflow that was changed.
			vi.resetModules();
			const anew = await import('../../../nodes/ContactData/ContactData.node.ts');
			expect(anew.ContactData).not.toBe(ContactData);
			const retry = await runNode({
				...bench().node('emailFinder', 'submitBulk', {
					parameters: FIND,
					options: { ...options, maxCredits: 12 + 3 * 2 },
				}),
				node: new anew.ContactData(),
				items: [...items.slice(1, 1 + again), ...newcomers],
				credentials,
				contextData: first.contextData,
				executionId: '2',
			});
			jsonOf(retry);
			expect(charged()).toBe(12 + 3 * 2);
		},
	);
});

describe('searches of unknown price go at the pace, not one after another', () => {
	const CASES = (['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const).flatMap(
		(onError) => [
			{ onError, resource: 'emailFinder', parameters: FIND },
			{ onError, resource: 'phoneFinder', parameters: CALL },
		],
	);

	it.for(CASES)('$resource, $onError: while no answer comes but the first', async (given) => {
		const { onError, resource, parameters } = given;
		await withBench({}, async (at) => {
			const { credentials } = account({}, 100_000, at);
			at.sandbox.faults.add({ kind: 'hang', on: 'POST *', skip: 1, times: Infinity });
			const running = at.run(resource, 'submit', {
				parameters,
				items: people(20),
				credentials,
				settings: { onError },
			});
			await at.sandbox.waitFor(() => at.posts.length === 20);
			// The sandbox is closed, which ends all requests.
			void running;
		});
	});

	it('with Max Credits they do wait for the first answer', async () => {
		await withBench({}, async (at) => {
			const { credentials } = account({}, 100_000, at);
			at.sandbox.faults.add({ kind: 'delay', ms: 200, on: 'POST *' });
			const running = at.run('emailFinder', 'submit', {
				parameters: FIND,
				items: people(20),
				options: { maxCredits: 100 },
				credentials,
				settings: CONTINUE,
			});
			await at.sandbox.waitFor(() => at.posts.length === 2);
			const [first, second] = at.sandbox.requests.filter(({ method }) => method === 'POST');
			expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(200);
			jsonOf(await running);
		});
	});
});
