import { describe, expect, it } from 'vitest';
import type { Account } from '../../../nodes/ContactData/service/account.ts';
import { readRefusal, toApiError } from '../../../nodes/ContactData/service/refusals.ts';

const account: Account = {
	baseUrl: 'https://api.example.com',
	requestsPerSecond: 10,
	fingerprint: 'f',
	redact: (text) => text.replaceAll('k3y', '[API key]'),
};

const NODE = {
	id: '1',
	name: 'Contact Data',
	type: 'contactData',
	typeVersion: 1,
	position: [0, 0] satisfies [number, number],
	parameters: {},
};

describe('what the service said', () => {
	it.for([
		[{ message: 'missing fullname' }, 'missing fullname'],
		[{ reason: 'Insufficient credits', success: false }, 'Insufficient credits'],
		[{ error: 'Something else' }, 'Something else'],
		[{ message: ' padded \n' }, 'padded'],
		[{ message: 'the key k3y' }, 'the key [API key]'],
	])('is found in %j', ([body, message]) => {
		expect(readRefusal(account, 400, body).message).toBe(message);
	});

	it('is cut at 500 characters', () => {
		expect(readRefusal(account, 400, { message: 'x'.repeat(501) }).message).toHaveLength(500);
	});

	it.for([
		[200, 'The answer of the service could not be understood (HTTP 200)'],
		[299, 'The answer of the service could not be understood (HTTP 299)'],
		[300, 'The service pointed to another address (HTTP 300)'],
		[399, 'The service pointed to another address (HTTP 399)'],
		[400, 'The service refused the request (HTTP 400)'],
		[401, 'The service did not accept the API key (HTTP 401)'],
		[402, 'The account does not have enough credits (HTTP 402)'],
		[404, 'There is no such address at the service (HTTP 404)'],
		[418, 'The service refused the request (HTTP 418)'],
		[429, 'Too many requests (HTTP 429)'],
		[499, 'The service refused the request (HTTP 499)'],
		[500, 'The service is not available at the moment (HTTP 500)'],
	] as const)('is told by the status %i where there are no words', ([status, message]) => {
		for (const body of ['<html>', '', null, undefined, {}, [], { message: 7 }]) {
			expect(readRefusal(account, status, body).message).toBe(message);
		}
	});
});

/** What the user reads below the service's words: section 7 of service-api.md. */
describe('the advice', () => {
	const ID =
		"Check that the ID is complete, that it belongs to this account, and that 'Resource' and 'Operation' fit what it was started with. Reading it again costs no credits.";
	const NOT_READ =
		"The service could not read the request. Check 'Base URL' in the credential and that no proxy changes requests on the way.";
	const NO_MONEY = 'Add credits to your account.';
	const FEWER = 'Send fewer entries in one batch.';
	const ONE = 'Give the batch at least one entry.';

	it.for([
		[
			'No apikey found in the x-api-key headers',
			"Open the Contact Data API credential and fill in 'API Key'.",
		],
		[
			'This apikey is not valid',
			"Open the Contact Data API credential and paste the key again from the API menu of your account dashboard. Check that 'Base URL' belongs to the same account.",
		],
		[
			'This account is not allowed to use the phone search feature',
			'Your plan does not include phone searches. Ask the provider to switch them on.',
		],
		['Insufficient credits', NO_MONEY],
		[
			'Too Many Requests',
			"Other programs seem to use the same API key: lower 'Requests per Second' in the credential, or let them work one after another.",
		],
		[
			'both company_domain and company_name are absent, input payload needs at least one of them',
			"Fill in 'Company Domain' or 'Company Name'.",
		],
		['missing fullname', "Fill in 'Full Name'."],
		[
			'Invalid linkedin_url format',
			"Check 'Profile URL': it must be the address of the person's profile page, or set 'Identify By' to Name and Company.",
		],
		['Too many searches. Limit is currently at 5000 per batch.', FEWER],
		['Too many verifications. Limit is currently at 5000 per batch.', FEWER],
		['At least 1 verification must be present in the payload', ONE],
		['At least 1 phone search must be present in the payload', ONE],
		['Missing searches payload', ONE],
		['Missing payload', NOT_READ],
		['invalid JSON input', NOT_READ],
		['Error while parsing payload', NOT_READ],
		['The single search id is missing in the URL query string', ID],
		['Missing id in the query params', ID],
		['Could not retrieve single search results', ID],
		['Could not retrieve bulk verification results', ID],
		['server error', 'The service has a problem of its own, which may be over in a while.'],
	])('for %j', ([message, advice]) => {
		expect(readRefusal(account, 400, { message }).description).toBe(advice);
	});

	it.for([
		[
			302,
			"If the service has moved there, set 'Base URL' in the Contact Data API credential to it.",
		],
		[401, "Open the Contact Data API credential and check 'API Key'."],
		[402, NO_MONEY],
		[
			403,
			"The service, or a firewall on the way, forbids it: check the values of this item. If every item is refused, check 'API Key' in the Contact Data API credential and what your plan includes.",
		],
		[404, "Check 'Base URL' in the Contact Data API credential."],
		[407, 'A proxy on the way asks for it: check the network settings of n8n.'],
		[413, 'Send fewer entries at once.'],
		[499, "Check 'Base URL' in the Contact Data API credential, and the values of this item."],
		[500, 'The service has a problem of its own, which may be over in a while.'],
		[503, 'The service has a problem of its own, which may be over in a while.'],
	] as const)('for %i with words that nobody knows', ([status, advice]) => {
		expect(readRefusal(account, status, { message: 'Hm' }).description).toBe(advice);
	});
});

describe('the scope of a refusal', () => {
	it.for([
		[400, 'request'],
		[401, 'account'],
		[402, 'account'],
		[403, 'request'],
		[404, 'request'],
		[429, 'request'],
		[500, 'request'],
	] as const)('of %i is the %s', ([status, scope]) => {
		expect(readRefusal(account, status, {})).toMatchObject({ status, scope });
	});
});

describe('every refusal', () => {
	it('says in a sentence what to do', () => {
		for (let status = 300; status < 600; status++) {
			const { description } = readRefusal(account, status, {});
			expect(description).toMatch(/^[A-Z].+\.$/s);
		}
	});

	it('becomes an error of plain text', () => {
		const error = toApiError(
			NODE,
			readRefusal(account, 402, { reason: 'Insufficient credits' }),
			3,
		);
		expect(error).toMatchObject({
			message: 'Insufficient credits',
			httpCode: '402',
			context: { itemIndex: 3 },
		});
		expect(error.description).toContain('Add credits to your account');
	});

	it('without an answer has no status', () => {
		const error = toApiError(NODE, { message: 'No answer', description: 'Try again.' });
		expect(error).toMatchObject({ message: 'No answer', description: 'Try again.' });
		expect(error.httpCode).toBeNull();
	});
});
