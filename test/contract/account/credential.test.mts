import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { ContactDataApi } from '../../../credentials/ContactDataApi.credentials.ts';
import { useFastClock } from '../../support/clock.mts';
import {
	expectNoKey,
	jsonOf,
	shownError,
	useBench,
	watchReadings,
} from '../../support/n8nCore/contactData.mts';
import { NOBODY } from '../../support/ports.mts';
import {
	connectionRefused,
	keyHasCharacter,
	keyMissing,
	noAccount,
	noService,
	notUnderstood,
	unreachable,
} from '../../support/texts.mts';

const bench = useBench();
useFastClock();

const KEY = 'a-key-that-must-not-be-shown';

/** The ways by which a node may first meet a wrong credential. */
const OPERATIONS = [
	['emailVerifier', 'submitAndWait'],
	['emailVerifier', 'submitBulk'],
	['emailVerifier', 'getResult'],
	['emailVerifier', 'getBulkResult'],
	['account', 'getInfo'],
] as const;

async function runWith(credential: { apiKey?: string; baseUrl: string }, operation = 0) {
	const [resource, name] = OPERATIONS[operation] ?? OPERATIONS[0];
	return await bench().run(resource, name, {
		parameters: { email: 'a@acme.com', lookupId: 'some-id', batchId: 'some-id' },
		credentials: { contactDataApi: { apiKey: KEY, requestsPerSecond: 10_000, ...credential } },
	});
}

const everyOperation = OPERATIONS.map(([, name], index) => ({ name, index }));

// Every form that is refused: test/unit/credentials.
it.for<[credential: { apiKey?: string; baseUrl?: string }, message: string]>([
	[{ apiKey: '   ' }, keyMissing],
	[{ apiKey: `${KEY.slice(0, 5)}\u200b${KEY.slice(5)}` }, `${keyHasCharacter}U+200B`],
	[{ baseUrl: 'http://api.example.com' }, 'must start with https://'],
	[{ baseUrl: 'https://mary:pw@api.example.com' }, 'must not contain a user name or a password'],
])('with %j nobody is asked, by any operation', async ([given, message]) => {
	for (const { index } of everyOperation) {
		const run = await runWith({ baseUrl: bench().sandbox.baseUrl, ...given }, index);
		const shown = shownError(run, given.apiKey?.trim() || KEY);
		expect(shown).toMatchObject({ name: 'NodeOperationError' });
		expect(shown.message).toContain(message);
		expect(shown.description).toContain('Open the Contact Data API credential');
	}
	expect(bench().sandbox.requests).toEqual([]);
});

describe.for(everyOperation)('$name', ({ index }) => {
	it('with a key that the service does not know', async () => {
		const shown = shownError(await runWith({ baseUrl: bench().sandbox.baseUrl }, index), KEY);
		expect(shown).toMatchObject({ name: 'NodeApiError', httpCode: '401' });
		expect(shown.description).toContain("'Base URL'");
		bench().expectNothingSubmitted();
	});

	it('at an address where nobody answers', async () => {
		const shown = shownError(await runWith({ baseUrl: NOBODY }, index), KEY);
		expect(shown.message).toBe(`${unreachable}: ${connectionRefused}`);
		expect(shown.description).toContain(
			`'Base URL' in the Contact Data API credential (${NOBODY})`,
		);
	});
});

