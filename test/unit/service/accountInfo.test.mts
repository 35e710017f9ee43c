import type { IExecuteFunctions } from 'n8n-workflow';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { toConnection } from '../../../nodes/ContactData/input/credential.ts';
import { readBalance } from '../../../nodes/ContactData/service/accountInfo.ts';
import { passTime, startClock } from '../../support/clock.mts';

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

async function balanceWhere(request: () => Promise<unknown>) {
	// The only part of n8n's context that a request needs.
	const caller = {
		helpers: { httpRequestWithAuthentication: request },
	} as unknown as IExecuteFunctions;
	const baseUrl = 'https://api.example.com';
	const account = { baseUrl, fingerprint: 'a', requestsPerSecond: 10, redact: String };
	return await passTime(readBalance(toConnection(caller, { account }), undefined), 60_000);
}

const answers = (statusCode: number, body: string) => async () => ({
	statusCode,
	headers: {},
	body,
});

it('is read before a run spends', async () => {
	expect(await balanceWhere(answers(200, '{"credits":7.5}'))).toEqual({ credits: 7.5 });
});

it('is unknown while the service has a problem of its own', async () => {
	const balance = await balanceWhere(answers(500, '{"message":"Ouch"}'));
	expect(balance).toEqual({ credits: undefined });
});

it.for([
	[
		'the connection is refused',
		async () => {
			throw Object.assign(new Error('Refused'), { code: 'ECONNREFUSED' });
		},
	],
	['the key is refused', answers(401, '{"message":"This apikey is not valid"}')],
	['another server answers', answers(200, '<html>')],
] as const)('is a refusal where %s', async ([, request]) => {
	expect(await balanceWhere(request)).toHaveProperty('refusal.message');
});
