import { companyInfo, companyNameOf, findPerson, isFound, type FoundPerson } from '../answers.mts';
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
import { general, ongoingBatch, readBatch } from './batch.mts';

const FORM = {
	kind: 'emailFinderBulk',
	list: 'searches',
	most: 5_000,
	empty: 'Missing searches payload',
	unparsable: 'Error while parsing payload',
} as const;

function toSearch(params: JsonObject, settings: JsonObject): Search {
	const domain = domainOf(params.company_domain);
	const name = collapsed(params.company_name);
	// The country tells homonyms apart, so it matters with a company's name only.
	const company = name ? `${domain}|${name}|${text(settings.country_code) || 'US'}` : domain;
	return {
		canonical: `find|${collapsed(params.fullname)}|${company}`,
		params,
	};
}

const succeeds = ({ canonical }: Search) => isFound(canonical);

const hasCompany = (search: JsonObject) =>
	text(search.company_domain) !== '' || text(search.company_name) !== '';

/** All of `companyInfo`: the service gives it on request, for France only. */
function companyInfoFor(search: Search, person: FoundPerson, settings: JsonObject) {
	const wanted = settings.retrieve_company_info === true && text(settings.country_code) === 'FR';
	return wanted ? companyInfo(search, person.domain) : undefined;
}

export const emailFinderSingle: LookupDefinition = {
	kind: 'emailFinderSingle',
	event: 'single_search_finished',
	path: '/email/find/single',
	size: 'single',
	price: 1,
	refundsMisses: true,
	succeeds,
	read: (request) => {
		const invalid = 'invalid JSON input';
		const body = objectBody(request, { missing: invalid, unparsable: invalid });
		if (!hasCompany(body)) {
			throw new Refused(
				400,
				'both company_domain and company_name are absent, input payload needs at least one of them',
			);
		}
		if (text(body.fullname) === '') throw new Refused(400, 'missing fullname');
		const settings = objectAt(body, 'settings');
		const search = toSearch(without(body, 'custom', 'settings'), settings);
		return {
			kind: 'emailFinderSingle',
			searches: [search],
			settings,
			custom: body.custom,
		};
	},
	created: { status: 200, message: 'Single search operating', credits: 'absent' },
	ongoing: () => ({ qualification: 'ongoing' }),
	completed: (job) => {
		const search = onlySearch(job);
		const { custom, settings } = job;
		if (!succeeds(search)) {
			return { email: null, custom, qualification: 'invalid' };
		}
		const person = findPerson(search);
		return {
			email: person.email,
			custom,
			info: {
				company_domain: person.domain,
				fullname: person.fullname,
				firstname: person.firstname,
				lastname: person.lastname,
				gender: settings.retrieve_gender === true ? person.gender : undefined,
				companyInfo: companyInfoFor(search, person, settings),
			},
			qualification: 'valid',
		};
	},
	failures: {
		missingId: [400, 'The single search id is missing in the URL query string'],
		unknownId: [500, 'Could not retrieve single search results'],
		unreadable: [500, 'Could not retrieve single search results'],
	},
};

function entry({ settings }: Job, search: Search, position: number): JsonObject {
	const person = succeeds(search) ? findPerson(search) : undefined;
	return {
		index: String(position),
		qualification: person ? 'valid' : 'invalid',
		email: person?.email ?? null,
		info: person && {
			domain: person.domain,
			firstname: person.firstname,
			lastname: person.lastname,
			gender: settings.retrieve_gender === true ? person.gender : undefined,
			companyInfo: companyInfoFor(search, person, settings) ?? {
				name: companyNameOf(search, person.domain),
			},
		},
		raw_params: without(search.params, 'custom'),
		custom: search.params.custom,
	};
}

export const emailFinderBulk: LookupDefinition = {
	kind: 'emailFinderBulk',
	event: 'bulk_search_finished',
	path: '/email/find/bulk',
	size: 'bulk',
	price: 1,
	refundsMisses: true,
	succeeds,
	read: (request) =>
		readBatch(FORM, request, (search, settings) =>
			isObject(search) && text(search.fullname) !== '' && hasCompany(search)
				? toSearch(search, settings)
				: undefined,
		),
	created: { status: 201, message: 'Bulk search operating', credits: 'absent' },
	ongoing: ongoingBatch,
	completed: (job) => {
		const requested = job.searches.length;
		const valid = job.searches.filter(succeeds).length;
		const initial = requested * job.price;
		const refunded = (requested - valid) * job.price;
		return {
			general: general(job),
			stats: {
				finished: requested,
				requested,
				valid,
				credits_cost: { initial, refunded, final: initial - refunded },
			},
		};
	},
	entries: (job) => job.searches.map((search, position) => entry(job, search, position)),
	failures: {
		missingId: [400, 'Could not retrieve bulk search results'],
		unknownId: [400, 'Could not retrieve bulk search results'],
		unreadable: [400, 'Could not retrieve bulk search results'],
	},
};
