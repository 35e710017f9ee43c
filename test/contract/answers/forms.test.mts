import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf } from '../../support/n8nCore/contactData.mts';
import { askProvider, couldNotProcess, finishedWithoutResult } from '../../support/texts.mts';
import type { Reply } from '../../support/standIn.mts';
import { runBefore, useStandIn } from './standIn.mts';

// The forms in which results may be told, as far as `service-api.md` allows them or leaves them open,
// and what becomes of them. Each table has: the form, what the service answers, what the items say.

useFastClock();
const standIn = useStandIn();

type Form = [form: string, body: unknown, items: unknown[]];

const withText = (error: string) => ({ error: expect.stringContaining(error) as string });

/** The items that come of a finished lookup or batch; what is answered before goes before. */
async function find(
	resource: string,
	operation: string,
	given: { people: IDataObject[]; parameters: INodeParameters },
	...get: Reply[]
) {
	standIn.say({ get });
	const { people: items, parameters } = given;
	return jsonOf(await runBefore(standIn, resource, operation, { items, parameters, options: {} }));
}

const finished = (stats: IDataObject, results: unknown) => ({
	general: { id: 'abc-1', status: 'completed' },
	stats,
	results,
});

const PHONES = {
	people: [{ who: 'ada' }, { who: 'bea' }, { who: 'cem' }],
	parameters: { socialProfileUrl: '=https://www.linkedin.com/in/{{ $json.who }}' },
};
const phone = (index: unknown, params: unknown, number = `+1${String(index)}`) => ({
	index,
	number,
	country: 'US',
	params,
	qualification: 'found',
});
const url = (who: string) => `https://www.linkedin.com/in/${who}`;
const phones = (...results: unknown[]) =>
	finished({ requested: 3, found: results.length, credits_to_refund: 0 }, results);
const whos = ['ada', 'bea', 'cem'];
const phoneItems = ['+10', '+11', '+12'].map((number) => ({ number, found: true }));

describe('phone batch', () => {
	it.for<unknown>([
		...[undefined, {}, null, { profile: url('ada') }, { linkedinUrl: url('ada') }],
		JSON.stringify({ linkedin_url: url('bea') }),
	])('params %j, which say nothing', async (params) => {
		const body = phones(...whos.map((_, index) => phone(index, params)));
		expect(await find('phoneFinder', 'submitBulkAndWait', PHONES, { body })).toMatchObject(
			phoneItems,
		);
	});

	it.for<Form>([
		[
			'a resolved person beside the profile',
			phones(
				...whos.map((who) => phone(undefined, { linkedin_url: url(who), firstname: 'A' }, who)),
			),
			whos.map((number) => ({ number, found: true })),
		],
		[
			'a qualification in capitals',
			phones({ ...phone(0, {}), qualification: 'FOUND' }, phone(1, {}), phone(2, {})),
			phoneItems,
		],
		[
			'nobody found, counted as valid',
			finished({ requested: 3, valid: 0, credits_to_refund: 150 }, null),
			whos.map(() => ({ qualification: 'not_found', found: false })),
		],
	])('%s', async ([, body, items]) => {
		expect(await find('phoneFinder', 'submitBulkAndWait', PHONES, { body })).toMatchObject(items);
	});
});

const EMAILS = {
	people: [{ name: 'Änne Öhler' }, { name: 'Bob Stone' }, { name: 'Peggy Smith' }],
	parameters: { fullname: '={{ $json.name }}', companyDomain: 'acme.example' },
};
const emailItems = ['a', 'b', 'p'].map((name) => ({ email: `${name}@acme.example`, found: true }));

