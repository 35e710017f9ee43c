import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, pairedWith, shownError, useBench } from '../../support/n8nCore/contactData.mts';
import type { Given } from '../../support/n8nCore/contactData.mts';
import { people, WRONG_EMAIL } from '../../support/people.mts';
import { NOBODY } from '../../support/ports.mts';
import {
	doesNotCover,
	mayHaveBeenCharged,
	notReadable,
	unreachable,
} from '../../support/texts.mts';
import { figuresOf, hintOf } from './dryRun.mts';
import { addresses, FIND, MAIL, newAccount } from './money.mts';

// Dry Run: the bill before anything is paid.

const bench = useBench();
useFastClock();

const MIXED = [
	{ mail: 'ada@acme.com' },
	{ mail: WRONG_EMAIL },
	{ mail: ' Ada@ACME.com ' },
	{ mail: 'bea@acme.com' },
];

async function dryRun(resource: string, operation: string, given: Given) {
	const options = { dryRun: true, ...given.options };
	return await bench().run(resource, operation, { ...given, options });
}

async function verify(given: Given = {}, operation = 'submitBulkAndWait') {
	return await dryRun('emailVerifier', operation, { parameters: MAIL, items: MIXED, ...given });
}

describe('the items', () => {
	it.for(['submitAndWait', 'submit', 'submitBulkAndWait', 'submitBulk'])(
		'tell what would become of each, and nothing is submitted: %s',
		async (operation) => {
			const run = await verify({}, operation);
			const columns = { reason: null, same_as: null, credits: 0, note: null, dry_run: true };
			const reason: unknown = expect.stringMatching(new RegExp(`^'Email' ${notReadable}`));
			expect(jsonOf(run)).toEqual([
				{ ...columns, action: 'submit', email: 'ada@acme.com', credits: 0.25 },
				{ ...columns, action: 'invalid', email: null, reason },
				{ ...columns, action: 'same_as', same_as: 1, email: 'Ada@ACME.com' },
				{ ...columns, action: 'submit', email: 'bea@acme.com', credits: 0.25 },
			]);
			expect(run.items.map(pairedWith)).toEqual([[0], [1], [2], [3]]);
			bench().expectNothingSubmitted();
			const asked = bench().sandbox.requests.map(({ endpoint }) => endpoint);
			expect(asked).toEqual(['GET /account/info']);
		},
	);

	it('say what will probably be paid for nothing, and what goes without a value', async () => {
		const people = [
			['Ada Hart', 'acme.com'],
			['Ada', 'acme.com'],
			['Acme Industries GmbH', 'acme.com'],
			['Sales Department', 'acme.com'],
			['Bea Low', 'gmail.com'],
			['Bea Low', 'yahoo.co.uk'],
			['山田太郎', 'acme.com'],
			['Eve Dow', 'bit.ly/x'],
		];
		const run = await dryRun('emailFinder', 'submitBulkAndWait', {
			parameters: {
				fullname: '={{ $json.name }}',
				companyDomain: '={{ $json.domain }}',
				companyName: 'Acme',
			},
			items: people.map(([name, domain]) => ({ name, domain })),
		});
		const items = jsonOf(run);
		expect(new Set(items.map((item) => Object.keys(item).join())).size).toBe(1);
		const mailbox = "'Company Domain' is where people have private mailboxes";
		expect(items.map(({ note }) => note)).toEqual([
			null,
			"'Full Name' is one word",
			"'Full Name' looks like a company",
			"'Full Name' looks like a department",
			mailbox,
			mailbox,
			null,
			null,
		]);
		expect(items.map(({ action }) => action)).toEqual(items.map(() => 'submit'));
		expect(items[7]).toMatchObject({
			company_domain: null,
			reason: "goes without 'Company Domain', which could not be used",
		});
		expect(hintOf(run)).toContain(
			"1 email search goes without a value that could not be used: 'reason' says which. 5 email searches may find nobody: 'note' says why.",
		);
	});

	it('say which searches no limit covers', async () => {
		const run = await dryRun('emailFinder', 'submitAndWait', {
			parameters: { fullname: '={{ $json.name }}', companyDomain: 'acme.com' },
			items: [{ name: 'Ada Hart' }, { name: 'Bea Low' }, { name: 'Cleo' }],
			options: { maxCredits: 1 },
		});
		const notCovered = 'not covered by what may be spent';
		expect(jsonOf(run).map(({ note }) => note)).toEqual([
			null,
			notCovered,
			`${notCovered}; 'Full Name' is one word`,
		]);
	});

	it.for([
		['emailFinder', 1, 'about 2 credits at the usual 1 each; your plan may differ.'],
		['phoneFinder', 50, 'about 100 credits at the usual 50 each; your plan may differ.'],
	] as const)('of %s, whose price is not sure: %j', async ([resource, price, told]) => {
		const parameters = {
			fullname: '={{ $json.name }}',
			companyDomain: 'acme.com',
			socialProfileUrl: '=https://linkedin.com/in/{{ $json.name }}',
		};
		const items = ['ada', 'bea', 'ada'].map((name) => ({ name }));
		const { credentials } = newAccount(bench());
		const given = { parameters, items, credentials };
		const run = await dryRun(resource, 'submitBulkAndWait', given);
		expect(jsonOf(run).map(({ action }) => action)).toEqual(['submit', 'submit', 'same_as']);
		expect(jsonOf(run).map(({ credits }) => credits)).toEqual([price, price, 0]);
		expect(hintOf(run)).toContain(told);
		bench().expectNothingSubmitted();
	});
});

