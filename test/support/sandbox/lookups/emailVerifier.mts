import { isEmail, isFound } from '../answers.mts';
import { objectAt, objectBody, onlySearch, Refused, text } from '../payload.mts';
import { hash32, toUuid } from '../random.mts';
import type { LookupDefinition, Search } from '../types.mts';
import { general, ongoingBatch, readBatch } from './batch.mts';

const FORM = {
	kind: 'emailVerifierBulk',
	list: 'verifications',
	most: 5_000,
	empty: 'At least 1 verification must be present in the payload',
} as const;

function toSearch(email: string): Search {
	return { canonical: `verify|${email.trim().toLowerCase()}`, params: { email } };
}

const succeeds = ({ canonical, params }: Search) => isEmail(params.email) && isFound(canonical);

const qualification = (search: Search) => (succeeds(search) ? 'valid' : 'invalid');

export const emailVerifierSingle: LookupDefinition = {
	kind: 'emailVerifierSingle',
	event: 'verification_finished',
	path: '/email/verify/single',
	size: 'single',
	price: 0.25,
	refundsMisses: false,
	succeeds,
	read: (request) => {
		const invalid = 'invalid JSON input';
		const body = objectBody(request, { missing: invalid, unparsable: invalid });
		if (!isEmail(body.email)) throw new Refused(400, 'invalid email format');
		return {
			kind: 'emailVerifierSingle',
			searches: [toSearch(text(body.email))],
			settings: objectAt(body, 'settings'),
			custom: body.custom,
		};
	},
	created: { status: 200, message: 'Single verification operating', credits: 'given' },
	ongoing: () => ({ qualification: 'ongoing' }),
	completed: (job) => {
		const search = onlySearch(job);
		return {
			email: search.params.email,
			custom: job.custom,
			qualification: qualification(search),
		};
	},
	failures: {
		missingId: [400, 'The single verif id is missing in the URL query string'],
		unknownId: [500, 'Could not retrieve single verification results'],
		unreadable: [500, 'Could not retrieve single verification results'],
	},
};

/** "Unique identifier of this verification in the batch". */
function uuid({ canonical }: Search, position: number): string {
	const parts = [0, 1, 2, 3].map((part) => hash32(`${canonical} ${position} ${part}`));
	return toUuid(parts.map((part) => part.toString(16).padStart(8, '0')).join(''));
}

export const emailVerifierBulk: LookupDefinition = {
	kind: 'emailVerifierBulk',
	event: 'bulk_verification_finished',
	path: '/email/verify/bulk',
	size: 'bulk',
	price: 0.25,
	refundsMisses: false,
	succeeds,
	read: (request) =>
		readBatch(FORM, request, (email) => (typeof email === 'string' ? toSearch(email) : undefined)),
	created: { status: 201, message: 'Bulk verification operating', credits: 'given' },
	ongoing: ongoingBatch,
	completed: (job) => ({
		general: general(job),
		stats: {
			credits_cost: job.searches.length * job.price,
			requested: job.searches.length,
			valid: job.searches.filter(succeeds).length,
		},
	}),
	entries: (job) =>
		job.searches.map((search, position) => ({
			email: search.params.email,
			index: uuid(search, position),
			qualification: qualification(search),
		})),
	failures: {
		missingId: [400, 'Could not retrieve bulk verification results'],
		unknownId: [400, 'Could not retrieve bulk verification results'],
		unreadable: [400, 'Could not retrieve bulk verification results'],
	},
};
