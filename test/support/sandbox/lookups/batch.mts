import type { JsonObject, Job } from '../types.mts';

/** The body of a batch in progress. */
export function ongoingBatch(job: Job, finished: number): JsonObject {
	return {
		general: { id: job.id, status: 'ongoing' },
		stats: { finished, requested: job.searches.length },
	};
}

/** `general` of a batch that is over. The finder gives `custom` as text. */
export function general(job: Job): JsonObject {
	const { id, kind, outcome, custom } = job;
	return { id, status: outcome, custom: kind === 'emailFinderBulk' ? asText(custom) : custom };
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
