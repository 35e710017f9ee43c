import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf } from '../../support/n8nCore/contactData.mts';
import {
	askProvider,
	couldNotProcess,
	finishedWithoutResult,
	noResultForItem,
} from '../../support/texts.mts';
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
const NAMED = {
	people: [
		{ firstname: 'José', lastname: 'Núñez' },
		{ firstname: 'Bea', lastname: 'Low' },
	],
	parameters: {
		identifyBy: 'nameAndCompany',
		firstname: '={{ $json.firstname }}',
		lastname: '={{ $json.lastname }}',
		companyDomain: 'acme.example',
	},
};

const phone = (index: unknown, params: unknown, number = `+1${String(index)}`) => ({
	index,
	number,
	country: 'US',
	params,
	qualification: 'found',
});
const url = (who: string) => `https://www.linkedin.com/in/${who}`;
const ADA = { linkedin_url: url('ada') };
const phones = (...results: unknown[]) =>
	finished({ requested: 3, found: results.length, credits_to_refund: 0 }, results);
/** So many of the three were found, and the cost of the others comes back. */
const someFound = (found: number, ...results: unknown[]) =>
	finished({ requested: 3, found, credits_to_refund: 50 * (3 - found) }, results);
const phoneItems = [
	{ number: '+10', found: true },
	{ number: '+11', found: true },
	{ number: '+12', found: true },
];
const whos = ['ada', 'bea', 'cem'];
const bothFound = (...results: unknown[]) => finished({ requested: 2, found: 2 }, results);
const each = (paramsOf: (who: string) => unknown) =>
	phones(...whos.map((who, index) => phone(index, paramsOf(who))));

describe('phone batch', () => {
	it.for<Form>([
		['params with linkedin_url', each((who) => ({ linkedin_url: url(who) })), phoneItems],
		['params with socialprofile_url', each((who) => ({ socialprofile_url: url(who) })), phoneItems],
		['no params', each(() => undefined), phoneItems],
		['empty params', each(() => ({})), phoneItems],
		['params: null', each(() => null), phoneItems],
		['params with a name of their own', each((who) => ({ profile: url(who) })), phoneItems],
		['params as JSON text', each((who) => JSON.stringify({ linkedin_url: url(who) })), phoneItems],
		['params in camelCase', each((who) => ({ linkedinUrl: url(who) })), phoneItems],
		[
			'the profile of another person',
			each((who) => ({ linkedin_url: url(`${who}-x1`) })),
			whos.map(() => withText(noResultForItem)),
		],
		[
			'a resolved person beside the profile',
			phones(
				...whos.map((who) => phone(undefined, { linkedin_url: url(who), firstname: 'A' }, who)),
			),
			whos.map((number) => ({ number, found: true })),
		],
		[
			'raw_params for params',
			phones(
				...whos.map((who, i) => ({ ...phone(i, 0), params: undefined, raw_params: url(who) })),
			),
			phoneItems,
		],
		['another order, with an index', phones(phone(2, {}), phone(0, {}), phone(1, {})), phoneItems],
		[
			'another order, with linkedin_url and no index',
			phones(
				...[...whos].reverse().map((who) => phone(undefined, { linkedin_url: url(who) }, who)),
			),
			whos.map((number) => ({ number, found: true })),
		],
		['index as text', phones(phone('0', {}), phone('1', {}), phone('2', {})), phoneItems],
		[
			'two numbers of one person, the third left out',
			someFound(2, phone(0, ADA, '+1'), phone(0, ADA, '+2'), phone(1, {}, '+3')),
			[
				{ number: '+1', found: true },
				{ number: '+3', found: true },
				{ qualification: 'not_found', found: false },
			],
		],
		[
			'a qualification in capitals',
			phones({ ...phone(0, {}), qualification: 'FOUND' }, phone(1, {}), phone(2, {})),
			phoneItems,
		],
		...[null, [], {}, undefined].map((results): Form => [
			`nobody found, results ${JSON.stringify(results)}`,
			finished({ requested: 3, found: 0, credits_to_refund: 150 }, results),
			whos.map(() => ({ qualification: 'not_found', found: false })),
		]),
		[
			'nobody found, counted as valid',
			finished({ requested: 3, valid: 0, credits_to_refund: 150 }, null),
			whos.map(() => ({ qualification: 'not_found', found: false })),
		],
		[
			'entries without params and index',
			phones(phone(undefined, {}), phone(undefined, {}), phone(undefined, {})),
			whos.map(() => withText(noResultForItem)),
		],
	])('%s', async ([, body, items]) => {
		expect(await find('phoneFinder', 'submitBulkAndWait', PHONES, { body })).toMatchObject(items);
	});

	it.for<Form>([
		[
			'a resolved company name more',
			bothFound(
				phone(0, { ...NAMED.people[0], company_domain: 'acme.example', company_name: 'Acme' }),
				phone(1, { ...NAMED.people[1], company_domain: 'acme.example', company_name: 'Acme' }),
			),
			[{ number: '+10' }, { number: '+11' }],
		],
		[
			'accents taken out',
			bothFound(
				phone(0, { firstname: 'Jose', lastname: 'Nunez', company_domain: 'acme.example' }),
				phone(1, { firstname: 'Bea', lastname: 'Low', company_domain: 'acme.example' }),
			),
			[{ number: '+10' }, { number: '+11' }],
		],
	])('by name: %s', async ([, body, items]) => {
		expect(await find('phoneFinder', 'submitBulkAndWait', NAMED, { body })).toMatchObject(items);
	});
});