describe('the hint', () => {
	it('says the bill', async () => {
		const bill =
			'would start 2 email verifications. 1 repeats another item, 1 item is invalid. It would cost at most 0.5 credits (0.25 each). The account has 100,000 credits.';
		const settings = { onError: 'continueRegularOutput' } as const;
		expect(hintOf(await verify({ settings }))).toBe(
			`Dry run: nothing was started. A real run ${bill}`,
		);
		const stopping = hintOf(await verify());
		const bad = '1 of 4 items cannot be verified. It is item 2: ';
		expect(stopping).toContain(`Dry run: a real run would start nothing: ${bad}`);
		expect(stopping).toContain(` With 'On Error' set to Continue it ${bill}`);
	});

	it('says a price that was learned, and that it may have changed', async () => {
		bench().sandbox.service.account().prices.emailFinderSingle = 2;
		await bench().run('emailFinder', 'submit', { parameters: FIND, items: people(1) });
		bench().sandbox.service.account().credits = 2;
		const given = { parameters: FIND, items: people(2, 'other') };
		const hint = hintOf(await dryRun('emailFinder', 'submit', given));
		expect(hint).toContain(
			'at most 4 credits, at the last price of 2 each. The account has 2 credits, which is not enough.',
		);
		// The service decides.
		expect(figuresOf(hint)).toMatchObject({ isRefused: false, searches: 2 });
	});
});

describe('what the run could not pay for is told', () => {
	const hintFor = async (given: Given) => hintOf(await verify({ items: addresses(3), ...given }));

	it('by Max Credits, of which Continue starts what fits', async () => {
		const options = { maxCredits: 0.5 };
		const hint = await hintFor({ options });
		expect(figuresOf(hint).isRefused).toBe(true);
		// The cap is told once.
		expect(hint).not.toContain('covers');
		expect(hint).toContain(`'Max Credits' of 0.5 ${doesNotCover} 3 email verifications`);
		const settings = { onError: 'continueRegularOutput' } as const;
		const continued = await hintFor({ options, settings });
		expect(continued).toContain(
			"'Max Credits' of 0.5 covers 2 of 3. The account has 100,000 credits. So only the first 2 would be started.",
		);
	});

	it('by the balance', async () => {
		bench().sandbox.service.account().credits = 0.5;
		const hint = await hintFor({});
		expect(figuresOf(hint).isRefused).toBe(true);
		expect(hint).toContain(`balance of 0.5 credits ${doesNotCover} 3 email verifications`);
		const settings = { onError: 'continueRegularOutput' } as const;
		const continued = await hintFor({ options: { maxCredits: 10 }, settings });
		expect(continued).toContain(
			"'Max Credits' of 10 covers all. The account has 0.5 credits, which is not enough. So only the first 2 would be started.",
		);
	});
});

describe('the account', () => {
	it('whose key is wrong is the same error as in the real run', async () => {
		const { contactDataApi } = bench().credentials;
		const credentials = { contactDataApi: { ...contactDataApi, apiKey: 'another key' } };
		const items = addresses(2);
		const dry = shownError(await verify({ items, credentials }), 'another key');
		const real = shownError(
			await verify({ items, credentials, options: { dryRun: false } }),
			'another key',
		);
		expect(dry).toEqual(real);
		expect(dry.message).toMatch(/apikey is not valid/i);
	});

	it.for([403, 503, undefined])(
		'that cannot be read (%j) is said, and the items are checked all the same',
		async (status) => {
			const on = 'GET /account/info';
			if (status !== undefined) {
				bench().sandbox.faults.add({ kind: 'status', status, on, times: Infinity });
			}
			const { contactDataApi } = bench().credentials;
			const credentials = { contactDataApi: { ...contactDataApi, baseUrl: NOBODY } };
			const run = await verify(status === undefined ? { credentials } : {});
			expect(jsonOf(run)).toHaveLength(4);
			const why = status === undefined ? `: ${unreachable}` : '';
			expect(hintOf(run)).toContain(`The balance could not be read${why}`);
		},
	);
});