describe('with the address of another server nothing is sent, and the address is what is wrong', () => {
	const html = { body: '<html><body>Welcome</body></html>', contentType: 'text/html' };

	it.for([
		{ status: 200, ...html },
		{ status: 404, body: { message: 'Not Found' } },
		{ status: 200, body: { status: 'ok' } },
	])('that answers %j', async (answer) => {
		const { faults, baseUrl } = bench().sandbox;
		faults.add({ kind: 'status', ...answer, on: '*', times: Infinity });
		for (const [index, [, operation]] of OPERATIONS.entries()) {
			if (operation.startsWith('get') && operation !== 'getInfo') continue;
			const shown = shownError(await runWith({ baseUrl }, index), KEY);
			expect(shown.message).toBe(noService);
			expect(shown.description).toContain(baseUrl);
			expect(shown.itemIndex).toBeUndefined();
		}
		expect(bench().posts).toEqual([]);
	});

	it.for([
		[{ message: 'This apikey is not valid' }, 'does not know this API key'],
		[{ reason: 'credential_refused' }, 'does not know this API key'],
		[{ message: 'Refused', reason: 'channel_refused' }, 'refuses this API key'],
		[{ message: 'This account is suspended' }, noAccount],
		[{ message: 'Too Many Requests' }, 'takes no more requests'],
		[{ message: 'Endpoint request timed out' }, 'is not available'],
		[{ message: 'Missing Authentication Token' }, noAccount],
		[{ credits: 0 }, undefined],
	] as const)('the test of the credential: %j', ([body, told]) => {
		// As n8n does it: the first rule that holds tells.
		const { rules = [] } = new ContactDataApi().test;
		const first = rules.find(
			({ type, properties }) =>
				type === 'responseSuccessBody' && Reflect.get(body, properties.key) === properties.value,
		);
		if (told === undefined) expect(first).toBeUndefined();
		else expect(first?.properties.message).toContain(told);
	});

	it.for([
		[200, notUnderstood],
		[404, 'There is no such address at the service (HTTP 404)'],
	] as const)('a read of a page with status %i', async ([status, message]) => {
		const { faults, baseUrl } = bench().sandbox;
		faults.add({ kind: 'status', status, ...html, on: '*', times: Infinity });
		expect(shownError(await runWith({ baseUrl }, 2), KEY).message).toBe(message);
	});
});

describe('an API key by expression', () => {
	const runItems = async (
		items: IDataObject[],
		credential: { apiKey?: string } = {},
		operation = 'submit',
	) => {
		const { contactDataApi } = bench().credentials;
		return await bench().run('emailVerifier', operation, {
			parameters: { email: 'mustfind@acme.com', lookupId: 'some-id' },
			items,
			credentials: { contactDataApi: { ...contactDataApi, ...credential } },
		});
	};
	const OF_ITEM = { apiKey: '={{ $json.key }}' };
	/** So many items, of which those from a number on are of another client. */
	const twoClients = (count: number, from: number, other?: string) =>
		Array.from({ length: count }, (_, n) => ({
			key: n < from ? bench().sandbox.apiKey : other,
		}));

	it.for([
		[2, 1, undefined],
		[20, 19, KEY],
		[5_000, 4_000, KEY],
	] as const)(
		'of %i items that gives another from %i on (%s): nothing is sent',
		async ([count, from, other]) => {
			for (const operation of ['submit', 'getResult']) {
				const run = await runItems(twoClients(count, from, other), OF_ITEM, operation);
				const shown = shownError(run, KEY);
				expect(shown.message).toMatch(/another key for item \d+ than for the first/);
				expect(shown.description).toMatch(
					/'Loop Over Items \(Split in Batches\)'.*Nothing was charged/,
				);
				expect(shown.itemIndex).toBeUndefined();
			}
			expect(bench().sandbox.requests).toEqual([]);
		},
	);

	it('that gives the same for all is used', async () => {
		expect(jsonOf(await runItems(twoClients(30, 30), OF_ITEM))).toHaveLength(30);
	});

	it('is asked of 20 items at most: the first, the last and some between', async () => {
		for (const count of [1, 3, 5_000]) {
			const readings = watchReadings();
			await runItems(Array.from({ length: count }, () => ({})));
			const asked = readings.mock.calls.map((given) => given[6]?.itemIndex ?? -1);
			readings.mockRestore();
			expect(asked).toHaveLength(Math.min(count, 20));
			expect([asked[0], asked.at(-1)]).toEqual([0, count - 1]);
			const gaps = asked.slice(1).map((item, index) => item - (asked[index] ?? 0));
			expect(Math.max(0, ...gaps)).toBeLessThan(300);
		}
	});
});

it('white space around the key and the base URL, and slashes at its end, are harmless', async () => {
	const { credentials, sandbox } = bench();
	const { contactDataApi } = credentials;
	contactDataApi.baseUrl = ` ${sandbox.baseUrl}// `;
	contactDataApi.apiKey = ` ${sandbox.apiKey} `;
	const run = await bench().run('account', 'getInfo', { credentials });
	expect(jsonOf(run)).toEqual([{ credits: 100_000, webhooks: [] }]);
	expectNoKey(run.items, sandbox.apiKey);
});
