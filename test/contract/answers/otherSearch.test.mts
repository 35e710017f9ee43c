import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, shownError, useBench } from '../../support/n8nCore/contactData.mts';
import { resultsOf, Suspended } from '../suspension/suspended.mts';
import { ofAnotherSearch } from '../../support/texts.mts';

// A verification that tells of another address is somebody else's; what else the id of a search gives is given.

const bench = useBench();
useFastClock();

const CONTINUE = { onError: 'continueRegularOutput' } as const;

interface Lookup {
	noun: string;
	resource: string;
	path: `/${string}`;
	parameters: INodeParameters;
}

const FINDER: Lookup = {
	noun: 'email search',
	resource: 'emailFinder',
	path: '/email/find/single',
	parameters: { fullname: 'Ada Mustfind', companyDomain: 'acme.example' },
};
const VERIFIER: Lookup = {
	noun: 'email verification',
	resource: 'emailVerifier',
	path: '/email/verify/single',
	parameters: { email: 'ada.mustfind@acme.example' },
};
const BY_URL: Lookup = {
	noun: 'phone search',
	resource: 'phoneFinder',
	path: '/phone/single',
	parameters: { socialProfileUrl: 'https://www.linkedin.com/in/ada-mustfind' },
};
const BY_NAME: Lookup = {
	noun: 'phone search',
	resource: 'phoneFinder',
	path: '/phone/single',
	parameters: {
		identifyBy: 'nameAndCompany',
		firstname: 'Ada',
		lastname: 'Mustfind',
		companyDomain: 'acme.example',
	},
};

const info = (fullname: string, others: IDataObject = {}) => ({ info: { fullname, ...others } });
const params = (values: IDataObject) => ({ params: values });
const GRACE = { firstname: 'Grace', lastname: 'Hopper', company_domain: 'acme.example' };

type Case = [lookup: Lookup, what: string, values: IDataObject];

const toCases = (rows: Case[]) => rows.map(([lookup, what, values]) => ({ lookup, what, values }));

const OTHERS = toCases([
	[VERIFIER, 'another address', { email: 'grace.hopper@acme.example' }],
	[VERIFIER, 'the name at another domain', { email: 'ada.mustfind@globex.example' }],
]);

const DOUBTFUL = toCases([
	[FINDER, 'another name', info('Grace Hopper', { company_domain: 'globex.example' })],
	[FINDER, 'another name in parts', { info: { firstname: 'Grace', lastname: 'Hopper' } }],
	[BY_URL, 'another profile', params({ socialprofile_url: 'https://linkedin.com/in/grace' })],
	[BY_NAME, 'another name', params(GRACE)],
	[
		BY_NAME,
		'another company',
		params({ firstname: 'Ada', lastname: 'Mustfind', company_domain: 'globex.example' }),
	],
	[FINDER, 'no info', { info: undefined }],
	[FINDER, 'info that is no object', { info: 'Grace Hopper' }],
	[FINDER, 'a tidied name', info('ADA MUSTFIND-SMITH')],
	[FINDER, 'the name turned round', info('Mustfind, Ada')],
	[FINDER, 'a short form of one name', info('A. Mustfind')],
	[FINDER, 'another last name', info('Ada Smith')],
	[FINDER, 'a name in another script', info('Ада Мастфайнд')],
	[FINDER, 'another domain, as companies have several', info('Ada', { company_domain: 'x.io' })],
	[VERIFIER, 'no address', { email: null }],
	[VERIFIER, 'another case', { email: 'Ada.Mustfind@ACME.example' }],
	[VERIFIER, 'a link', { email: 'mailto:ada.mustfind@acme.example' }],
	[VERIFIER, 'what is no address', { email: 'hidden' }],
	[BY_URL, 'no params', params({})],
	[
		BY_URL,
		'the profile without scheme',
		params({ socialprofile_url: 'linkedin.com/in/Ada-Mustfind/' }),
	],
	[
		BY_URL,
		'a page of the profile',
		params({ socialprofile_url: 'https://fr.linkedin.com/in/ada-mustfind/fr' }),
	],
	[BY_URL, 'the name of the person', params(GRACE)],
	[
		BY_NAME,
		'a form of the domain',
		params({ ...GRACE, firstname: 'ada', company_domain: 'https://www.acme.example/about' }),
	],
	[
		BY_NAME,
		'the domain without its host',
		params({ firstname: 'Ada', company_domain: 'mail.acme.example' }),
	],
	[BY_NAME, 'the names in each other’s place', params({ firstname: 'Mustfind', lastname: 'Ada' })],
	[BY_NAME, 'another name of the company', params({ firstname: 'Ada', company_name: 'Globex' })],
]);

/** What the item is told. */
const told = ({ noun }: Lookup, id: unknown) =>
	`The result of the ${noun} ${String(id)} ${ofAnotherSearch}`;

const tell = ({ path }: Lookup, values: IDataObject) =>
	bench().sandbox.faults.add({
		on: `GET ${path}`,
		kind: 'changed',
		change: (body) => ({ ...body, ...values }),
		times: Infinity,
	});

