import { isObject, without } from '../payload.mts';
import type { JsonObject } from '../types.mts';
import type { Scenario, Scenarios } from './types.mts';

const WHY = 'The file could not be processed';

/** A batch that has failed, with something more in its body. */
const failed = (change: (body: JsonObject, completed: JsonObject) => JsonObject): Scenario => ({
	batchEnds: 'failed',
	result: (body, { outcome }, completed) =>
		outcome === 'failed' ? change(body, completed()) : body,
});

const generalOf = ({ general }: JsonObject) => (isObject(general) ? general : {});

/** How jobs end, and when that can be read. */
export const ENDINGS = {
	batchFailed: { batchEnds: 'failed' },
	batchFailedWithMessage: failed((body) => ({ ...body, message: WHY })),
	batchFailedWithGeneralMessage: failed((body) => ({
		...body,
		general: { ...generalOf(body), message: WHY },
	})),
	/** What was found until then is there. */
	batchFailedWithResults: failed((body, completed) => {
		const { results } = completed;
		return { ...body, message: WHY, results: Array.isArray(results) ? results.slice(0, 1) : [] };
	}),
	singleFailed: {
		singleEnds: 'failed',
		result: (body, { outcome, kind }) =>
			outcome === 'failed' && kind.endsWith('Single') ? { ...body, message: WHY } : body,
	},
	/** `general.status` is documented for the finder. */
	completedWithoutWord: {
		result: (body, { outcome, kind }) =>
			outcome === 'completed' && kind !== 'emailFinderBulk' && isObject(body.general)
				? { ...body, general: without(body.general, 'status') }
				: body,
	},
	/** The notification comes before the result can be read. */
	unreadableAtFirst: { unreadableForMs: 10_000 },
	ongoingAtFirst: { ongoingForMs: 10_000 },
	unreadable: { unreadableForMs: Infinity },
} satisfies Scenarios;
