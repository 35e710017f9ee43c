import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, shownError, useBench } from '../../support/n8nCore/contactData.mts';
import { ofAnotherSearch } from '../../support/texts.mts';

// A verification that tells of another address is somebody else's; what else the id of a search gives is given.

const bench = useBench();
useFastClock();

const CONTINUE = { onError: 'continueRegularOutput' } as const;

interface Lookup {
	resource: string;
	path: `/${string}`;
	parameters: INodeParameters;
}

const FINDER: Lookup = {
	resource: 'emailFinder',
	path: '/email/find/single',
	parameters: { fullname: 'Ada Mustfind', companyDomain: 'acme.example' },
};
const VERIFIER: Lookup = {
	resource: 'emailVerifier',
	path: '/email/verify/single',
	parameters: { email: 'ada.mustfind@acme.example' },
};
const BY_URL: Lookup = {
	resource: 'phoneFinder',
	path: '/phone/single',
	parameters: { socialProfileUrl: 'https://www.linkedin.com/in/ada-mustfind' },
};
const BY_NAME: Lookup = {
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

/** Of another address; what else may be another search's is in `test/unit/results`. */
const OTHER = { email: 'grace.hopper@acme.example' };

const url = (handle: string) => `https://www.linkedin.com/in/${handle}`;
const DOUBTFUL: Array<[told: string, lookup: Lookup, values: IDataObject]> = [
	['info that is no object', FINDER, { info: 'Grace Hopper' }],
	['a link', VERIFIER, { email: 'mailto:ada.mustfind@acme.example' }],
	['no params', BY_URL, params({})],
	['another company', BY_NAME, params({ firstname: 'Ada', company_name: 'Globex' })],
];

const PLAIN: typeof DOUBTFUL = [
	['another address', VERIFIER, OTHER],
	['another profile', BY_URL, params({ linkedin_url: url('grace-hopper') })],
	['the name of another search', BY_NAME, params(GRACE)],
	['another ID', FINDER, { id: 'another', info: undefined }],
	['another ID and name', FINDER, { id: 'another', ...info('Grace Hopper') }],
];

const tell = ({ path }: Lookup, values: IDataObject) =>
	bench().sandbox.faults.add({
		on: `GET ${path}`,
		kind: 'changed',
		change: (body) => ({ ...body, ...values }),
		times: Infinity,
	});

describe('a single result that tells of another search', () => {
	const { resource, parameters } = VERIFIER;

	it('ends a run that stops on errors, and says how to look at it', async () => {
		tell(VERIFIER, OTHER);
		const run = await bench().run(resource, 'submitAndWait', { parameters });
		const lookupId = bench().sandbox.ledger.entries[0]?.id ?? '';
		const shown = shownError(run, bench().sandbox.apiKey);
		expect(shown.message).toContain(`${lookupId} ${ofAnotherSearch}`);
		expect(shown.description).toContain(`'Search ID' ${lookupId}`);
		// There the paid result is given, as nothing was asked that it could contradict.
		const read = await bench().run(resource, 'getResult', { parameters: { lookupId } });
		expect(jsonOf(read)).toMatchObject([{ ...OTHER, found: true }]);
	});

	it('is an error of Get Result for the item of a wait', async () => {
		bench().sandbox.configure({ single: 3_600_000 });
		const options = { timeout: 1, onTimeout: 'output' };
		const waiting = jsonOf(await bench().run(resource, 'submitAndWait', { parameters, options }));
		bench().sandbox.service.finish();
		tell(VERIFIER, OTHER);
		const run = await bench().run(resource, 'getResult', {
			parameters: { lookupId: '={{ $json.id }}' },
			items: waiting,
			settings: CONTINUE,
		});
		const [json] = jsonOf(run);
		const id = bench().sandbox.ledger.entries[0]?.id;
		const error = `The result of the email verification ${id} ${ofAnotherSearch}`;
		expect(json).toMatchObject({ id, error });
		expect(json?.found ?? null).toBeNull();
		expect(JSON.stringify(json)).not.toContain(OTHER.email);
	});
});

it.for(DOUBTFUL)('in doubt a paid result is given: %s', async ([, lookup, values]) => {
	tell(lookup, values);
	const { resource, parameters } = lookup;
	const run = await bench().run(resource, 'submitAndWait', { parameters });
	expect(jsonOf(run)).toMatchObject([{ found: true, status: 'completed' }]);
});

it.for(PLAIN)('what is plainly of another search is not given: %s', async ([, lookup, values]) => {
	tell(lookup, values);
	const { resource, parameters } = lookup;
	const run = await bench().run(resource, 'submitAndWait', { parameters, settings: CONTINUE });
	const { id } = bench().sandbox.ledger.entries[0] ?? {};
	expect(jsonOf(run)).toMatchObject([
		{ id, error: expect.stringContaining(ofAnotherSearch) as string },
	]);
	expect(jsonOf(run)[0]?.found ?? null).toBeNull();
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
			error: expect.stringContaining(`batch ${entry?.id} are for other`) as string,
		});
		expect(json?.description).toContain(`'Get Bulk Results' and 'Batch ID' ${entry?.id}`);
		expect(json).not.toHaveProperty('results');
	});

	it('of which one is of these is given, as it is paid for', async () => {
		const addresses = ['grace@globex.example', 'eve@acme.example'];
		tellOf(addresses);
		const run = await bench().run('emailVerifier', 'submitBulkAndWait', given);
		expect(jsonOf(run)).toMatchObject([
			{ status: 'completed', results: addresses.map((email) => ({ email })) },
		]);
	});
});
