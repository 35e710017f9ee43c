import { isEmail, isFound } from '../answers.mts';
import { objectAt, objectBody, onlySearch, Refused, text } from '../payload.mts';
import { hash32 } from '../random.mts';
import type { Lookup, LookupDefinition, Search } from '../types.mts';
import {
	general,
	inOrder,
	isLeftOut,
	ongoingSingle,
	ongoingVerifierBatch,
	type Variants,
} from '../variants.mts';

const MAX_VERIFICATIONS = 5_000;

function toSearch(email: string): Search {
	return { canonical: `verify|${email.trim().toLowerCase()}`, params: { email } };
}

const succeeds = ({ canonical, params }: Search) => isEmail(params.email) && isFound(canonical);

const qualification = (search: Search) => (succeeds(search) ? 'valid' : 'invalid');

export const emailVerifierSingle: LookupDefinition = {
	kind: 'emailVerifierSingle',
	path: '/email/verify/single',
	size: 'single',
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
	created: { status: 200, message: 'Verification started', credits: 'given' },
	ongoing: (_lookup, _finished, variants) => ongoingSingle(variants),
	completed: (lookup) => {
		const search = onlySearch(lookup);
		return {
			email: search.params.email,
			custom: lookup.custom,
			qualification: qualification(search),
		};
	},
	failures: {
		missingId: [400, 'The single verif id is missing in the URL query string'],
		unknownId: [500, 'Could not retrieve single verification results'],
		unreadable: [500, 'Could not retrieve single verification results'],
	},
};

function index(lookup: Lookup, position: number, variants: Variants): string {
	return variants.verifierIndex === 'opaque'
		? hash32(`${lookup.id} ${position}`).toString(16).padStart(8, '0') + position.toString(16)
		: String(position + variants.indexBase);
}

function costIn(lookup: Lookup, variants: Variants) {
	const cost = lookup.searches.length * lookup.price;
	switch (variants.verifierCost) {
		case 'number':
			return cost;
		case 'breakdown':
			return { initial: cost, refunded: 0, final: cost };
		case 'absent':
			return undefined;
	}
}

export const emailVerifierBulk: LookupDefinition = {
	kind: 'emailVerifierBulk',
	path: '/email/verify/bulk',
	size: 'bulk',
	refundsMisses: false,
	succeeds,
	read: (request) => {
		const missing = 'Missing payload';
		const body = objectBody(request, { missing, unparsable: missing });
		const { verifications } = body;
		if (!Array.isArray(verifications) || verifications.length === 0) {
			throw new Refused(400, 'At least 1 verification must be present in the payload');
		}
		if (verifications.length > MAX_VERIFICATIONS) {
			throw new Refused(400, 'Too many verifications. Limit is currently at 5000 per batch.');
		}
		return {
			kind: 'emailVerifierBulk',
			searches: verifications.map((email: unknown) => {
				// No row of the table is about entries that are not strings; this one is nearest.
				if (typeof email !== 'string') throw new Refused(400, missing);
				return toSearch(email);
			}),
			settings: objectAt(body, 'settings'),
			custom: body.custom,
		};
	},
	created: { status: 201, message: 'Bulk verification started', credits: 'absent' },
	ongoing: ongoingVerifierBatch,
	completed: (lookup, variants) => ({
		general: general(lookup, variants),
		stats: {
			credits_cost: costIn(lookup, variants),
			requested: lookup.searches.length,
			valid: lookup.searches.filter(succeeds).length,
		},
		results: inOrder(
			lookup.searches.flatMap((search, position) =>
				isLeftOut(succeeds(search), variants)
					? []
					: [
							{
								email: search.params.email,
								index: index(lookup, position, variants),
								qualification: qualification(search),
							},
						],
			),
			variants.resultOrder,
		),
	}),
	failures: {
		missingId: [400, 'Could not retrieve bulk verification results'],
		unknownId: [400, 'Could not retrieve bulk verification results'],
		unreadable: [400, 'Could not retrieve bulk verification results'],
	},
};
