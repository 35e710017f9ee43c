import type { JsonObject, Lookup } from '../types.mts';

/** The body of a batch in progress. */
export function ongoingBatch(lookup: Lookup, finished: number): JsonObject {
	return {
		general: { id: lookup.id, status: 'ongoing' },
		stats: { finished, requested: lookup.searches.length },
	};
}

/** `general` of a batch that is over. `custom` is documented for the finder alone. */
export function general(lookup: Lookup): JsonObject {
	const { id, kind, outcome, custom } = lookup;
	return { id, status: outcome, custom: kind === 'emailFinderBulk' ? custom : undefined };
}
