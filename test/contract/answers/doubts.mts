import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { expect } from 'vitest';
import type { Kind } from '../../support/sandbox/types.mts';
import {
	finishedWithoutResult,
	noResultForItem,
	ofAnotherSearch,
	toldNothing,
} from '../../support/texts.mts';

/** The search of three people, or of one where it is single, and what the service answers for its id. */
export interface Doubt {
	form: string;
	of: Kind;
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

type More = Partial<Doubt>;
/** It does not end the wait; `lastAnswer` is what is told of it, at the Timeout and in the hint. */
const waits = (form: string, of: Doubt['of'], body: unknown, lastAnswer?: string): Doubt => {
	return { form, of, body, lastAnswer, hint: lastAnswer };
};
/** It ends the wait: the same comes out in all ways, but for what is said more. */
const ends = (
	form: string,
	of: Doubt['of'],
	body: unknown,
	items: unknown[],
	more?: More,
): Doubt => {
	return { form, of, body, items, read: items, starts: items.length, ...more };
};

// What else says that something is over, or not, `unit/service/state` has.
const WHETHER: Doubt[] = [
	waits(
		'a word that nobody knows, with all entries and a cost',
		'emailVerifierBulk',
		word('analyzing', { stats: { ...ALL, credits_cost: 0.75 }, results: invalid }),
		'analyzing',
	),
	waits('first entries, no word, no count', 'emailVerifierBulk', {
		...{ general: {}, stats: { valid: 2 }, results: verified.slice(0, 2) },
	}),
	ends(
		'all entries, no word',
		'emailVerifierBulk',
		{ general: {}, stats: ALL, results: verified },
		thrice(FOUND),
	),
	waits(
		'a word and why',
		'emailFinderBulk',
		{ general: { status: 'rejected', message: 'No credits left for this batch' } },
		'rejected: No credits left for this batch',
	),
	waits('a sentence', 'emailFinderBulk', { message: 'Batch not found' }, 'Batch not found'),
	ends(
		'completed, while one still runs',
		'emailFinderBulk',
		done([valid(0), valid(1), { ...valid(2), email: null, qualification: 'ongoing' }]),
		[FOUND, FOUND, says('"ongoing"')],
	),
	ends(
		'completed, and says nothing of one',
		'emailVerifierBulk',
		done(verified.map((one, n) => (n === 1 ? { ...one, qualification: null } : one))),
		[FOUND, says('does not say what became of this item'), FOUND],
	),
	ends(
		'completed, and found an address that it does not tell',
		'emailFinderBulk',
		done([valid(0), valid(1, { email: null }), valid(2)]),
		[FOUND, says(toldNothing), FOUND],
	),
	ends(
		'completed, and found a number that it does not tell',
		'phoneFinderBulk',
		done([number(0), number(1), number(2, { number: '' })]),
		[FOUND, FOUND, says(toldNothing)],
	),
];

const WHETHER_SINGLE: Doubt[] = [
	waits('pending', 'emailFinderSingle', { qualification: 'pending' }, 'pending'),
	waits('a sentence', 'phoneFinderSingle', { message: 'Search not found' }, 'Search not found'),
	{
		...waits(
			'a number without its word',
			'phoneFinderSingle',
			number(0, { qualification: undefined }),
		),
		...{ lastAnswer: '', read: [says('could not be understood')] },
	},
	ends('valid, without an address', 'emailFinderSingle', { email: null, qualification: 'valid' }, [
		says(toldNothing),
	]),
	ends(
		'failed, beside what is there by default',
		'emailFinderSingle',
		{ status: 'failed', qualification: 'invalid', email: null, message: 'Upstream is down' },
		[says('Upstream is down')],
	),
	ends(
		'completed, without a result',
		'emailVerifierSingle',
		{ status: 'completed', email: PEOPLE[0]?.email },
		[says(finishedWithoutResult)],
		{ isRefused: true, starts: 0 },
	),
];

const OTHER_ID = { general: { id: 'another', status: 'completed' } };

// The rules themselves, `unit/results/match` has.
const WHOSE: Doubt[] = [
	ends(
		'another batch, with results of others',
		'emailFinderBulk',
		{ ...done(each(({ name }, n) => valid(n, raw(name)), STRANGERS)), ...OTHER_ID },
		thrice(UNLISTED),
		{ read: [says(IS_ANOTHER)], starts: 0, reason: IS_ANOTHER },
	),
	ends(
		'another order, in which its index counts, with the real domains of the companies',
		'emailFinderBulk',
		done(
			[2, 0, 1].map((n, index) =>
				valid(n, { index: `${index}`, ...raw(nameOf(n), 'real.example') }),
			),
		),
		emails,
		{ read: [2, 0, 1].map((n) => emails[n]) },
	),
	ends(
		'a stranger of the same first name',
		'emailFinderBulk',
		done([valid(0, raw('Ada Smith', 'beta.example')), valid(1), valid(2)]),
		[UNLISTED, FOUND, FOUND],
		{ read: emails },
	),
	ends(
		'each result twice, and a stranger more',
		'emailFinderBulk',
		done(
			[...each(({ name }, n) => miss(n, name)), ...each(({ name }, n) => miss(n, name))].concat(
				valid(7, { index: undefined, ...raw('Zoe Quill') }),
			),
			{ ...ALL, finished: 3 },
		),
		[FOUND, NOT_FOUND, NOT_FOUND],
		{ read: [FOUND, NOT_FOUND, NOT_FOUND, FOUND, NOT_FOUND, NOT_FOUND, FOUND], starts: 7 },
	),
	ends(
		'a number twice',
		'emailFinderBulk',
		done([valid(0), { ...valid(1), index: '0' }, valid(2)]),
		[UNLISTED, UNLISTED, FOUND],
		{ read: emails, hint: 'lists 2 of the 3' },
	),
	ends(
		'another ID, name and company: a single result is of its ID',
		'emailFinderSingle',
		{ ...SINGLE, id: 'another', info: { fullname: 'Zoe Quill', company_domain: 'globex.example' } },
		[{ email: SINGLE.email, found: true }],
	),
];

const HOW_MANY: Doubt[] = [
	ends(
		'a first page',
		'phoneFinderBulk',
		{ ...done([number(0), number(1)], { ...ALL, found: 3 }), next: '?page=2', total_pages: 2 },
		[FOUND, FOUND, UNLISTED],
		{ read: [FOUND, FOUND], hint: 'lists 2 of the 3', starts: 2 },
	),
	ends('nobody', 'phoneFinderBulk', done([]), thrice(NOT_FOUND), {
		...{ read: [{ found: false, batch_id: 'abc-1' }], starts: 1 },
	}),
];

const NUMBERS = { number: ['+491', '+492'], found: true };
const OLDER_NAME = { socialprofile_url: null, linkedin_url: PEOPLE[0]?.url };
const VALUES: Doubt[] = [
	ends(
		'the profile under its older name, beside an empty one',
		'phoneFinderSingle',
		number(0, { index: undefined, params: OLDER_NAME }),
		[{ found: true, socialprofile_url: PEOPLE[0]?.url }],
	),
	ends(
		'a list of numbers',
		'phoneFinderBulk',
		done(each((_, n) => number(n, NUMBERS))),
		thrice(NUMBERS),
	),
	ends(
		'a second number of one person',
		'phoneFinderBulk',
		done([number(0), number(0, { number: '+491' }), number(1), number(2)], { ...ALL, found: 3 }),
		[{ number: '+49300', found: true }, ...[1, 2].map((n) => ({ number: `+4930${n}` }))],
		{
			read: ['+49300', '+491', '+49301', '+49302'].map((found) => ({ number: found })),
			starts: 4,
		},
	),
];

/** By what is in doubt. */
export const DOUBTS = {
	'whether a batch is over': WHETHER,
	'whether a single lookup is over': WHETHER_SINGLE,
	'whose results they are': WHOSE,
	'whether all is listed': HOW_MANY,
	'what a value holds': VALUES,
};
