import { companyNameOf } from '../answers.mts';
import { isObject, onlySearch, text, without } from '../payload.mts';
import { shuffled, hash32 } from '../random.mts';
import type { JsonObject } from '../types.mts';
import type { Scenario, Scenarios } from './types.mts';

const isHit = ({ qualification }: JsonObject) =>
	qualification === 'valid' || qualification === 'found';

/** Changes each result, of a batch or of a single job. */
const each = (change: (result: JsonObject) => JsonObject): Scenario => ({
	entries: (entries) => entries.map(change),
	result: (body) => ('general' in body ? body : change(body)),
});

/** Changes what a result repeats of its search; `undefined` leaves it out. */
const echo = (change: (params: JsonObject) => unknown): Scenario =>
	each((result) => {
		const changed = Object.entries(result).map(([key, value]): [string, unknown] =>
			(key === 'params' || key === 'raw_params') && isObject(value)
				? [key, change(value)]
				: [key, value],
		);
		return Object.fromEntries(changed);
	});

const leftOut = (isLeftOut: (entry: JsonObject) => boolean): Scenario => ({
	entries: (entries) => entries.filter((entry) => !isLeftOut(entry)),
});

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

const camelCase = (key: string) =>
	key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** What stands in results, and in which order. */
export const RESULTS = {
	/** Against the document, which lists those found. */
	phoneNotFoundListed: {
		entries: (entries, { kind, searches }) => {
			if (kind !== 'phoneFinderBulk') return entries;
			const listed = new Map(entries.map((entry) => [entry.index, entry]));
			return searches.map(
				({ params }, index) =>
					listed.get(index) ?? {
						index,
						params: without(params, 'custom'),
						custom: params.custom,
						qualification: 'not_found',
					},
			);
		},
	},
	/** A client has it. */
	singleCompanyName: {
		result: (body, job) => {
			const { info } = body;
			if (job.kind !== 'emailFinderSingle' || !isObject(info)) return body;
			const company_name = companyNameOf(onlySearch(job), text(info.company_domain));
			return { ...body, info: { ...info, company_name } };
		},
	},
	/** By default the verifier's index is a UUID. */
	verifierPositions: {
		entries: (entries, { kind }) =>
			kind === 'emailVerifierBulk'
				? entries.map((entry, position) => ({ ...entry, index: String(position) }))
				: entries,
	},

	leavesOutNotFound: leftOut((entry) => !isHit(entry)),
	leavesOutFound: leftOut(isHit),
	leavesOutAll: leftOut(() => true),

	echoMissing: echo(() => undefined),
	echoEmpty: echo(() => ({})),
	echoCamelCase: echo((params) =>
		Object.fromEntries(Object.entries(params).map(([key, value]) => [camelCase(key), value])),
	),
	/** A profile under its name in the document. */
	echoAsSent: echo(({ linkedin_url: url, ...params }) =>
		url === undefined ? params : { socialprofile_url: url, ...params },
	),
	echoAsJsonText: echo((params) => JSON.stringify(params)),
	/** `custom` with the parameters, and not beside them. */
	customInEcho: {
		entries: (entries) =>
			entries.map(({ custom, ...entry }) => {
				const key = 'params' in entry ? 'params' : 'raw_params';
				if (!isObject(entry[key])) return { custom, ...entry };
				const isBeside = key === 'raw_params';
				return {
					...entry,
					[key]: { ...entry[key], custom },
					...(isBeside && { custom }),
				};
			}),
	},

	qualificationCapitalized: each((result) => ({
		...result,
		qualification: capitalized(text(result.qualification)),
	})),

	resultsReversed: { entries: (entries) => [...entries].reverse() },
	resultsShuffled: { entries: (entries, { id }) => shuffled(entries, hash32(id)) },

	/** Of a batch that found nobody. */
	resultsNull: {
		result: (body) =>
			Array.isArray(body.results) && body.results.length === 0 ? { ...body, results: null } : body,
	},
	/** Completed, and for some seconds still without its results. */
	resultsEmptyAtFirst: {
		result: (body, { completesAt }) =>
			Array.isArray(body.results) && Date.now() < completesAt + 5_000
				? { ...body, results: [] }
				: body,
	},
} satisfies Scenarios;
