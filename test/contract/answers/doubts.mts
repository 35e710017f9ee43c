import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { expect } from 'vitest';
import {
	finishedWithoutResult,
	noResultForItem,
	ofAnotherSearch,
	toldNothing,
} from '../../support/texts.mts';

/** The search of three people, or of one where it is single, and what the service answers for its id. */
export interface Doubt {
	form: string;
	of: keyof typeof LOOKUPS;
	status?: number;
	body: unknown;
	/** What comes out for each of the searches. Left out where the answer does not end the wait. */
	items?: unknown[];
	/** Whether the service says no, which a run believes after some looks, and a pause at its Timeout. */
	isRefused?: true;
	/** What the error at the Timeout says, where it does not end it. */
	lastAnswer?: string;
	/** What Get Result or Get Bulk Results gives; left out where it is one item that still runs. */
	read?: unknown[];
	/** A part of the hint and of the line in the log, where that says what the items do not. */
	hint?: string;
	/** How many items the trigger starts with; left out where it is none. */
	starts?: number;
	/** A part of the reason in the log why it starts nothing. */
	reason?: string;
}

/** Those that are searched for, as n8n has them. */
export const LOOKUPS = {
	finder: { resource: 'emailFinder', size: 'bulk', event: 'emailFinderBulk' },
	finderSingle: { resource: 'emailFinder', size: 'single', event: 'emailFinderSingle' },
	verifier: { resource: 'emailVerifier', size: 'bulk', event: 'emailVerifierBulk' },
	verifierSingle: { resource: 'emailVerifier', size: 'single', event: 'emailVerifierSingle' },
	phone: { resource: 'phoneFinder', size: 'bulk', event: 'phoneFinderBulk' },
	phoneSingle: { resource: 'phoneFinder', size: 'single', event: 'phoneFinderSingle' },
} as const;

export const PARAMETERS: Readonly<Record<string, INodeParameters>> = {
	emailFinder: { fullname: '={{ $json.name }}', companyDomain: 'acme.example' },
	emailVerifier: { email: '={{ $json.email }}' },
	phoneFinder: { socialProfileUrl: '={{ $json.url }}' },
};
const profile = (handle: string) => `https://www.linkedin.com/in/${handle}`;
const person = (first: string, last: string) => ({
	name: `${first} ${last}`,
	email: `${first}@acme.example`.toLowerCase(),
	url: profile(`${first}-${last}`.toLowerCase()),
});
export const PEOPLE = [person('Ada', 'Hart'), person('Bob', 'Stone'), person('Cem', 'Low')];
const STRANGERS = [person('Zoe', 'Quill'), person('Yan', 'Petrov'), person('Xi', 'Moreno')];
const AT = 'acme.example';

const ALL = { requested: 3 };
const word = (status: string, more: IDataObject = {}) => ({ general: { status }, ...more });
const done = (results: IDataObject[], stats: IDataObject = ALL) =>
	word('completed', { stats, results });

/** An entry of a batch for each of the people, with what is said of the n-th. */
const each = (entryOf: (one: (typeof PEOPLE)[number], n: number) => IDataObject, of = PEOPLE) =>
	of.map(entryOf);
const invalid = each(({ email }) => ({ email, qualification: 'invalid' }));
const verified = each(({ email }) => ({ email, qualification: 'valid' }));
const raw = (name: string, company_domain = AT) => ({
	raw_params: { fullname: name, company_domain },
});
const valid = (n: number, more: IDataObject = {}) => ({
	index: String(n),
	email: `${n}@acme.example`,
	qualification: 'valid',
	...more,
});
const number = (n: number, more: IDataObject = {}) => ({
	index: n,
	number: `+4930${n}`,
	country: 'DE',
	params: { linkedin_url: PEOPLE[n]?.url },
	qualification: 'found',
	...more,
});
const nameOf = (n: number) => PEOPLE[n]?.name ?? '';
/** The first is found, the others are not. */
const miss = (n: number, name: string) =>
	n === 0 ? valid(n, raw(name)) : { ...valid(n, raw(name)), email: null, qualification: 'invalid' };
const SINGLE = { email: 'x@acme.example', qualification: 'valid' };

