import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import type { RequestPattern } from '../../support/sandbox/faults.mts';
import {
	expectTriedAgain,
	shownError,
	useBench,
	withBench,
} from '../../support/n8nCore/contactData.mts';
import { LOOKUP_NAMES, lookupOf, parametersOf } from '../../support/searches.mts';

// The rows of section 7 of service-api.md that a checked input can meet, as the user sees them. This is
// where the words of the service and our advice are matched.

const bench = useBench();
useFastClock();

const items = [{ who: 'mustfind' }];

/** The operation that asks an endpoint. */
function operationOf(on: RequestPattern) {
	const resource = LOOKUP_NAMES.find((name) => on.includes(` ${lookupOf(name).path}/`));
	if (resource === undefined) throw new Error(`No lookup asks ${on}`);
	const isBulk = on.endsWith('/bulk');
	if (on.startsWith('POST')) {
		const operation = isBulk ? 'submitBulk' : 'submit';
		return { resource, operation, parameters: parametersOf(resource) };
	}
	return isBulk
		? { resource, operation: 'getBulkResult', parameters: { batchId: 'some-id' } }
		: { resource, operation: 'getResult', parameters: { lookupId: 'some-id' } };
}

/** What the service answers, and a part of our advice. */
type Row = [endpoint: RequestPattern, status: number, message: string, advice: string];

const WRONG_KEY = 'This apikey is not valid';
const PASTE_AGAIN = 'Open the Contact Data API credential and paste the key again';
const NO_PHONES = 'This account is not allowed to use the phone search feature';
const SWITCH_ON = 'Ask the provider to switch phone searches on.';
const ADD_CREDITS = 'Add credits to your account. Nothing was charged';
const CHECK_URL = "Check 'Base URL' in the Contact Data API credential";

const SUBMISSIONS: Row[] = [
	['POST /phone/single', 400, 'Invalid linkedin_url format', 'The address was sent as https://'],
	['POST /email/find/bulk', 401, WRONG_KEY, PASTE_AGAIN],
	['POST /phone/single', 401, NO_PHONES, SWITCH_ON],
	['POST /email/verify/single', 402, 'Insufficient credits', ADD_CREDITS],
	['POST /email/verify/bulk', 402, 'Insufficient credits', ADD_CREDITS],
	['POST /phone/bulk', 429, 'Too Many Requests', "lower 'Requests per Second'"],
	// What the document does not list, or a checked input does not meet.
	['POST /email/find/bulk', 400, 'Missing payload', 'Check the values that were sent.'],
	[
		'POST /email/find/single',
		403,
		'Not today',
		'The service, or a firewall on the way, forbids it',
	],
	['POST /email/find/single', 404, 'Not today', CHECK_URL],
	['POST /email/find/single', 418, 'Not today', CHECK_URL],
];

// "Could not retrieve" is among the facts: `contract/answers/facts`.
const READS: Row[] = [
	['GET /phone/bulk', 500, 'server error', 'The service has a problem,'],
	['GET /email/find/single', 401, WRONG_KEY, PASTE_AGAIN],
	['GET /phone/bulk', 401, NO_PHONES, SWITCH_ON],
];

/** The documented error body: on single endpoints a 402 is told in another form. */
const bodyOf = ([endpoint, status, message]: Row) =>
	status === 402 && endpoint.endsWith('single') ? { reason: message, success: false } : { message };

function expectShown(shown: ReturnType<typeof shownError>, [, status, message, advice]: Row): void {
	expect(shown).toMatchObject({
		name: 'NodeApiError',
		message,
		httpCode: String(status),
	});
	expect(shown.description).toContain(advice);
}

describe('a submission that the service refuses is not charged', () => {
	it.for(SUBMISSIONS)('%s %i: %s', async (row) => {
		const [on, status] = row;
		const { resource, operation, parameters } = operationOf(on);
		// Longer than the node has patience for, so that a 429 is an answer at once.
		const headers = { 'retry-after': '3600' };
		bench().sandbox.faults.add({ kind: 'status', on, status, body: bodyOf(row), headers });
		// A key of its own: a 429 holds up what is submitted with the same key.
		const { credentials } = bench();
		const apiKey = bench().sandbox.service.addAccount('other');
		credentials.contactDataApi.apiKey = apiKey;
		const run = await bench().run(resource, operation, { parameters, items, credentials });
		expectShown(shownError(run, apiKey), row);
		expect(bench().posts).toHaveLength(1);
		expect(bench().sandbox.ledger.entries).toEqual([]);
	});

	it.for([
		[401, 'The service did not accept the API key (HTTP 401)'],
		[402, 'The account does not have enough credits (HTTP 402)'],
		[404, 'There is no such address at the service (HTTP 404)'],
		[418, 'The service refused the request (HTTP 418)'],
	] as const)('%i with a page of a proxy', async ([status, message]) => {
		bench().sandbox.faults.add({ kind: 'html', on: 'POST *', status });
		const parameters = parametersOf('emailVerifier');
		const run = await bench().run('emailVerifier', 'submit', { parameters, items });
		expect(shownError(run, bench().sandbox.apiKey)).toMatchObject({ message });
		expect(bench().sandbox.ledger.entries).toEqual([]);
	});
});

describe('a read that the service refuses', () => {
	it.for(READS)('%s %i: %s', async (row) => {
		await withBench({}, async (at) => {
			const [on, status] = row;
			const { resource, operation, parameters } = operationOf(on);
			at.sandbox.faults.add({ kind: 'status', on, status, body: bodyOf(row), times: Infinity });
			const run = await at.run(resource, operation, { parameters });
			expectShown(shownError(run, at.sandbox.apiKey), row);
			// Nothing but a new key helps where the key is wrong; the rest may pass.
			if (status === 401) expect(at.looks).toHaveLength(1);
			else expectTriedAgain(at.looks.length);
		});
	});
});
