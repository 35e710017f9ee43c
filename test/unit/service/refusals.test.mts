import { describe, expect, it } from 'vitest';
import { readRefusal } from '../../../nodes/ContactData/service/refusals.ts';

// What is to be done about each row of the service's table: `contract/errors/table`.

describe('what the service said', () => {
	it.for([
		[{ message: 'missing fullname' }, 'missing fullname'],
		[{ reason: 'Insufficient credits', success: false }, 'Insufficient credits'],
		[{ error: 'Something else' }, 'Something else'],
		[{ message: ' padded \n' }, 'padded'],
	])('is found in %j', ([body, message]) => {
		expect(readRefusal(400, body).message).toBe(message);
	});

	it.for(['<html>', '', null, undefined, {}, [], { message: 7 }])('is not in %j', (body) => {
		expect(readRefusal(418, body).message).toContain('HTTP 418');
	});
});

it('every refusal says in a sentence what to do', () => {
	for (let status = 300; status < 600; status++) {
		const { message, description } = readRefusal(status, {});
		expect(message).toContain(`HTTP ${status}`);
		expect(description).toMatch(/^[A-Z].+\.$/s);
	}
});

it.for([
	[400, 'request'],
	[401, 'account'],
	[402, 'account'],
	[403, 'request'],
	[404, 'request'],
	[429, 'request'],
	[500, 'request'],
] as const)('a refusal of %i concerns the %s', ([status, scope]) => {
	expect(readRefusal(status, {})).toMatchObject({ status, scope });
});
