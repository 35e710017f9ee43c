import { isFound, phoneNumber } from '../answers.mts';
import {
	collapsed,
	domainOf,
	isObject,
	objectAt,
	objectBody,
	onlySearch,
	parseUrl,
	Refused,
	text,
	without,
} from '../payload.mts';
import type { JsonObject, Job, LookupDefinition, ProfileField, Search } from '../types.mts';
import { general, ongoingBatch, readBatch } from './batch.mts';

const FORM = {
	kind: 'phoneFinderBulk',
	list: 'searches',
	most: 3_000,
	empty: 'At least 1 phone search must be present in the payload',
} as const;
const NOT_A_PERSON = /^\/(company|school|jobs|groups|feed)(\/|$)/i;

/** The parsed URL of a person's profile, or undefined. */
function profileUrl(value: unknown): URL | undefined {
	const address = text(value);
	const url = /^https?:\/\/\S+$/i.test(address) ? parseUrl(address) : undefined;
	if (url === undefined) return undefined;
	const isProfile =
		url.hostname.includes('.') && url.pathname.length > 1 && !NOT_A_PERSON.test(url.pathname);
	return isProfile ? url : undefined;
}

/** The one person's page that an address is of, in whatever spelling. */
function pageOf(address: unknown): string {
	const url = profileUrl(address);
	if (url === undefined) return text(address);
	const { host, pathname, search } = url;
	const isNetwork = /(^|\.)linkedin\.com$/.test(host);
	const site = isNetwork ? 'linkedin.com' : host.replace(/^www\./, '');
	return `https://${site}${pathname.replace(/\/$/, '')}${isNetwork ? '' : search}`;
}

const DEFAULT_FIELD: ProfileField = 'linkedin_url';

/** Under whichever name. */
const profileOf = (search: JsonObject) =>
	text(search.linkedin_url) || text(search.socialprofile_url);

const hasNames = (search: JsonObject) =>
	text(search.firstname) !== '' &&
	text(search.lastname) !== '' &&
	(text(search.company_domain) !== '' || text(search.company_name) !== '');

/** @param known the field of the profile; the service does not see the other one */
function toSearch(sent: JsonObject, known = DEFAULT_FIELD): Search {
	const params = without(sent, known === 'linkedin_url' ? 'socialprofile_url' : 'linkedin_url');
	const profile = profileOf(params) || (hasNames(params) ? '' : profileOf(sent));
	const person = `${collapsed(params.firstname)}|${collapsed(params.lastname)}`;
	const company = `${domainOf(params.company_domain)}|${collapsed(params.company_name)}`;
	const what = profile === '' ? `${person}|${company}` : pageOf(profile);
	return { canonical: `phone|${what}`, params };
}

/** Whether the service knows whom to look for. A profile takes precedence. */
function tellsWhom({ params }: Search): boolean {
	const profile = profileOf(params);
	return profile === '' ? hasNames(params) : profileUrl(profile) !== undefined;
}

/** In a batch a malformed or an unseen URL is no reason to refuse the whole; it just is nobody's. */
const succeeds = (search: Search) => tellsWhom(search) && isFound(search.canonical);

export const phoneFinderSingle: LookupDefinition = {
	kind: 'phoneFinderSingle',
	event: 'single_phone_search_finished',
	path: '/phone/single',
	size: 'single',
	price: 40,
	refundsMisses: true,
	succeeds,
	read: (request, profileField) => {
		// The only 400 that the table has for this endpoint.
		const invalid = 'Invalid linkedin_url format';
		const body = objectBody(request, { missing: invalid, unparsable: invalid });
		const search = toSearch(without(body, 'custom', 'settings'), profileField);
		if (!tellsWhom(search)) throw new Refused(400, invalid);
		return {
			kind: 'phoneFinderSingle',
			searches: [search],
			settings: objectAt(body, 'settings'),
			custom: body.custom,
		};
	},
	created: { status: 201, message: 'Single search operating', credits: 'given' },
	ongoing: ({ custom, searches: [search] }) => ({
		params: search?.params,
		custom,
		number: null,
		country: null,
		qualification: 'ongoing',
	}),
	completed: (job) => {
		const search = onlySearch(job);
		if (!succeeds(search)) return { params: search.params, qualification: 'not_found' };
		return {
			params: search.params,
			custom: job.custom,
			...phoneNumber(search.canonical),
			qualification: 'found',
		};
	},
	failures: {
		missingId: [400, 'Missing id in the query params'],
		unknownId: [500, 'Could not retrieve single search results'],
		unreadable: [500, 'Could not retrieve single search results'],
	},
};

function entries(job: Job): JsonObject[] {
	return job.searches.flatMap((search, index) =>
		succeeds(search)
			? {
					index,
					...phoneNumber(search.canonical),
					params: without(search.params, 'custom'),
					// 2.7 has no `custom`, but 2.1 says that it comes back.
					custom: search.params.custom,
					qualification: 'found',
				}
			: [],
	);
}

export const phoneFinderBulk: LookupDefinition = {
	kind: 'phoneFinderBulk',
	event: 'bulk_phone_search_finished',
	path: '/phone/bulk',
	size: 'bulk',
	price: 40,
	refundsMisses: true,
	succeeds,
	read: (request, profileField) =>
		readBatch(FORM, request, (search) =>
			isObject(search) && (profileOf(search) !== '' || hasNames(search))
				? toSearch(search, profileField)
				: undefined,
		),
	created: { status: 201, message: 'Bulk search operating', credits: 'given' },
	ongoing: ongoingBatch,
	completed: (job) => {
		const requested = job.searches.length;
		const found = job.searches.filter(succeeds).length;
		return {
			general: general(job),
			stats: {
				credits_cost: requested * job.price,
				credits_to_refund: (requested - found) * job.price,
				found,
				requested,
			},
		};
	},
	entries,
	failures: {
		missingId: [400, 'Missing id in the query params'],
		unknownId: [400, 'Could not retrieve bulk search results'],
		unreadable: [500, 'server error'],
	},
};
