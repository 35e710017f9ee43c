import dns from 'node:dns';
import { describe, expect, it, vi } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, shownError, type Bench, useBench } from '../../support/n8nCore/contactData.mts';
import { alreadyPaidFor, notFinishedInTime, unreachable } from '../../support/texts.mts';

// A service whose name cannot be looked up for a while, as its resolver restarts.

const bench = useBench({ single: 60_000, bulk: 60_000 });
useFastClock();
// Sockets keep their own time, and another's load.
vi.setConfig({ testTimeout: 60_000 });

const CODES = ['ENOTFOUND', 'EAI_AGAIN'];

/** The sandbox by a name that has to be looked up; connections are not kept. */
function byName(): Bench['credentials'] {
	const { credentials } = bench();
	const { contactDataApi } = credentials;
	contactDataApi.baseUrl = bench().sandbox.baseUrl.replace('127.0.0.1', 'localhost');
	return credentials;
}

/** Lets so many look-ups of the name fail once something was submitted. */
function failLookups(code: string, times: number, after: () => boolean) {
	const { lookup } = dns;
	let failed = 0;
	const spy = vi.spyOn(dns, 'lookup').mockImplementation(((
		host: string,
		options: object,
		callback: (error: Error | null, addresses: unknown) => void,
	) => {
		if (!after() || failed >= times) {
			// Whatever the machine's own tables say.
			lookup('127.0.0.1', options, callback as never);
			return;
		}
		failed++;
		const error = new Error(`getaddrinfo ${code} ${host}`);
		setImmediate(() => callback(Object.assign(error, { code, syscall: 'getaddrinfo' }), undefined));
	}) as never);
	return {
		get failed() {
			return failed;
		},
		restore: () => spy.mockRestore(),
	};
}

describe.for(CODES)('a name that cannot be looked up (%s)', (code) => {
	it.for([0, 2])('for a while after the submission and %i reads ends no wait', async (reads) => {
		const credentials = byName();
		const isAfter = () => bench().posts.length === 1 && bench().looks.length >= reads;
		const failing = failLookups(code, 3, isAfter);
		const run = await bench().run('emailVerifier', 'submitAndWait', {
			parameters: { email: 'mustfind@acme.com' },
			credentials,
		});
		failing.restore();
		expect(failing.failed).toBe(3);
		expect(jsonOf(run)).toMatchObject([{ found: true }]);
		expect(bench().posts).toHaveLength(1);
	});

	it('until the deadline is told of, beside what was started and paid for', async () => {
		const credentials = byName();
		const failing = failLookups(code, Infinity, () => bench().looks.length >= 2);
		const run = await bench().run('emailVerifier', 'submitAndWait', {
			parameters: { email: 'mustfind@acme.com' },
			options: { timeout: 120 },
			credentials,
		});
		failing.restore();
		const { message, description } = shownError(run, bench().sandbox.apiKey);
		const [entry] = bench().sandbox.ledger.entries;
		expect(message).toContain(`${entry?.id} ${notFinishedInTime} 120 s`);
		expect(description).toContain(`${alreadyPaidFor}: ${entry?.id}`);
		expect(`${message} ${description}`).not.toMatch(/Nothing was (sent|started)/);
	});

	it.for([
		['emailVerifier', 'getResult'],
		['account', 'getInfo'],
	])('is no word about charges where nothing is bought: %s %s', async ([resource, operation]) => {
		const credentials = byName();
		const failing = failLookups(code, Infinity, () => true);
		const run = await bench().run(resource, operation, {
			parameters: { lookupId: 'some-id', batchId: 'some-id' },
			credentials,
		});
		failing.restore();
		const { message, description } = shownError(run, bench().sandbox.apiKey);
		expect(message).toMatch(new RegExp(`^${unreachable}: `));
		expect(description).not.toContain('nothing charged');
	});
});
