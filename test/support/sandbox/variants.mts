import { without } from './payload.mts';
import { shuffled } from './random.mts';
import type { JsonObject, Lookup, Search, ServiceResponse } from './types.mts';

/** What section 10 of `service-api.md` lists as unknown, and a little more: each a choice of plausible answers. */
export interface Variants {
	/** Where a single lookup in progress (202) says `ongoing`. */
	ongoingSingle: 'status' | 'message' | 'qualification' | 'state' | 'jsonString' | 'plainText';
	/** The body of a verifier batch in progress. */
	ongoingVerifierBulk:
		'generalAndStats' | 'general' | 'status' | 'message' | 'emptyResults' | 'jsonString';
	/** The order of `results` in a batch. */
	resultOrder: 'original' | 'reversed' | { readonly shuffledBy: number };
	/** What `index` counts from, where it is a position. */
	indexBase: 0 | 1;
	/** The verifier's `index`: "unique identifier of this verification in the batch". */
	verifierIndex: 'position' | 'opaque';
	/** Phone batches list only those found; or, against the document, all. */
	phoneNotFound: 'omitted' | 'listed';
	/** Results that a finished batch leaves out though its figures count them; not as documented. */
	leftOut: 'none' | 'notFound' | 'found' | 'all';
	/** The echoed parameters of a search in a batch (`raw_params`, `params`). */
	echo: 'asSent' | 'withoutCustom';
	/** `custom` in a batch's `general`; documented for the finder alone. */
	generalCustom: 'documented' | 'always' | 'never';
	/** `email` of a single find without result. */
	missingEmail: 'null' | 'empty' | 'absent';
	/** `stats.credits_cost` of a verifier batch. */
	verifierCost: 'number' | 'breakdown' | 'absent';
	/** The value of `gender` in a finder batch. */
	gender: 'word' | 'capitalized' | 'letter' | 'null';
	/** How a batch ends, settled when it is submitted. */
	batchOutcome: 'completed' | 'failed';
	/** Whether results that exist can be read; otherwise the error table's row says why not. */
	retrieval: 'works' | 'fails';
	/** Where credits are taken from; `mixed` is documented for phone single alone. */
	creditsSource: 'sub' | 'paygo' | 'mixed';
	estimatedDuration: 'right' | 'zero' | 'tooShort' | 'tooLong' | 'absent';
	/** Which seconds the limit counts in: any, or those of the service's clock. */
	rateWindow: 'sliding' | 'fixed';
	/** The header of a 429. */
	retryAfter: 'absent' | 'seconds' | 'date';
	/** The body of the completion notification; see `webhookShapes.mts`. */
	webhookShape: WebhookShape;
}

export const WEBHOOK_SHAPES = [
	'idAndResult',
	'result',
	'id',
	'searchId',
	'batchId',
	'verificationId',
	'general',
	'data',
	'eventAndData',
	'eventAndPayload',
	'array',
	'arrayOfSeveral',
	'form',
	'formWithJson',
	'text',
	'bodyString',
] as const;

export type WebhookShape = (typeof WEBHOOK_SHAPES)[number];

export const DEFAULT_VARIANTS: Readonly<Variants> = {
	ongoingSingle: 'status',
	ongoingVerifierBulk: 'generalAndStats',
	resultOrder: 'original',
	indexBase: 0,
	verifierIndex: 'position',
	phoneNotFound: 'omitted',
	leftOut: 'none',
	echo: 'asSent',
	generalCustom: 'documented',
	missingEmail: 'null',
	verifierCost: 'number',
	gender: 'word',
	batchOutcome: 'completed',
	retrieval: 'works',
	creditsSource: 'sub',
	estimatedDuration: 'right',
	rateWindow: 'sliding',
	retryAfter: 'absent',
	webhookShape: 'idAndResult',
};

