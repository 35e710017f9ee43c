import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { findLookup, lookups, type LookupName } from '../../../nodes/ContactData/lookups/index.ts';
import { useFastClock } from '../../support/clock.mts';
import type { RequestPattern } from '../../support/sandbox/faults.mts';
import { LOOKUPS } from '../../support/sandbox/lookups/index.mts';
import {
	expectTriedAgain,
	shownError,
	useBench,
	withBench,
} from '../../support/n8nCore/contactData.mts';
import { goOnWithout } from '../../support/texts.mts';

// Section 7 of service-api.md, row by row, as the user sees it. What our node refuses before it sends
// anything is shown to be refused (`here`); all rows are ordered from the sandbox besides.

const bench = useBench();
useFastClock();

interface Row {
	resource: string;
	operation: string;
	status: number;
	/** The service's words. */
	message: string;
	/** Part of our advice. */
	advice: string;
	/** Input that would have led to this answer, and what our node says of it. */
	here?: { parameters: INodeParameters; message: string };
}

const GOOD: Record<string, INodeParameters> = {
	emailFinder: { fullname: 'Ada Mustfind', companyDomain: 'acme.com' },
	emailVerifier: { email: 'mustfind@acme.com' },
	phoneFinder: { socialProfileUrl: 'https://social.example/in/mustfind' },
} satisfies Record<LookupName, INodeParameters>;

const ON_THE_WAY = 'The service could not read the request.';
const NO_MONEY = 'Add credits to your account. Nothing was charged';

const list = (field: string, entries: unknown[]): INodeParameters => ({
	inputMode: 'array',
	[field]: JSON.stringify(entries),
});

const SUBMISSIONS: Row[] = [
	{
		resource: 'emailFinder',
		operation: 'submit',
		status: 400,
		message: 'invalid JSON input',
		advice: ON_THE_WAY,
	},
	{
		resource: 'emailFinder',
		operation: 'submit',
		status: 400,
		message:
			'both company_domain and company_name are absent, input payload needs at least one of them',
		advice: "Fill in 'Company Domain' or 'Company Name'.",
		here: {
			parameters: { fullname: 'Ada Mustfind' },
			message: "'Company Domain' and 'Company Name' are both empty",
		},
	},
	{
		resource: 'emailFinder',
		operation: 'submit',
		status: 400,
		message: 'missing fullname',
		advice: "Fill in 'Full Name'.",
		here: { parameters: { companyDomain: 'acme.com' }, message: "'Full Name' is empty" },
	},
	{
		resource: 'emailFinder',
		operation: 'submitBulk',
		status: 400,
		message: 'Missing payload',
		advice: ON_THE_WAY,
	},
	{
		resource: 'emailFinder',
		operation: 'submitBulk',
		status: 400,
		message: 'Missing searches payload',
		advice: 'Give the batch at least one entry.',
		here: { parameters: list('searches', []), message: "'Searches' is an empty list" },
	},
	{
		resource: 'emailFinder',
		operation: 'submitBulk',
		status: 400,
		message: 'Too many searches. Limit is currently at 5000 per batch.',
		advice: 'Send fewer entries in one batch.',
	},
	{
		resource: 'emailFinder',
		operation: 'submitBulk',
		status: 400,
		message: 'Error while parsing payload',
		advice: ON_THE_WAY,
	},
	{
		resource: 'emailVerifier',
		operation: 'submit',
		status: 400,
		message: 'invalid JSON input',
		advice: ON_THE_WAY,
	},
	{
		resource: 'emailVerifier',
		operation: 'submitBulk',
		status: 400,
		message: 'Missing payload',
		advice: ON_THE_WAY,
	},
	{
		resource: 'emailVerifier',
		operation: 'submitBulk',
		status: 400,
		message: 'At least 1 verification must be present in the payload',
		advice: 'Give the batch at least one entry.',
		here: { parameters: list('verifications', []), message: "'Emails' is an empty list" },
	},
	{
		resource: 'emailVerifier',
		operation: 'submitBulk',
		status: 400,
		message: 'Too many verifications. Limit is currently at 5000 per batch.',
		advice: 'Send fewer entries in one batch.',
	},
	{
		resource: 'phoneFinder',
		operation: 'submit',
		status: 400,
		message: 'Invalid linkedin_url format',
		advice: "Check 'Profile URL'",
		here: {
			parameters: { socialProfileUrl: 'ada lovelace' },
			message: `'Profile URL' must be the address of a profile page, but is "ada lovelace"`,
		},
	},
	{
		resource: 'phoneFinder',
		operation: 'submitBulk',
		status: 400,
		message: 'At least 1 phone search must be present in the payload',
		advice: 'Give the batch at least one entry.',
		here: { parameters: list('searches', []), message: "'Searches' is an empty list" },
	},
	{
		resource: 'phoneFinder',
		operation: 'submitBulk',
		status: 400,
		message: 'Missing payload',
		advice: ON_THE_WAY,
	},
	{
		resource: 'phoneFinder',
		operation: 'submitBulk',
		status: 400,
		message: 'Too many searches. Limit is currently at 3000 per batch.',
		advice: 'Send fewer entries in one batch.',
	},
	...Object.keys(GOOD).flatMap((resource) =>
		['submit', 'submitBulk'].flatMap((operation): Row[] => [
			{
				resource,
				operation,
				status: 401,
				message: 'No apikey found in the x-api-key headers',
				advice: "Open the Contact Data API credential and fill in 'API Key'.",
			},
			{
				resource,
				operation,
				status: 401,
				message: 'This apikey is not valid',
				advice: 'Open the Contact Data API credential and paste the key again',
			},
			{ resource, operation, status: 402, message: 'Insufficient credits', advice: NO_MONEY },
			{
				resource,
				operation,
				status: 429,
				message: 'Too Many Requests',
				advice: "Other programs seem to use the same API key: lower 'Requests per Second'",
			},
		]),
	),
	...['submit', 'submitBulk'].map((operation) => ({
		resource: 'phoneFinder',
		operation,
		status: 401,
		message: 'This account is not allowed to use the phone search feature',
		advice: 'Ask the provider to switch them on.',
	})),
];

