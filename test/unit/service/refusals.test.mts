import { describe, expect, it } from 'vitest';
import type { Account } from '../../../nodes/ContactData/service/account.ts';
import { readRefusal, toApiError } from '../../../nodes/ContactData/service/refusals.ts';

const account: Account = {
	baseUrl: 'https://api.example.com',
	requestsPerSecond: 10,
	fingerprint: 'f',
	redact: (text) => text.replaceAll('k3y', '[API key]'),
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
		[302, 'The service pointed to another address (HTTP 302)'],
		[401, 'The service did not accept the API key (HTTP 401)'],
		[402, 'The account has not enough credits (HTTP 402)'],
		[404, 'There is no such address at the service (HTTP 404)'],
		[418, 'The service refused the request (HTTP 418)'],
		[429, 'Too many requests (HTTP 429)'],
		[503, 'The service is not available at the moment (HTTP 503)'],
	] as const)('is told by the status %i where there are no words', ([status, message]) => {
		for (const body of ['<html>', '', null, undefined, {}, [], { message: 7 }]) {
			expect(readRefusal(account, status, body).message).toBe(message);
		}
	});
});

describe('the scope of a refusal', () => {
	it.for([
		[400, 'request'],
		[401, 'account'],
		[402, 'account'],
		[403, 'account'],
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
		const node = {
			id: '1',
			name: 'Contact Data',
			type: 'contactData',
			typeVersion: 1,
			position: [0, 0] satisfies [number, number],
			parameters: {},
		};
		const error = toApiError(
			node,
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
});