const EMAILS = {
	people: [{ name: 'Änne Öhler' }, { name: 'Bob Stone' }, { name: 'Peggy Smith' }],
	parameters: { fullname: '={{ $json.name }}', companyDomain: 'acme.example' },
};
const names = EMAILS.people.map(({ name }) => name);
const addresses = ['a@acme.example', 'b@acme.example', 'p@acme.example'];
const emailItems = addresses.map((email) => ({ email, found: true }));
const emails = (entryOf: (name: string, index: number) => IDataObject) =>
	finished(
		{ requested: 3, finished: 3, valid: 3, credits_cost: { initial: 3, refunded: 0, final: 3 } },
		names.map((name, index) => ({
			index: String(index),
			email: addresses[index],
			qualification: 'valid',
			...entryOf(name, index),
		})),
	);
const raw = (fullname: string) => ({ raw_params: { fullname, company_domain: 'acme.example' } });

describe('finder batch', () => {
	it.for<Form>([
		['as documented', emails(raw), emailItems],
		[
			'names in ASCII',
			emails((name) => raw({ 'Änne Öhler': 'Aenne Oehler' }[name] ?? name)),
			emailItems,
		],
		[
			'names of the persons as they are called now',
			emails((name) => ({
				...raw(name),
				info: { firstname: name === 'Bob Stone' ? 'Robert' : 'Margaret', lastname: 'Jones' },
			})),
			emailItems,
		],
		['no raw_params', emails(() => ({})), emailItems],
		['empty raw_params', emails(() => ({ raw_params: {} })), emailItems],
		['raw_params in camelCase', emails((fullName) => ({ raw_params: { fullName } })), emailItems],
		[
			'raw_params as JSON text',
			emails((name) => ({ raw_params: JSON.stringify(raw(name)) })),
			emailItems,
		],
		['params for raw_params', emails((name) => ({ params: raw(name).raw_params })), emailItems],
		['index as a number', emails((_, index) => ({ index })), emailItems],
		[
			'a company name more',
			emails((name) => ({ raw_params: { ...raw(name).raw_params, company_name: 'Acme' } })),
			emailItems,
		],
		[
			'a website for the domain',
			emails((name) => ({
				raw_params: { fullname: name, company_domain: 'https://www.acme.example/' },
			})),
			emailItems,
		],
		['names in capitals', emails((name) => raw(name.toUpperCase())), emailItems],
		[
			'custom data of the batch as text',
			{ ...emails(raw), general: { status: 'completed', custom: '{"a":1}' } },
			emailItems,
		],
	])('%s', async ([, body, items]) => {
		expect(await find('emailFinder', 'submitBulkAndWait', EMAILS, { body })).toMatchObject(items);
	});
});

const VERIFY = {
	people: [{ email: 'Ada@acme.example' }, { email: 'b@acme.example' }, { email: 'c@acme.example' }],
	parameters: { email: '={{ $json.email }}' },
};
const verified = (
	entryOf: (email: string, index: number) => IDataObject,
	status = 'completed',
) => ({
	general: { id: 'abc-1', status },
	stats: { credits_cost: 0.75, requested: 3, valid: 2 },
	results: VERIFY.people.map(({ email }, index) => ({
		qualification: index === 1 ? 'invalid' : 'valid',
		...entryOf(email, index),
	})),
});
const verifiedItems = [{ found: true }, { found: false }, { found: true }];

describe('verifier batch', () => {
	it.for<Form>([
		['a UUID as index', verified((email, i) => ({ email, index: `7f1c-${i}` })), verifiedItems],
		[
			'addresses in small letters',
			verified((email) => ({ email: email.toLowerCase() })),
			verifiedItems,
		],
		['addresses in capitals', verified((email) => ({ email: email.toUpperCase() })), verifiedItems],
		['no addresses, numbers as index', verified((_, index) => ({ index })), verifiedItems],
		['no addresses, texts of numbers', verified((_, i) => ({ index: String(i) })), verifiedItems],
		[
			'a qualification in capitals',
			verified((email, i) => ({ email, qualification: i === 1 ? 'Invalid' : 'VALID' })),
			verifiedItems,
		],
		[
			'no addresses, UUIDs',
			verified((_, i) => ({ index: `7f1c-${i}` })),
			VERIFY.people.map(() => withText(noResultForItem)),
		],
		[
			'a qualification of its own',
			verified((email) => ({ email, qualification: 'risky' })),
			VERIFY.people.map(() => withText('"risky"')),
		],
	])('%s', async ([, body, items]) => {
		expect(await find('emailVerifier', 'submitBulkAndWait', VERIFY, { body })).toMatchObject(items);
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
	const entry = { index: '0', ...raw('Änne Öhler'), ...{ email: 'a@acme.example' } };
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

it('Get Bulk Results of a batch that found nobody gives one item', async () => {
	const body = finished({ requested: 2, found: 0, credits_to_refund: 100 }, []);
	const parameters = { batchId: 'abc-1' };
	const items = await find('phoneFinder', 'getBulkResult', { people: [{}], parameters }, { body });
	expect(items).toMatchObject([
		{
			number: null,
			qualification: 'not_found',
			batch_id: 'abc-1',
			status: 'completed',
			found: false,
		},
	]);
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
		['as documented', { body: SINGLE }],
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
		const given = { items, parameters: NAMED.parameters, credentials };
		const run = await runBefore(standIn, 'phoneFinder', 'submitBulkAndWait', given);
		return jsonOf(run).map((json) => json.found);
	};
	expect(await search(people)).toEqual([false, true, true, true]);
	expect(await search(people.slice(3))).toEqual([true]);
});
