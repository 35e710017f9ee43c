import { isFound, phoneNumber } from '../answers.mts';
import {
	collapsed,
	domainOf,
	isObject,
	objectAt,
	objectBody,
	onlySearch,
	Refused,
	text,
	without,
} from '../payload.mts';
import type { JsonObject, Job, LookupDefinition, Search } from '../types.mts';
import { general, ongoingBatch } from './batch.mts';

const MAX_SEARCHES = 3_000;
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

/** Not by `URL.canParse`, which Node 20 and 22 get wrong once it is compiled. */
function parseUrl(address: string): URL | undefined {
	try {
		return new URL(address);
	} catch {
		return undefined;
	}
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

const hasUrl = (search: JsonObject) => text(search.socialprofile_url) !== '';

const hasNames = (search: JsonObject) =>
	text(search.firstname) !== '' &&
	text(search.lastname) !== '' &&
	(text(search.company_domain) !== '' || text(search.company_name) !== '');

function toSearch(params: JsonObject): Search {
	const person = `${collapsed(params.firstname)}|${collapsed(params.lastname)}`;
	const company = `${domainOf(params.company_domain)}|${collapsed(params.company_name)}`;
	const what = hasUrl(params) ? pageOf(params.socialprofile_url) : `${person}|${company}`;
	return { canonical: `phone|${what}`, params };
}

/** In a batch a malformed URL is no reason to refuse the whole; it just is nobody's. */
const succeeds = ({ canonical, params }: Search) =>
	(!hasUrl(params) || profileUrl(params.socialprofile_url) !== undefined) && isFound(canonical);

export const phoneFinderSingle: LookupDefinition = {
	kind: 'phoneFinderSingle',
	event: 'single_phone_search_finished',
	path: '/phone/single',
	size: 'single',
	refundsMisses: false,
	succeeds,
	read: (request) => {
		// The only 400 that the table has for this endpoint.
		const invalid = 'Invalid linkedin_url format';
		const body = objectBody(request, { missing: invalid, unparsable: invalid });
		const complete = hasUrl(body) ? profileUrl(body.socialprofile_url) : hasNames(body);
		if (!complete) throw new Refused(400, invalid);
		return {
			kind: 'phoneFinderSingle',
			searches: [toSearch(without(body, 'custom', 'settings'))],
			settings: objectAt(body, 'settings'),
			custom: body.custom,
		};
	},
	created: { status: 201, message: 'Phone search started', credits: 'given' },
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

/** The parameters of a search, as a batch's result repeats them: under the older name of the profile. */
function echoed({ params }: Search): JsonObject {
	const { socialprofile_url: url, ...others } = without(params, 'custom');
	return url === undefined ? others : { linkedin_url: url, ...others };
}

function entries(job: Job): JsonObject[] {
	return job.searches.flatMap((search, index) =>
		succeeds(search)
			? {
					index,
					...phoneNumber(search.canonical),
					params: echoed(search),
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
	refundsMisses: true,
	succeeds,
	read: (request) => {
		const missing = 'Missing payload';
		const body = objectBody(request, { missing, unparsable: missing });
		const { searches } = body;
		if (!Array.isArray(searches) || searches.length === 0) {
			throw new Refused(400, 'At least 1 phone search must be present in the payload');
		}
		if (searches.length > MAX_SEARCHES) {
			throw new Refused(400, 'Too many searches. Limit is currently at 3000 per batch.');
		}
		return {
			kind: 'phoneFinderBulk',
			searches: searches.map((search: unknown) => {
				// No row of the table is about incomplete searches; this one is nearest.
				if (!isObject(search) || !(hasUrl(search) || hasNames(search))) {
					throw new Refused(400, missing);
				}
				return toSearch(search);
			}),
			settings: objectAt(body, 'settings'),
			custom: body.custom,
		};
	},
	created: { status: 201, message: 'Bulk phone search started', credits: 'given' },
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
