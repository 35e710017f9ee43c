import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import type { Fault } from '../../support/sandbox/faults.mts';
import {
	expectTriedAgain,
	jsonOf,
	shownError,
	textIn,
	type Bench,
	useBench,
	withBench,
} from '../../support/n8nCore/contactData.mts';
import {
	answerWithoutId,
	askProvider,
	connectionBroke,
	couldNotProcess,
	lastAnswerWas,
	mayHaveBeenCharged,
	notAsked,
	notSentAgain,
	notUnderstood,
	retryIt,
} from '../../support/texts.mts';

// Answers that service-api.md does not know: other statuses, broken bodies, proxies, redirects.

const bench = useBench();
useFastClock();

const EMAIL = { email: 'mustfind@acme.com' };
const CUT = connectionBroke;
const submit = async (at: Bench = bench()) =>
	await at.run('emailVerifier', 'submit', { parameters: EMAIL });

describe('a submission that is surely not charged', () => {
	it.for([
		[
			403,
			"The service, or a firewall on the way, forbids it: check the values of this item. If every item is refused, check 'API Key' in the Contact Data API credential and what your plan includes.",
		],
		[404, "Check 'Base URL' in the Contact Data API credential."],
		[413, 'Send fewer entries at once.'],
		[418, "Check 'Base URL' in the Contact Data API credential, and the values of this item."],
	] as const)('%i with the words of the service', async ([status, advice]) => {
		const body = { message: 'Not today' };
		bench().sandbox.faults.add({ kind: 'status', on: 'POST *', status, body });
		expect(shownError(await submit(), bench().sandbox.apiKey)).toEqual({
			name: 'NodeApiError',
			message: 'Not today',
			description: advice,
			itemIndex: 0,
			httpCode: String(status),
		});
		expect(bench().posts).toHaveLength(1);
	});

	it.for([
		[401, 'The service did not accept the API key (HTTP 401)'],
		[402, 'The account does not have enough credits (HTTP 402)'],
		[404, 'There is no such address at the service (HTTP 404)'],
		[418, 'The service refused the request (HTTP 418)'],
	] as const)('%i with a page of a proxy', async ([status, message]) => {
		bench().sandbox.faults.add({ kind: 'html', on: 'POST *', status });
		expect(shownError(await submit(), bench().sandbox.apiKey)).toMatchObject({ message });
		expect(bench().posts.length).toBeLessThanOrEqual(2);
		expect(bench().sandbox.ledger.entries).toEqual([]);
	});

	it.for([{}, [], 7, null, { message: 7 }, { message: '' }, { error: { code: 1 } }])(
		'418 with the body %j',
		async (body) => {
			bench().sandbox.faults.add({ kind: 'status', on: 'POST *', status: 418, body });
			expect(shownError(await submit(), bench().sandbox.apiKey)).toMatchObject({
				message: 'The service refused the request (HTTP 418)',
			});
		},
	);

	it('shows no more than 500 characters of what the service says, and no key', async () => {
		const { apiKey } = bench().sandbox;
		const body = { message: `Key ${apiKey} ${'x'.repeat(10_000)}` };
		bench().sandbox.faults.add({ kind: 'status', on: 'POST *', status: 418, body });
		const shown = shownError(await submit(), apiKey);
		expect(shown.message).toMatch(/^Key \[API key\] x+$/);
		expect(shown.message).toHaveLength(500);
	});
});