/** The 202 of a single lookup in progress. */
export function ongoingSingle(variants: Variants): ServiceResponse {
	switch (variants.ongoingSingle) {
		case 'jsonString':
			return { status: 202, body: 'ongoing' };
		case 'plainText':
			return { status: 202, headers: { 'content-type': 'text/plain' }, body: 'ongoing' };
		default:
			return { status: 202, body: { [variants.ongoingSingle]: 'ongoing' } };
	}
}

/** The 200 of a finder or phone batch in progress, as documented. */
export function ongoingBatch(lookup: Lookup, finished: number): ServiceResponse {
	return {
		status: 200,
		body: {
			general: { id: lookup.id, status: 'ongoing' },
			stats: { finished, requested: lookup.searches.length },
		},
	};
}

/** The 200 of a verifier batch in progress. */
export function ongoingVerifierBatch(
	lookup: Lookup,
	finished: number,
	variants: Variants,
): ServiceResponse {
	switch (variants.ongoingVerifierBulk) {
		case 'generalAndStats':
			return ongoingBatch(lookup, finished);
		case 'general':
			return { status: 200, body: { general: { id: lookup.id, status: 'ongoing' } } };
		case 'status':
			return { status: 200, body: { status: 'ongoing' } };
		case 'message':
			return { status: 200, body: { message: 'ongoing' } };
		case 'emptyResults':
			return { status: 200, body: { status: 'ongoing', results: [] } };
		case 'jsonString':
			return { status: 200, body: 'ongoing' };
	}
}

/** Whether a finished batch leaves out the result of a search. */
export function isLeftOut(succeeds: boolean, { leftOut }: Variants): boolean {
	return leftOut === 'all' || leftOut === (succeeds ? 'found' : 'notFound');
}

export function inOrder<T>(results: readonly T[], order: Variants['resultOrder']): readonly T[] {
	if (order === 'original') return results;
	return order === 'reversed' ? [...results].reverse() : shuffled(results, order.shuffledBy);
}

/** The parameters of a search, as a batch's result repeats them. */
export function echoed({ params }: Search, variants: Variants): JsonObject {
	return variants.echo === 'asSent' ? params : without(params, 'custom');
}

/** `general` of a batch that is over. */
export function general(lookup: Lookup, variants: Variants): JsonObject {
	const documented = lookup.kind === 'emailFinderBulk';
	const wanted =
		variants.generalCustom === 'always' || (variants.generalCustom === 'documented' && documented);
	return {
		id: lookup.id,
		status: lookup.outcome,
		custom: wanted ? lookup.custom : undefined,
	};
}

/** The credits breakdown of section 2.9. */
export function creditsBreakdown(lookup: Lookup, amount: number, variants: Variants): JsonObject {
	const { creditsSource } = variants;
	const source =
		creditsSource === 'mixed' && lookup.kind !== 'phoneFinderSingle' ? 'sub' : creditsSource;
	const fromSub = { sub: amount, paygo: 0, mixed: amount / 2 }[source];
	return { amount, source, split: { fromSub, fromPaygo: amount - fromSub } };
}

/** `estimated_duration`, in minutes; undefined when it is left out. */
export function estimatedMinutes(durationMs: number, variants: Variants): number | undefined {
	const minutes = durationMs / 60_000;
	switch (variants.estimatedDuration) {
		case 'right':
			return Number(minutes.toFixed(4));
		case 'zero':
			return 0;
		case 'tooShort':
			return minutes / 100;
		case 'tooLong':
			return minutes * 100;
		case 'absent':
			return undefined;
	}
}

/** The headers of a 429 after which the next place is free in `waitMs`. */
export function retryAfter(
	waitMs: number,
	variants: Pick<Variants, 'retryAfter'>,
): Record<string, string> {
	switch (variants.retryAfter) {
		case 'absent':
			return {};
		case 'seconds':
			return { 'retry-after': String(Math.ceil(waitMs / 1000)) };
		case 'date':
			// HTTP dates have whole seconds: the next one that is late enough.
			return {
				'retry-after': new Date(Math.ceil((Date.now() + waitMs) / 1000) * 1000).toUTCString(),
			};
	}
}