describe('Input Mode List in One Item', () => {
	it('gives an item for each entry, wrong or not, and one for what is no list', async () => {
		const run = await dryRun('emailVerifier', 'submitBulkAndWait', {
			parameters: { inputMode: 'array', verifications: '={{ $json.list }}' },
			items: [
				{ list: ['ada@acme.com', 'bea@acme.com'] },
				{ list: [WRONG_EMAIL, 'cleo@acme.com'] },
				{ list: ['bea@acme.com', 'dora@acme.com'] },
				{ list: 'no list' },
			],
		});
		const items = jsonOf(run);
		expect(items.map(({ action }) => action)).toEqual([
			'submit',
			'submit',
			'invalid',
			'submit',
			'same_as',
			'submit',
			'invalid',
		]);
		expect(items[4]).toMatchObject({ same_as: 2 });
		expect(run.items.map(pairedWith)).toEqual([[0], [0], [1], [1], [2], [2], [3]]);
		expect(figuresOf(hintOf(run))).toMatchObject({ searches: 4, invalid: 2, same: 1 });
		bench().expectNothingSubmitted();
	});
});

describe('with other options', () => {
	it('Include Input Fields keeps the fields of the input, also of invalid items', async () => {
		const items = MIXED.map((item, n) => ({ ...item, n }));
		const run = await verify({ items, options: { includeInputFields: true } });
		expect(jsonOf(run).map(({ n }) => n)).toEqual([0, 1, 2, 3]);
	});

	it('Wait Mode Pause Until Notified does not pause', async () => {
		const run = await verify({ parameters: { ...MAIL, waitMode: 'suspend' }, executionId: '7' });
		expect(run.waitTill).toBeUndefined();
		expect(jsonOf(run)).toHaveLength(4);
	});

	it.for([
		['={{ $json.nothing }}', /'Dry Run' is empty/],
		['={{ "perhaps" }}', /'Dry Run' must be true or false/],
	] as const)('%s is refused, and nothing is bought', async ([value, says]) => {
		const run = await verify({ options: { dryRun: value } });
		expect(shownError(run, bench().sandbox.apiKey).message).toMatch(says);
		bench().expectNothingSubmitted();
	});

	it.for([
		[false, 1],
		['false', 1],
		['={{ "true" }}', 0],
	] as const)('%j makes %i requests', async ([value, requests]) => {
		jsonOf(await verify({ items: addresses(1), options: { dryRun: value } }));
		expect(bench().posts).toHaveLength(requests);
	});
});

describe('what earlier tries have started', () => {
	const given = (): Given => ({ parameters: MAIL, items: addresses(2), options: { timeout: 1 } });

	it.for(['submitAndWait', 'submitBulkAndWait'])(
		'is read by %s, and its receipts stay as they are',
		async (operation) => {
			bench().sandbox.configure({ single: 60_000, bulk: 60_000 });
			const { contextData } = await bench().run('emailVerifier', operation, given());
			const before = structuredClone(contextData);
			const items = [...addresses(2), { mail: 'new@acme.com' }];
			const run = await verify({ items, contextData }, operation);
			expect(jsonOf(run)).toMatchObject([
				{ action: 'read', email: items[0]?.mail, credits: 0 },
				{ action: 'read', email: items[1]?.mail, credits: 0 },
				{ action: 'submit' },
			]);
			expect(figuresOf(hintOf(run))).toMatchObject({ read: 2, searches: 1 });
			expect(run.contextData).toEqual(before);
		},
	);

	it('counts for the cap', async () => {
		bench().sandbox.configure({ single: 60_000 });
		const { contextData } = await bench().run('emailVerifier', 'submitAndWait', given());
		const run = await verify({
			items: addresses(4),
			contextData,
			options: { maxCredits: 0.75 },
			settings: { onError: 'continueRegularOutput' },
		});
		expect(hintOf(run)).toContain("'Max Credits' of 0.75 covers 1 of 2.");
	});

	it('is not sent again where its answer never came', async () => {
		bench().sandbox.faults.add({ kind: 'reset', when: 'after', on: 'POST *' });
		const { contextData } = await bench().run('emailVerifier', 'submitBulk', given());
		const run = await verify({ items: addresses(2), contextData }, 'submitBulk');
		const items = jsonOf(run);
		expect(items.map(({ action }) => action)).toEqual(['invalid', 'invalid']);
		expect(items[0]?.reason).toMatch(mayHaveBeenCharged);
		expect(figuresOf(hintOf(run))).toMatchObject({ searches: 0, invalid: 2 });
	});
});