describe('a submission that may have been charged', () => {
	const faults: Array<[string, Fault, string]> = [
		[
			'500',
			{ kind: 'status', status: 500, body: { message: 'Ouch' } },
			'the service answered: Ouch',
		],
		[
			'502 of a proxy',
			{ kind: 'html' },
			'the service answered: The service is not available at the moment (HTTP 502)',
		],
		[
			'503 without a body',
			{ kind: 'status', status: 503, body: '', contentType: 'text/plain', accepted: true },
			'the service answered: The service is not available at the moment (HTTP 503)',
		],
		[
			'408',
			{ kind: 'status', status: 408, body: {} },
			'the service answered: The service refused the request (HTTP 408)',
		],
		['empty answer', { kind: 'empty' }, answerWithoutId],
		['answer without an id', { kind: 'noId' }, answerWithoutId],
		['page with status 200', { kind: 'html', status: 200 }, answerWithoutId],
		['JSON cut in the middle', { kind: 'cutJson' }, answerWithoutId],
		['body cut in the middle', { kind: 'truncated' }, CUT],
		['broken connection', { kind: 'reset', when: 'after' }, connectionBroke],
	];

	it.for(faults)('%s: is not sent again', async ([, fault, reason]) => {
		bench().sandbox.faults.add({ ...fault, on: 'POST *', times: Infinity });
		const shown = shownError(await submit(), bench().sandbox.apiKey);
		expect(shown).toMatchObject({
			name: 'NodeOperationError',
			message: expect.stringMatching(mayHaveBeenCharged) as string,
			itemIndex: 0,
		});
		expect(shown.message).toContain(`: ${reason}`);
		expect(shown.description).toMatch(
			new RegExp(`^${notSentAgain}, so that you do not pay twice: `),
		);
		expect(bench().posts).toHaveLength(1);
	});

	it('tells what came of an answer that broke off, which may hold the id', async () => {
		bench().sandbox.faults.add({ kind: 'truncated', on: 'POST *' });
		const { description } = shownError(await submit(), bench().sandbox.apiKey);
		expect(description).toContain(`"id":"${bench().sandbox.ledger.entries[0]?.id}"`);
	});

	it('tells of no answer where none came', async () => {
		bench().sandbox.faults.add({ kind: 'reset', when: 'after', on: 'POST *' });
		const { description } = shownError(await submit(), bench().sandbox.apiKey);
		expect(description).toMatch(new RegExp(` and ${retryIt}: nothing is paid twice\\.$`));
	});

	it('is taken where the id is a number, or the body has other things in it', async () => {
		const body = { id: 4711, credits_used: 'many', extra: { nested: true } };
		bench().sandbox.faults.add({ kind: 'status', on: 'POST *', status: 200, body });
		expect(jsonOf(await submit())).toEqual([{ ...body, id: '4711', status: 'ongoing' }]);
	});
});

describe('a redirect', () => {
	const keys: unknown[] = [];
	const elsewhere = createServer((request, response) => {
		keys.push(request.headers['x-api-key']);
		response.end(JSON.stringify({ id: 'stolen', credits: 1, qualification: 'valid' }));
	});
	let address = '';
	beforeAll(async () => {
		elsewhere.listen(0, '127.0.0.1');
		await once(elsewhere, 'listening');
		const bound = elsewhere.address();
		if (bound === null || typeof bound === 'string') throw new Error('No port');
		address = `http://127.0.0.1:${bound.port}/elsewhere`;
	});
	afterAll(() => {
		elsewhere.closeAllConnections();
		elsewhere.close();
	});

	it.for([301, 302, 303, 307, 308])('%i is not followed, so the key stays', async (status) => {
		for (const [operation, parameters] of [
			['submit', EMAIL],
			['getResult', { lookupId: 'some-id' }],
			['getBulkResult', { batchId: 'some-id' }],
		] as const) {
			bench().sandbox.faults.add({
				kind: 'redirect',
				on: operation === 'submit' ? 'POST *' : 'GET /email/*',
				to: address,
				status,
			});
			const run = await bench().run('emailVerifier', operation, { parameters });
			const { message } = shownError(run, bench().sandbox.apiKey);
			const said = `The service pointed to another address (HTTP ${status}): ${address}`;
			if (operation === 'submit' && status <= 303) {
				expect(message).toMatch(mayHaveBeenCharged);
				expect(message).toContain(`: the service answered: ${said}`);
			} else {
				expect(message).toBe(said);
			}
		}
		expect(keys).toEqual([]);
	});

	it.for([301, 302, 303])(
		'%i after a submission was taken: it is not paid again',
		async (status) => {
			const fault = {
				kind: 'status',
				status,
				headers: { location: address },
				accepted: true,
			} as const;
			bench().sandbox.faults.add({ ...fault, on: 'POST *' });
			const given = { parameters: EMAIL };
			const { contextData, error } = await bench().run('emailVerifier', 'submit', given);
			expect(error).toBeDefined();
			await bench().run('emailVerifier', 'submit', { ...given, contextData });
			expect(bench().sandbox.ledger.entries).toHaveLength(1);
		},
	);

	it('of the account is not followed either, and ends the run', async () => {
		bench().sandbox.faults.add({ kind: 'redirect', on: 'GET /account/info', to: address });
		const run = await bench().run('account', 'getInfo');
		expect(shownError(run, bench().sandbox.apiKey).message).toMatch(/another address \(HTTP 307\)/);
		expect(keys).toEqual([]);
	});
});

