import { companyInfo, findPerson, isFound, type FoundPerson } from '../answers.mts';
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
import type { JsonObject, Lookup, LookupDefinition, Search } from '../types.mts';
import {
	echoed,
	general,
	inOrder,
	isLeftOut,
	ongoingBatch,
	ongoingSingle,
	type Variants,
} from '../variants.mts';

const MAX_SEARCHES = 5_000;
const MISSING_EMAILS = { null: null, empty: '', absent: undefined };

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

/** `companyInfo` of a person found; the service gives it for France only. */
function companyInfoFor(search: Search, person: FoundPerson, settings: JsonObject) {
	const wanted = settings.retrieve_company_info === true && text(settings.country_code) === 'FR';
	return wanted ? companyInfo(search, person.domain) : undefined;
}

export const emailFinderSingle: LookupDefinition = {
	kind: 'emailFinderSingle',
	path: '/email/find/single',
	size: 'single',
	refundsMisses: false,
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
	created: { status: 200, message: 'Search started', credits: 'absent' },
	ongoing: (_lookup, _finished, variants) => ongoingSingle(variants),
	completed: (lookup, variants) => {
		const search = onlySearch(lookup);
		const { custom, settings } = lookup;
		if (!succeeds(search)) {
			return { email: MISSING_EMAILS[variants.missingEmail], custom, qualification: 'invalid' };
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

function genderIn(person: FoundPerson, variants: Variants): string | null {
	switch (variants.gender) {
		case 'word':
			return person.gender;
		case 'capitalized':
			return person.gender === 'male' ? 'Male' : 'Female';
		case 'letter':
			return person.gender === 'male' ? 'M' : 'F';
		case 'null':
			return null;
	}
}

function entry(lookup: Lookup, search: Search, position: number, variants: Variants): JsonObject {
	const person = succeeds(search) ? findPerson(search) : undefined;
	const { settings } = lookup;
	return {
		index: String(position + variants.indexBase),
		qualification: person ? 'valid' : 'invalid',
		email: person?.email ?? null,
		info: person && {
			domain: person.domain,
			firstname: person.firstname,
			lastname: person.lastname,
			gender: settings.retrieve_gender === true ? genderIn(person, variants) : undefined,
			companyInfo: companyInfoFor(search, person, settings),
		},
		raw_params: echoed(search, variants),
		custom: search.params.custom,
	};
}

export const emailFinderBulk: LookupDefinition = {
	kind: 'emailFinderBulk',
	path: '/email/find/bulk',
	size: 'bulk',
	refundsMisses: true,
	succeeds,
	read: (request) => {
		const unparsable = 'Error while parsing payload';
		const body = objectBody(request, { missing: 'Missing payload', unparsable });
		const { searches } = body;
		if (!Array.isArray(searches) || searches.length === 0) {
			throw new Refused(400, 'Missing searches payload');
		}
		if (searches.length > MAX_SEARCHES) {
			throw new Refused(400, 'Too many searches. Limit is currently at 5000 per batch.');
		}
		const settings = objectAt(body, 'settings');
		return {
			kind: 'emailFinderBulk',
			searches: searches.map((search: unknown) => {
				if (!isObject(search) || text(search.fullname) === '' || !hasCompany(search)) {
					throw new Refused(400, unparsable);
				}
				return toSearch(search, settings);
			}),
			settings,
			custom: body.custom,
		};
	},
	created: { status: 201, message: 'Bulk search started', credits: 'absent' },
	ongoing: ongoingBatch,
	completed: (lookup, variants) => {
		const requested = lookup.searches.length;
		const valid = lookup.searches.filter(succeeds).length;
		const initial = requested * lookup.price;
		const refunded = (requested - valid) * lookup.price;
		return {
			general: general(lookup, variants),
			stats: {
				finished: requested,
				requested,
				valid,
				credits_cost: { initial, refunded, final: initial - refunded },
			},
			results: inOrder(
				lookup.searches.flatMap((search, position) =>
					isLeftOut(succeeds(search), variants) ? [] : [entry(lookup, search, position, variants)],
				),
				variants.resultOrder,
			),
		};
	},
	failures: {
		missingId: [400, 'Could not retrieve bulk search results'],
		unknownId: [400, 'Could not retrieve bulk search results'],
		unreadable: [400, 'Could not retrieve bulk search results'],
	},
};