// What the items say.
const FOUND = { found: true };
const NOT_FOUND = { found: false };
const emails = [0, 1, 2].map((n) => ({ email: `${n}@acme.example`, found: true }));
const says = (error: string) => ({ error: expect.stringContaining(error) as string });
const thrice = (one: unknown) => [one, one, one];
const UNLISTED = says(noResultForItem);
const IS_ANOTHER = ofAnotherSearch;

const WHETHER: Doubt[] = [
	{
		form: 'a word that nobody knows, with all entries and a cost',
		of: 'verifier',
		body: word('analyzing', { stats: { ...ALL, credits_cost: 0.75 }, results: invalid }),
		lastAnswer: 'analyzing',
		hint: 'analyzing',
	},
	{
		form: 'first entries, no word, no count',
		of: 'verifier',
		body: { general: {}, stats: { valid: 2 }, results: verified.slice(0, 2) },
	},
	{
		form: 'all entries, no word, no count',
		of: 'verifier',
		body: { general: {}, results: verified },
	},
	{
		form: 'all entries, no word',
		of: 'verifier',
		body: { general: {}, stats: ALL, results: verified },
		items: thrice(FOUND),
		read: thrice(FOUND),
		starts: 3,
	},
	{
		form: 'all entries but for one that is null, no word',
		of: 'finder',
		body: {
			general: {},
			stats: ALL,
			results: [valid(0), valid(1), { index: '2', email: null, qualification: null }],
		},
	},
	{
		form: 'a word and why',
		of: 'finder',
		body: { general: { status: 'rejected', message: 'No credits left for this batch' } },
		lastAnswer: 'rejected: No credits left for this batch',
		hint: 'rejected: No credits left for this batch',
	},
	{
		form: 'a sentence',
		of: 'finder',
		body: { message: 'Your list is still being processed' },
		lastAnswer: 'Your list is still being processed',
		hint: 'Your list is still being processed',
	},
	{
		form: 'HTTP 202 with all entries',
		of: 'verifier',
		status: 202,
		body: { stats: ALL, results: invalid },
	},
	{
		form: 'a batch that is not found, in a 200',
		of: 'finder',
		body: { message: 'Batch not found' },
		lastAnswer: 'Batch not found',
		hint: 'Batch not found',
	},
	{
		form: 'completed, while one still runs',
		of: 'finder',
		body: done([valid(0), valid(1), { ...valid(2), email: null, qualification: 'ongoing' }]),
		items: [FOUND, FOUND, says('"ongoing"')],
		read: [FOUND, FOUND, says('"ongoing"')],
		starts: 3,
	},
	{
		form: 'completed, and says nothing of one',
		of: 'verifier',
		body: done(verified.map((one, n) => (n === 1 ? { ...one, qualification: null } : one))),
		items: [FOUND, says('does not say what became of this item'), FOUND],
		read: [FOUND, says('does not say what became of this item'), FOUND],
		starts: 3,
	},
	{
		form: 'completed, and an error of one',
		of: 'phone',
		body: done([number(0), number(1), number(2, { number: null, qualification: 'error' })]),
		items: [FOUND, FOUND, says('"error"')],
		read: [FOUND, FOUND, says('"error"')],
		starts: 3,
	},
	{
		form: 'completed, and found an address that it does not tell',
		of: 'finder',
		body: done([valid(0), valid(1, { email: null }), valid(2)]),
		items: [FOUND, says(toldNothing), FOUND],
		read: [FOUND, says(toldNothing), FOUND],
		starts: 3,
	},
	{
		form: 'completed, and found a number that it does not tell',
		of: 'phone',
		body: done([number(0), number(1), number(2, { number: '' })]),
		items: [FOUND, FOUND, says(toldNothing)],
		read: [FOUND, FOUND, says(toldNothing)],
		starts: 3,
	},
];