const ID_ADVICE = 'Check that the ID is complete, that it belongs to this account';
const NO_ID = { parameters: { lookupId: '' }, message: "'Search ID' is empty" };
const NO_BATCH_ID = { parameters: { batchId: '' }, message: "'Batch ID' is empty" };

const READS: Row[] = [
	{
		resource: 'emailFinder',
		operation: 'getResult',
		status: 400,
		message: 'The single search id is missing in the URL query string',
		advice: ID_ADVICE,
		here: NO_ID,
	},
	{
		resource: 'emailFinder',
		operation: 'getResult',
		status: 500,
		message: 'Could not retrieve single search results',
		advice: ID_ADVICE,
	},
	{
		resource: 'emailFinder',
		operation: 'getBulkResult',
		status: 400,
		message: 'Could not retrieve bulk search results',
		advice: ID_ADVICE,
		here: NO_BATCH_ID,
	},
	{
		resource: 'emailVerifier',
		operation: 'getResult',
		status: 400,
		message: 'The single verif id is missing in the URL query string',
		advice: ID_ADVICE,
		here: NO_ID,
	},
	{
		resource: 'emailVerifier',
		operation: 'getResult',
		status: 500,
		message: 'Could not retrieve single verification results',
		advice: ID_ADVICE,
	},
	{
		resource: 'emailVerifier',
		operation: 'getBulkResult',
		status: 400,
		message: 'Could not retrieve bulk verification results',
		advice: ID_ADVICE,
		here: NO_BATCH_ID,
	},
	{
		resource: 'phoneFinder',
		operation: 'getResult',
		status: 400,
		message: 'Missing id in the query params',
		advice: ID_ADVICE,
		here: NO_ID,
	},
	{
		resource: 'phoneFinder',
		operation: 'getResult',
		status: 500,
		message: 'Could not retrieve single search results',
		advice: ID_ADVICE,
	},
	{
		resource: 'phoneFinder',
		operation: 'getBulkResult',
		status: 400,
		message: 'Missing id in the query params',
		advice: ID_ADVICE,
		here: NO_BATCH_ID,
	},
	{
		resource: 'phoneFinder',
		operation: 'getBulkResult',
		status: 400,
		message: 'Could not retrieve bulk search results',
		advice: ID_ADVICE,
	},
	{
		resource: 'phoneFinder',
		operation: 'getBulkResult',
		status: 500,
		message: 'server error',
		advice: 'The service has a problem of its own,',
	},
	...Object.keys(GOOD).flatMap((resource) =>
		['getResult', 'getBulkResult'].map((operation) => ({
			resource,
			operation,
			status: 401,
			message: 'This apikey is not valid',
			advice: 'Open the Contact Data API credential and paste the key again',
		})),
	),
	...['getResult', 'getBulkResult'].map((operation) => ({
		resource: 'phoneFinder',
		operation,
		status: 401,
		message: 'This account is not allowed to use the phone search feature',
		advice: 'Ask the provider to switch them on.',
	})),
];