describe('a read that fails', () => {
	const faults: Array<[string, Fault, string]> = [
		['500', { kind: 'status', status: 500, body: { message: 'Ouch' } }, 'Ouch'],
		['502 of a proxy', { kind: 'html' }, 'The service is not available at the moment (HTTP 502)'],
		['page with status 200', { kind: 'html', status: 200 }, notUnderstood],
		['JSON cut in the middle', { kind: 'cutJson' }, notUnderstood],
		['body cut in the middle', { kind: 'truncated' }, `${notAsked}: ${CUT}`],
		['broken connection', { kind: 'reset', when: 'before' }, `${notAsked}: ${connectionBroke}`],
	];

	it.for(faults)('%s: is tried again, then told', async ([, fault, message]) => {
		const advice = /could not be understood/.test(message)
			? /^Check that 'Base URL' .* and that no proxy changes the answers\. To go on/
			: /./;
		await withBench({ single: 0, bulk: 0 }, async (at) => {
			const [single] = jsonOf(await submit(at));
			const [batch] = jsonOf(await at.run('emailVerifier', 'submitBulk', { parameters: EMAIL }));
			at.sandbox.faults.add({ ...fault, on: 'GET /email/*', times: Infinity });
			const runs = await Promise.all([
				at.run('emailVerifier', 'getResult', {
					parameters: { lookupId: textIn(single, 'id') },
				}),
				at.run('emailVerifier', 'getBulkResult', {
					parameters: { batchId: textIn(batch, 'id') },
				}),
			]);
			for (const run of runs) {
				const shown = shownError(run, at.sandbox.apiKey);
				expect(shown).toMatchObject({ message, itemIndex: 0 });
				expect(shown.description).toMatch(advice);
			}
			for (const kind of ['single', 'bulk']) {
				expectTriedAgain(at.looks.filter(({ path }) => path.endsWith(kind)).length);
			}
		});
	});

	it.for(faults)('%s once: nobody notices', async ([, fault]) => {
		await withBench({ single: 0 }, async (at) => {
			const [receipt] = jsonOf(await submit(at));
			at.sandbox.faults.add({ ...fault, on: 'GET /email/*', times: 1 });
			const run = await at.run('emailVerifier', 'getResult', {
				parameters: { lookupId: textIn(receipt, 'id') },
			});
			expect(jsonOf(run)).toMatchObject([{ id: receipt?.id, found: true }]);
		});
	});

	it.for(faults)('%s during a wait: the wait goes on', async ([, fault]) => {
		await withBench({}, async (at) => {
			at.sandbox.faults.add({ ...fault, on: 'GET /email/*', times: 1 });
			const run = await at.run('emailVerifier', 'submitAndWait', { parameters: EMAIL });
			expect(jsonOf(run)).toMatchObject([{ found: true }]);
			expect(at.posts).toHaveLength(1);
		});
	});

	it('until the deadline of a wait: the error has the id and the last answer', async () => {
		await withBench({}, async (at) => {
			at.sandbox.faults.add({ kind: 'html', on: 'GET /email/*', times: Infinity });
			const run = await at.run('emailVerifier', 'submitAndWait', {
				parameters: EMAIL,
				options: { timeout: 1 },
			});
			const [entry] = at.sandbox.ledger.entries;
			const shown = shownError(run, at.sandbox.apiKey);
			expect(shown.message).toContain(String(entry?.id));
			expect(shown.message).toContain(`${lastAnswerWas}The service is not available`);
		});
	});
});

describe('a batch that failed', () => {
	it.for([
		['emailFinder', { fullname: 'Ada Mustfind', companyDomain: 'acme.com' }],
		['emailVerifier', EMAIL],
		['phoneFinder', { socialProfileUrl: 'https://social.example/in/mustfind' }],
	] as const)('%s: is an error with its id', async ([resource, parameters]) => {
		bench().sandbox.configure({ bulk: 0, scenarios: ['batchFailed'] });
		const run = await bench().run(resource, 'submitBulkAndWait', { parameters });
		const [entry] = bench().sandbox.ledger.entries;
		const message = `${couldNotProcess}batch ${entry?.id}`;
		const shown = shownError(run, bench().sandbox.apiKey);
		expect(shown).toMatchObject({ message, itemIndex: 0 });
		expect(shown.description).toContain(askProvider);

		for (const waitForResult of [false, true]) {
			const read = await bench().run(resource, 'getBulkResult', {
				parameters: { batchId: entry?.id ?? '' },
				options: { waitForResult },
			});
			expect(shownError(read, bench().sandbox.apiKey)).toMatchObject({ message, itemIndex: 0 });
		}
		// Two are over at once, the wait after a look or two: nothing more is to come.
		expect(bench().looks.length).toBeLessThanOrEqual(4);
	});
});