const WHETHER_SINGLE: Doubt[] = [
	{
		form: 'pending',
		of: 'finderSingle',
		body: { qualification: 'pending' },
		lastAnswer: 'pending',
		hint: 'pending',
	},
	{
		form: 'a status that nobody knows',
		of: 'verifierSingle',
		body: { status: 'analyzing', email: PEOPLE[0]?.email },
		lastAnswer: 'analyzing',
		hint: 'analyzing',
	},
	{
		form: 'a sentence',
		of: 'phoneSingle',
		body: { message: 'Search in progress' },
		lastAnswer: 'Search in progress',
		hint: 'Search in progress',
	},
	{
		form: 'not found, in a 200',
		of: 'finderSingle',
		body: { message: 'Search not found' },
		lastAnswer: 'Search not found',
		hint: 'Search not found',
	},
	{
		form: 'a number without its word',
		of: 'phoneSingle',
		body: { number: '+4930', country: 'DE', params: { linkedin_url: PEOPLE[0]?.url } },
		lastAnswer: '',
		read: [says('could not be understood')],
	},
	{
		form: 'found, without a number',
		of: 'phoneSingle',
		body: { number: null, qualification: 'found', params: { linkedin_url: PEOPLE[0]?.url } },
		items: [says(toldNothing)],
		read: [says(toldNothing)],
		starts: 1,
	},
	{
		form: 'valid, without an address',
		of: 'finderSingle',
		body: { email: null, qualification: 'valid' },
		items: [says(toldNothing)],
		read: [says(toldNothing)],
		starts: 1,
	},
	{
		form: 'failed, beside what is there by default',
		of: 'finderSingle',
		body: { status: 'failed', qualification: 'invalid', email: null, message: 'Upstream is down' },
		items: [says('Upstream is down')],
		read: [says('Upstream is down')],
		starts: 1,
	},
	{
		form: 'completed, without a result',
		of: 'verifierSingle',
		body: { status: 'completed', email: PEOPLE[0]?.email },
		items: [says(finishedWithoutResult)],
		isRefused: true,
		read: [says(finishedWithoutResult)],
	},
];

const WHOSE: Doubt[] = [
	{
		form: 'another batch, with results of others',
		of: 'finder',
		body: {
			...done(each(({ name }, n) => valid(n, raw(name)), STRANGERS)),
			general: { id: 'another', status: 'completed' },
		},
		items: thrice(UNLISTED),
		read: [says(IS_ANOTHER)],
		reason: IS_ANOTHER,
	},
	{
		form: 'people found under other names',
		of: 'finder',
		body: done(
			each(({ name }, n) => {
				const [firstname, lastname] = name.split(' ');
				return valid(n, { info: { firstname, lastname, domain: AT } });
			}, STRANGERS),
		),
		items: emails,
		read: emails,
		starts: 3,
	},
	{
		form: 'another batch, which repeats these searches',
		of: 'finder',
		body: {
			...done(each(({ name }, n) => valid(n, raw(name)))),
			general: { id: 'another', status: 'completed' },
		},
		items: emails,
		read: [says(IS_ANOTHER)],
		reason: IS_ANOTHER,
	},
	{
		form: 'another order, in which its index counts, with the real domains of the companies',
		of: 'finder',
		body: done(
			[2, 0, 1].map((n, index) =>
				valid(n, { index: `${index}`, ...raw(nameOf(n), 'real.example') }),
			),
		),
		items: emails,
		read: [2, 0, 1].map((n) => emails[n]),
		starts: 3,
	},
	{
		form: 'a stranger of the same first name',
		of: 'finder',
		body: done([valid(0, raw('Ada Smith', 'beta.example')), valid(1), valid(2)]),
		items: [UNLISTED, FOUND, FOUND],
		read: emails,
		starts: 3,
	},
	{
		form: 'a stranger of a like handle',
		of: 'phone',
		body: done([
			number(0, { params: { linkedin_url: profile('ada-hartman') } }),
			number(1),
			number(2),
		]),
		items: [UNLISTED, FOUND, FOUND],
		read: thrice(FOUND),
		starts: 3,
	},
	{
		form: 'each result twice, and a stranger more',
		of: 'finder',
		body: done(
			[...each(({ name }, n) => miss(n, name)), ...each(({ name }, n) => miss(n, name))].concat(
				valid(7, { index: undefined, ...raw('Zoe Quill') }),
			),
			{ ...ALL, finished: 3 },
		),
		items: [FOUND, NOT_FOUND, NOT_FOUND],
		read: [FOUND, NOT_FOUND, NOT_FOUND, FOUND, NOT_FOUND, NOT_FOUND, FOUND],
		starts: 7,
	},
	{
		form: 'numbers from 1',
		of: 'phone',
		body: done(each((_, n) => number(n, { index: n + 1, params: {} }))),
		items: thrice(UNLISTED),
		read: thrice(FOUND),
		starts: 3,
	},
	{
		form: 'a number twice',
		of: 'finder',
		body: done([valid(0), { ...valid(1), index: '0' }, valid(2)]),
		items: [UNLISTED, UNLISTED, FOUND],
		read: emails,
		hint: 'lists 2 of the 3',
		starts: 3,
	},
	{
		form: 'two answers for one search',
		of: 'verifier',
		body: done([...verified.slice(0, 2), { email: PEOPLE[1]?.email, qualification: 'invalid' }]),
		items: [FOUND, UNLISTED, UNLISTED],
		read: [FOUND, FOUND, NOT_FOUND],
		starts: 3,
	},
	{
		form: 'another ID, name and company: a single result is of its ID',
		of: 'finderSingle',
		body: {
			...SINGLE,
			id: 'another',
			info: { fullname: 'Zoe Quill', company_domain: 'globex.example' },
		},
		items: [{ email: SINGLE.email, found: true }],
		read: [{ email: SINGLE.email, found: true }],
		starts: 1,
	},
	{
		form: 'its address without its tag',
		of: 'verifierSingle',
		body: { email: 'a@acme.example', qualification: 'valid' },
		items: [FOUND],
		read: [FOUND],
		starts: 1,
	},
];