/** The documented error body: on single endpoints a 402 is told in another form. */
function bodyOf({ operation, status, message }: Row): unknown {
	return status === 402 && operation === 'submit'
		? { reason: message, success: false }
		: { message };
}

function pathOf({ resource, operation }: Row): string {
	return `${findLookup(resource)?.path}/${operation.includes('Bulk') ? 'bulk' : 'single'}`;
}

function expectShown(shown: ReturnType<typeof shownError>, { status, message, advice }: Row): void {
	expect(shown).toMatchObject({ name: 'NodeApiError', message, httpCode: String(status) });
	expect(shown.description).toContain(advice);
}

describe('the rows', () => {
	it('are of every advice that one lookup alone has', () => {
		const without = Object.values(lookups).flatMap(({ name, advice }) =>
			advice.filter(
				({ says }) => !SUBMISSIONS.some((row) => row.resource === name && says.test(row.message)),
			),
		);
		expect(without).toEqual([]);
	});

	it('are of every reason for which the sandbox gives no result', () => {
		const rows = READS.map((row) => `GET ${pathOf(row)} ${row.status} ${row.message}`);
		const reasons = [...LOOKUPS.values()].flatMap(({ path, failures }) =>
			Object.values(failures).map(([status, message]) => `GET ${path} ${status} ${message}`),
		);
		expect(reasons.filter((reason) => !rows.includes(reason))).toEqual([]);
	});
});

describe('a submission that the service refuses', () => {
	it.for(SUBMISSIONS)('$resource $operation $status: $message', async (row) => {
		const on: RequestPattern = `POST ${pathOf(row)}`;
		// Longer than the node has patience for, so that a 429 is an answer at once.
		const headers = { 'retry-after': '3600' };
		const { resource, operation, status } = row;
		bench().sandbox.faults.add({ kind: 'status', on, status, body: bodyOf(row), headers });
		// A key of its own: a 429 holds up what is submitted with the same key.
		const { credentials } = bench();
		const apiKey = bench().sandbox.service.addAccount('other');
		credentials.contactDataApi.apiKey = apiKey;
		const run = await bench().run(resource, operation, {
			parameters: GOOD[resource],
			credentials,
		});
		const shown = shownError(run, apiKey);
		expectShown(shown, row);
		expect(shown.itemIndex).toBe(0);
		expect(bench().posts).toHaveLength(1);
		expect(bench().sandbox.ledger.entries).toEqual([]);
	});
});

describe('what the service would refuse', () => {
	const rows = [...SUBMISSIONS, ...READS].filter(({ here }) => here !== undefined);
	it.for(rows)('$resource $operation: is not sent for "$message"', async (row) => {
		const run = await bench().run(row.resource, row.operation, {
			parameters: row.here?.parameters,
		});
		expect(shownError(run, bench().sandbox.apiKey)).toMatchObject({
			name: 'NodeOperationError',
			message: row.here?.message,
			itemIndex: 0,
		});
		expect(bench().sandbox.requests).toEqual([]);
	});
});