it.for<IDataObject>([
	{},
	{ raw_params: {} },
	{ raw_params: { fullName: 'Änne Öhler' } },
	{ raw_params: JSON.stringify({ fullname: 'Bob Stone' }) },
	{ params: { fullname: 'Bob Stone' } },
])('finder batch with %j, which says nothing', async (repeated) => {
	const results = emailItems.map(({ email }, index) => {
		return { index: String(index), email, qualification: 'valid', ...repeated };
	});
	const body = finished({ requested: 3, finished: 3, valid: 3 }, results);
	expect(await find('emailFinder', 'submitBulkAndWait', EMAILS, { body })).toMatchObject(
		emailItems,
	);
});

const VERIFY = {
	people: [{ email: 'Ada@acme.example' }, { email: 'b@acme.example' }, { email: 'c@acme.example' }],
	parameters: { email: '={{ $json.email }}' },
};
const verified = (entryOf: (email: string, index: number) => IDataObject) => ({
	general: { id: 'abc-1', status: 'completed' },
	stats: { credits_cost: 0.75, requested: 3, valid: 2 },
	results: VERIFY.people.map(({ email }, index) => ({
		qualification: index === 1 ? 'invalid' : 'valid',
		...entryOf(email, index),
	})),
});
const verifiedItems = [{ found: true }, { found: false }, { found: true }];

describe('verifier batch', () => {
	it('a qualification in capitals', async () => {
		const body = verified((email, i) => ({ email, qualification: i === 1 ? 'Invalid' : 'VALID' }));
		const items = await find('emailVerifier', 'submitBulkAndWait', VERIFY, { body });
		expect(items).toMatchObject(verifiedItems);
	});

	it('finished, but for results that come a moment later', async () => {
		const early = { body: { ...verified(() => ({})), results: [] } };
		const items = await find('emailVerifier', 'submitBulkAndWait', VERIFY, early, early, {
			body: verified((email) => ({ email })),
		});
		expect(items).toMatchObject(verifiedItems);
	});

	it('finished, but for results that never come: an error after some looks, with the id', async () => {
		const body = { ...verified(() => ({})), results: [] };
		const items = await find('emailVerifier', 'submitBulkAndWait', VERIFY, { body });
		expect(items).toMatchObject(
			VERIFY.people.map(() => ({ ...withText(finishedWithoutResult), batch_id: 'abc-1' })),
		);
		expect(standIn.count('GET')).toBeLessThan(10);
	});
});

describe('a failed batch', () => {
	const raw_params = { fullname: 'Änne Öhler', company_domain: 'acme.example' };
	const entry = { index: '0', raw_params, email: 'a@acme.example' };
	const FAILED = {
		general: { status: 'failed' },
		message: 'Upstream is down',
		stats: { requested: 3, finished: 1 },
		results: [
			{ ...entry, qualification: 'valid' },
			{ index: '1', qualification: null },
		],
		// An item that is made of it looks like no find.
		...{ status: 'completed', error: null, found: true, item: 7, batch_id: null },
	};
	const [found] = emailItems;
	const batch_id = 'abc-1';
	const error = {
		...withText('Upstream is down'),
		...{ batch_id, status: 'failed', found: null },
	};
	const whole = { ...withText('Upstream is down'), batch_id, status: 'failed' };
	const list = EMAILS.people.map(({ name: fullname }) => {
		return { fullname, company_domain: 'acme.example' };
	});
	const LIST = { inputMode: 'array', searches: JSON.stringify(list) };

	it.for<[string, string, INodeParameters, unknown[]]>([
		['Find Many', 'submitBulkAndWait', EMAILS.parameters, [found, error, error]],
		['a list', 'submitBulkAndWait', LIST, [found, error, error]],
		[
			'a list in one item',
			'submitBulkAndWait',
			{ ...LIST, splitResults: false },
			[{ batch_id, status: 'completed', error: null, results: [found, error, error] }],
		],
		['Get Bulk Results', 'getBulkResult', { batchId: batch_id }, [found, error]],
		[
			'Get Bulk Results in one item',
			'getBulkResult',
			{ batchId: batch_id, splitResults: false },
			[{ ...whole, stats: FAILED.stats, results: [found] }],
		],
	])('says why, and gives what it has: %s', async ([, operation, parameters, items]) => {
		const isOne = operation === 'getBulkResult' || 'inputMode' in parameters;
		const people = isOne ? [{}] : EMAILS.people;
		const given = { people, parameters };
		expect(await find('emailFinder', operation, given, { body: FAILED })).toMatchObject(items);
	});

	it('ends a run that stops with its reason and id', async () => {
		standIn.say({ get: { body: FAILED } });
		const { people: items, parameters } = EMAILS;
		const settings = { onError: 'stopWorkflow' } as const;
		const given = { items, parameters, settings };
		const run = await runBefore(standIn, 'emailFinder', 'submitBulkAndWait', given);
		expect(run.error).toMatchObject({
			message: `${couldNotProcess}batch abc-1: Upstream is down`,
			description: expect.stringContaining(askProvider) as string,
		});
	});
});

