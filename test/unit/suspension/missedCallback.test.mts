import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { emailVerifier } from '../../../nodes/ContactData/lookups/emailVerifier.ts';
import { resumeAfterMissedCallback } from '../../../nodes/ContactData/suspension/missedCallback.ts';
import { passTime, startClock } from '../../support/clock.mts';
import { ServiceInProcess } from '../../support/n8nCore/inProcess.mts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const LIMIT_MS = 60 * MINUTE;
const RESUME_URL = 'https://n8n.example/webhook-waiting/7/contact-data';

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

/** Parks an execution of one lookup; n8n gives these answers to calls of its resume URL, then 200. */
async function parkFor(lookupMs: number, answers: number[] = []) {
	const service = new ServiceInProcess({ single: lookupMs, webhooks: { send: 'none' } });
	service.service.handle({
		method: 'POST',
		path: '/email/verify/single',
		query: {},
		headers: { 'x-api-key': service.credentials.contactDataApi.apiKey },
		body: { email: 'mustfind@acme.example' },
	});
	const calls: Array<{ at: number; url: string; headers: unknown }> = [];
	const begin = Date.now();
	const silent = () => {};
	const following = resumeAfterMissedCallback({
		source: { connection: service.connection, lookup: emailVerifier, size: 'single' },
		ids: service.service.ledger.entries.map(({ id }) => id),
		resumeUrl: RESUME_URL,
		sendUnsigned: async ({ url, headers }) => {
			calls.push({ at: Date.now() - begin, url, headers });
			return await Promise.resolve({ statusCode: answers.shift() ?? 200 });
		},
		logger: { debug: silent, info: silent, warn: silent, error: silent },
	});
	await passTime(following, LIMIT_MS);
	return { calls, service };
}

describe('a callback that came before n8n had saved the parked execution', () => {
	it('is made up for within seconds, by one call without the key', async () => {
		const { calls } = await parkFor(SECOND);
		expect(calls).toMatchObject([{ url: RESUME_URL, headers: undefined }]);
		expect(calls[0].at).toBeLessThan(10 * SECOND);
	});

	it.for([[409], [409, 409], [503, 503, 503]])(
		'is made up for within a minute where n8n first answers %j',
		async (answers) => {
			const { calls } = await parkFor(SECOND, [...answers]);
			expect(calls).toHaveLength(answers.length + 1);
			expect(calls.at(-1)?.at).toBeLessThan(MINUTE);
		},
	);

	it('is not made up for where the execution is over', async () => {
		expect((await parkFor(SECOND, [404])).calls).toHaveLength(1);
	});
});

it('an execution whose lookup still runs is not called, and the lookup seldom looked at', async () => {
	const { calls, service } = await parkFor(LIMIT_MS);
	expect(calls).toEqual([]);
	expect(service.looks.length).toBeLessThanOrEqual(10);
});