const HOW_MANY: Doubt[] = [
	{
		form: 'fewer than were asked for',
		of: 'phone',
		body: done([number(0)], { ...ALL, credits_cost: 150 }),
		items: [FOUND, NOT_FOUND, NOT_FOUND],
		read: [FOUND],
		starts: 1,
	},
	{
		form: 'a first page',
		of: 'phone',
		body: {
			...done([number(0), number(1)], { ...ALL, found: 3, credits_to_refund: 0 }),
			next: '?page=2',
			total_pages: 2,
		},
		items: [FOUND, FOUND, UNLISTED],
		read: [FOUND, FOUND],
		hint: 'lists 2 of the 3',
		starts: 2,
	},
	{
		form: 'a first page of addresses',
		of: 'verifier',
		body: { ...done(verified.slice(0, 2)), total_pages: 2 },
		items: [FOUND, FOUND, UNLISTED],
		read: [FOUND, FOUND],
		hint: 'lists 2 of the 3',
		starts: 2,
	},
	{
		form: 'nobody',
		of: 'phone',
		body: done([]),
		items: thrice(NOT_FOUND),
		read: [{ found: false, batch_id: 'abc-1' }],
		starts: 1,
	},
];

const VALUES: Doubt[] = [
	{
		form: 'the profile under its older name, beside an empty one',
		of: 'phoneSingle',
		body: {
			...number(0, { index: undefined }),
			params: { socialprofile_url: null, linkedin_url: PEOPLE[0]?.url },
		},
		items: [{ found: true, socialprofile_url: PEOPLE[0]?.url }],
		read: [{ found: true, socialprofile_url: PEOPLE[0]?.url }],
		starts: 1,
	},
	{
		form: 'a list of numbers',
		of: 'phone',
		body: done(each((_, n) => number(n, { number: ['+491', '+492'] }))),
		items: thrice({ number: ['+491', '+492'], found: true }),
		read: thrice({ number: ['+491', '+492'], found: true }),
		starts: 3,
	},
	{
		form: 'a second number of one person',
		of: 'phone',
		body: done([number(0), number(0, { number: '+491' }), number(1), number(2)], {
			...ALL,
			found: 3,
		}),
		items: [{ number: '+49300', found: true }, ...[1, 2].map((n) => ({ number: `+4930${n}` }))],
		read: [{ number: '+49300' }, { number: '+491' }, { number: '+49301' }, { number: '+49302' }],
		starts: 4,
	},
];

/** By what is in doubt. */
export const DOUBTS = {
	'whether a batch is over': WHETHER,
	'whether a single lookup is over': WHETHER_SINGLE,
	'whose results they are': WHOSE,
	'whether all is listed': HOW_MANY,
	'what a value holds': VALUES,
};