const ONE = {
	people: [{ name: 'Änne Öhler' }],
	parameters: { fullname: '={{ $json.name }}', companyDomain: 'acme.example' },
};
const SINGLE = {
	email: 'a@acme.example',
	qualification: 'valid',
	info: { fullname: 'Änne Öhler', lastname: 'Öhler' },
};

describe('single lookup', () => {
	it.for<[string, Reply]>([
		['a qualification in capitals', { body: { ...SINGLE, qualification: 'VALID' } }],
		['a status beside it', { body: { ...SINGLE, status: 'success' } }],
		['no content type', { body: SINGLE, headers: { 'content-type': '' } }],
	])('%s', async ([, reply]) => {
		const [item] = await find('emailFinder', 'submitAndWait', ONE, reply);
		expect(item).toMatchObject({ email: 'a@acme.example', found: true, search_id: 'abc-1' });
	});

	it.for([
		['utf-8', 'utf8', 'Öhler', 'Öhler'],
		['ISO-8859-1', 'latin1', 'Öhler', 'Öhler'],
		['"windows-1252"', 'latin1', '\x8chler', 'Œhler'],
		['x-unknown', 'utf8', 'Öhler', 'Öhler'],
	] as const)('by the charset of its header: %s', async ([charset, encoding, sent, lastname]) => {
		const text = JSON.stringify({ ...SINGLE, info: { lastname: sent } });
		const headers = { 'content-type': `application/json; charset=${charset}` };
		const reply = { body: Buffer.from(text, encoding), headers };
		expect(await find('emailFinder', 'submitAndWait', ONE, reply)).toMatchObject([{ lastname }]);
	});
});

const BY_NAME = {
	identifyBy: 'nameAndCompany',
	firstname: '={{ $json.firstname }}',
	lastname: '={{ $json.lastname }}',
	companyDomain: 'acme.example',
};

it('a phone batch that repeats a name otherwise has its person also where that one alone is asked for', async () => {
	const names = ['Ann Low', 'Bea Low', 'Cem Low', 'Éric Low'];
	const people = names.map((name) => {
		const [firstname, lastname] = name.split(' ');
		return { firstname, lastname };
	});
	const found = people.slice(1).map(({ firstname, lastname }, index) =>
		phone(index + 1, {
			firstname: firstname?.replace('É', 'E'),
			lastname,
			company_domain: 'acme.example',
		}),
	);
	standIn.say({
		get: { body: finished({ requested: 4, found: 3, credits_to_refund: 50 }, found) },
	});
	const credentials = { contactDataApi: standIn.credential };
	const search = async (items: IDataObject[]) => {
		const given = { items, parameters: BY_NAME, credentials };
		const run = await runBefore(standIn, 'phoneFinder', 'submitBulkAndWait', given);
		return jsonOf(run).map((json) => json.found);
	};
	expect(await search(people)).toEqual([false, true, true, true]);
	expect(await search(people.slice(3))).toEqual([true]);
});
