import type { JsonObject, Job } from '../types.mts';

/** The body of a batch in progress. */
export function ongoingBatch(job: Job, finished: number): JsonObject {
	return {
		general: { id: job.id, status: 'ongoing' },
		stats: { finished, requested: job.searches.length },
	};
}

/** `general` of a batch that is over. `custom` is documented for the finder alone. */
export function general(job: Job): JsonObject {
	const { id, kind, outcome, custom } = job;
	return { id, status: outcome, custom: kind === 'emailFinderBulk' ? custom : undefined };
}