describe('a read that the service refuses', () => {
	it.for(READS)('$resource $operation $status: $message', async (row) => {
		await withBench({}, async (at) => {
			const on: RequestPattern = `GET ${pathOf(row)}`;
			at.sandbox.faults.add({
				kind: 'status',
				on,
				status: row.status,
				body: bodyOf(row),
				times: Infinity,
			});
			const run = await at.run(row.resource, row.operation, {
				parameters: { lookupId: 'some-id', batchId: 'some-id' },
			});
			const shown = shownError(run, at.sandbox.apiKey);
			expectShown(shown, row);
			expect(shown.itemIndex).toBe(0);
			// Nothing but a new key helps where the key is wrong; the rest may pass.
			if (row.status === 401) expect(at.looks).toHaveLength(1);
			else expectTriedAgain(at.looks.length);
		});
	});
});

describe('the same from the sandbox itself, without faults', () => {
	it.for(['getResult', 'getBulkResult'])('%s of an id that nobody knows', async (operation) => {
		await withBench({}, async (at) => {
			await Promise.all(
				Object.keys(GOOD).map(async (resource) => {
					const run = await at.run(resource, operation, {
						parameters: { lookupId: 'unknown', batchId: 'unknown' },
					});
					const shown = shownError(run, at.sandbox.apiKey);
					expect(shown.message).toMatch(/^Could not retrieve (single|bulk) \w+ results$/);
					expect(shown.description).toContain(
						`${ID_ADVICE}, and that 'Resource' and 'Operation' fit what it was started with. Reading it again costs no credits. ${goOnWithout}`,
					);
				}),
			);
		});
	});

	it('a key that is not valid, before anything is submitted', async () => {
		await withBench({}, async (at) => {
			const credentials = at.credentials;
			credentials.contactDataApi.apiKey = 'guessed-key';
			for (const [resource, parameters] of Object.entries(GOOD)) {
				const run = await at.run(resource, 'submitAndWait', { parameters, credentials });
				expect(shownError(run, 'guessed-key')).toMatchObject({
					message: 'This apikey is not valid',
					httpCode: '401',
				});
			}
			at.expectNothingSubmitted();
		});
	});

	it('an account without the phone feature', async () => {
		await withBench({ account: { phone: false } }, async (at) => {
			const run = await at.run('phoneFinder', 'submitBulkAndWait', {
				parameters: GOOD.phoneFinder,
			});
			expect(shownError(run, at.sandbox.apiKey)).toMatchObject({
				message: 'This account is not allowed to use the phone search feature',
				description:
					'Your plan does not include phone searches. Ask the provider to switch them on.',
			});
		});
	});

	it('emailVerifier: an account without credits, told before', async () => {
		await withBench({ account: { credits: 0 } }, async (at) => {
			const parameters = GOOD.emailVerifier;
			const run = await at.run('emailVerifier', 'submit', { parameters });
			const shown = shownError(run, at.sandbox.apiKey);
			expect(shown.message).toMatch(
				/^The account's balance of 0 credits does not cover 1 .+ at .+ each/,
			);
			expect(shown.description).toMatch(/^Not started, and nothing charged for it\. Add credits/);
			at.expectNothingSubmitted();
		});
	});

	it.for(['emailFinder', 'phoneFinder'])(
		'%s: an account without credits, told by the service, also of a price that was seen before',
		async (resource) => {
			await withBench({}, async (at) => {
				const parameters = GOOD[resource];
				await at.run(resource, 'submit', { parameters });
				at.sandbox.service.account().credits = 0;
				const run = await at.run(resource, 'submit', { parameters });
				expect(shownError(run, at.sandbox.apiKey)).toMatchObject({
					message: 'Insufficient credits',
					httpCode: '402',
				});
				expect(at.posts).toHaveLength(2);
			});
		},
	);

	it.for(['submit', 'submitBulk'])(
		'%s: an account whose credits do not last, told by the service',
		async (operation) => {
			await withBench({ account: { credits: 0.5 } }, async (at) => {
				const run = await at.run('emailFinder', operation, { parameters: GOOD.emailFinder });
				expect(shownError(run, at.sandbox.apiKey)).toMatchObject({
					message: 'Insufficient credits',
					httpCode: '402',
				});
				expect(at.posts).toHaveLength(1);
			});
		},
	);
});