describe('a single result that tells of another search', () => {
	it.for(OTHERS)('$lookup.noun: $what is an error with the id', async ({ lookup, values }) => {
		tell(lookup, values);
		const { resource, parameters } = lookup;
		const run = await bench().run(resource, 'submitAndWait', { parameters, settings: CONTINUE });
		const [entry] = bench().sandbox.ledger.entries;
		const [json] = jsonOf(run);
		expect(json).toMatchObject({ id: entry?.id, error: told(lookup, entry?.id) });
		expect(Object.keys(json ?? {}).sort()).toEqual([
			'description',
			'error',
			'id',
			'item',
			'search',
		]);
	});

	it('ends a run that stops on errors, and says how to look at it', async () => {
		tell(VERIFIER, { email: 'grace.hopper@acme.example' });
		const { resource, parameters } = VERIFIER;
		const run = await bench().run(resource, 'submitAndWait', { parameters });
		const [entry] = bench().sandbox.ledger.entries;
		const shown = shownError(run, bench().sandbox.apiKey);
		expect(shown.message).toBe(
			`The result of the email verification ${entry?.id} ${ofAnotherSearch}`,
		);
		expect(shown.description).toContain(`'Search ID' ${entry?.id}`);
		// There the paid result is given, as nothing was asked that it could contradict.
		const read = await bench().run(resource, 'getResult', {
			parameters: { lookupId: entry?.id ?? '' },
		});
		expect(jsonOf(read)).toMatchObject([{ email: 'grace.hopper@acme.example', found: true }]);
	});

	it.for(OTHERS)(
		'$lookup.noun: $what is an error after a suspend, too',
		async ({ lookup, values }) => {
			bench().sandbox.configure({ single: 3_600_000 });
			const { resource, parameters } = lookup;
			const given = { items: [{}], parameters, settings: CONTINUE };
			const execution = new Suspended(bench(), resource, 'submitAndWait', given);
			const parked = await execution.park();
			bench().sandbox.service.finish();
			tell(lookup, values);
			const [json] = resultsOf(await execution.resume(parked));
			const [entry] = bench().sandbox.ledger.entries;
			expect(json).toMatchObject({ id: entry?.id, error: told(lookup, entry?.id) });
			expect(json).not.toHaveProperty('found');
		},
	);

	it.for(OTHERS)(
		'$lookup.noun: $what is an error of Get Result for the item of a wait',
		async ({ lookup, values }) => {
			bench().sandbox.configure({ single: 3_600_000 });
			const { resource, parameters } = lookup;
			const options = { timeout: 1, onTimeout: 'output' };
			const waiting = jsonOf(await bench().run(resource, 'submitAndWait', { parameters, options }));
			bench().sandbox.service.finish();
			tell(lookup, values);
			const run = await bench().run(resource, 'getResult', {
				parameters: { lookupId: '={{ $json.id }}' },
				items: waiting,
				settings: CONTINUE,
			});
			const [id] = waiting.map((item) => item.id);
			expect(jsonOf(run)).toMatchObject([{ id, error: told(lookup, id) }]);
		},
	);
});

describe('in doubt a paid result is given', () => {
	it.for(DOUBTFUL)('$lookup.noun: $what', async ({ lookup, values }) => {
		tell(lookup, values);
		const { resource, parameters } = lookup;
		const run = await bench().run(resource, 'submitAndWait', { parameters });
		expect(jsonOf(run)).toMatchObject([{ found: true, status: 'completed' }]);
	});
});

describe('a result of a batch', () => {
	it('that repeats the search and tells of another person is given, as it is paid for', async () => {
		bench().sandbox.faults.add({
			on: 'GET /email/find/bulk',
			kind: 'changed',
			change: ({ results, ...body }) => ({
				...body,
				results: Array.isArray(results)
					? results.map((result: IDataObject, n) =>
							n === 0 ? { ...result, info: { firstname: 'Grace', lastname: 'Hopper' } } : result,
						)
					: results,
			}),
			times: Infinity,
		});
		const run = await bench().run('emailFinder', 'submitBulkAndWait', {
			parameters: { fullname: '={{ $json.fullname }}', companyDomain: 'acme.example' },
			items: [{ fullname: 'Ada Mustfind' }, { fullname: 'Eve Mustfind' }],
			settings: CONTINUE,
		});
		expect(jsonOf(run)).toMatchObject([
			{ found: true, info: { lastname: 'Hopper' } },
			{ found: true },
		]);
	});
});

describe('a whole batch in one item', () => {
	const verifications = ['ada@acme.example', 'eve@acme.example'];
	const given = {
		parameters: {
			inputMode: 'array',
			verifications: JSON.stringify(verifications),
			splitResults: false,
		},
		settings: CONTINUE,
	};

	/** The results are told of these addresses. */
	const tellOf = (addresses: string[]) =>
		bench().sandbox.faults.add({
			on: 'GET /email/verify/bulk',
			kind: 'changed',
			change: (body) => ({
				...body,
				results: addresses.map((email) => ({ email, index: 'x', qualification: 'valid' })),
			}),
			times: Infinity,
		});

	it('of which each result is of others is an error with the id', async () => {
		tellOf(['grace@globex.example', 'alan@globex.example']);
		const run = await bench().run('emailVerifier', 'submitBulkAndWait', given);
		const [entry] = bench().sandbox.ledger.entries;
		const [json] = jsonOf(run);
		expect(json).toMatchObject({
			batch_id: entry?.id,
			error: `The results of batch ${entry?.id} are for other email verifications than these`,
		});
		expect(json?.description).toContain(`'Get Bulk Results' and 'Batch ID' ${entry?.id}`);
		expect(json).not.toHaveProperty('results');
	});

	it.for([
		{ what: 'one is of these', addresses: ['grace@globex.example', 'eve@acme.example'] },
		{ what: 'one may be of these', addresses: ['grace@globex.example', 'hidden'] },
	])('of which $what is given, as it is paid for', async ({ addresses }) => {
		tellOf(addresses);
		const run = await bench().run('emailVerifier', 'submitBulkAndWait', given);
		expect(jsonOf(run)).toMatchObject([
			{ status: 'completed', results: addresses.map((email) => ({ email })) },
		]);
	});
});
