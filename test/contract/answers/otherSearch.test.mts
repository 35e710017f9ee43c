import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, shownError, useBench } from '../../support/n8nCore/contactData.mts';
import { ofAnotherSearch } from '../../support/texts.mts';

// A verification that tells of another address is somebody else's; what else the id of a search gives is given.

const bench = useBench();
useFastClock();

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

const params = (values: IDataObject) => ({ params: values });
const GRACE = { firstname: 'Grace', lastname: 'Hopper', company_domain: 'acme.example' };

/** Of another address; what else may be another search's is in `test/unit/results`. */
const OTHER = { email: 'grace.hopper@acme.example' };

const url = (handle: string) => `https://www.linkedin.com/in/${handle}`;

const tell = ({ path }: Lookup, values: IDataObject) =>
	bench().sandbox.faults.add({
		on: `GET ${path}`,
		kind: 'changed',
		change: (body) => ({ ...body, ...values }),
		times: Infinity,
	});

it('a run that stops on errors ends, and says how to look at it', async () => {
	tell(VERIFIER, OTHER);
	const { resource, parameters } = VERIFIER;
	const run = await bench().run(resource, 'submitAndWait', { parameters });
	const lookupId = bench().sandbox.ledger.entries[0]?.id ?? '';
	const shown = shownError(run, bench().sandbox.apiKey);
	expect(shown.message).toContain(`${lookupId} ${ofAnotherSearch}`);
	expect(shown.description).toContain(`'Search ID' ${lookupId}`);
	// There the paid result is given, as nothing was asked that it could contradict.
	const read = await bench().run(resource, 'getResult', { parameters: { lookupId } });
	expect(jsonOf(read)).toMatchObject([{ ...OTHER, found: true }]);
});

it.for<[told: string, isGiven: boolean, lookup: Lookup, values: IDataObject]>([
	['info that is no object', true, FINDER, { info: 'Grace Hopper' }],
	['a link', true, VERIFIER, { email: 'mailto:ada.mustfind@acme.example' }],
	['no params', true, BY_URL, params({})],
	['another company', true, BY_NAME, params({ firstname: 'Ada', company_name: 'Globex' })],
	['another address', false, VERIFIER, OTHER],
	['another profile', false, BY_URL, params({ linkedin_url: url('grace-hopper') })],
	['the name of another search', false, BY_NAME, params(GRACE)],
	['another ID', false, FINDER, { id: 'another', info: undefined }],
	['another ID and name', false, FINDER, { id: 'another', info: { fullname: 'Grace Hopper' } }],
])('a single result that tells of %s is given: %s', async ([, isGiven, lookup, values]) => {
	tell(lookup, values);
	const { resource, parameters } = lookup;
	const settings = { onError: 'continueRegularOutput' } as const;
	const run = await bench().run(resource, 'submitAndWait', { parameters, settings });
	const { id } = bench().sandbox.ledger.entries[0] ?? {};
	const error: unknown = expect.stringContaining(ofAnotherSearch);
	expect(jsonOf(run)).toMatchObject([
		isGiven
			? { search_id: id, found: true, status: 'completed' }
			: { search_id: id, found: null, status: 'failed', error },
	]);
});
