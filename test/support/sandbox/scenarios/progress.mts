import { isObject } from '../payload.mts';
import type { JsonObject, Job } from '../types.mts';
import type { Scenario, Scenarios } from './types.mts';

/** The body of the 202 of a single job: the name of the field is not documented. */
const single = (body: unknown, headers?: Readonly<Record<string, string>>): Scenario => ({
	ongoing: (answer) => (answer.status === 202 ? { status: 202, headers, body } : answer),
});

/** The body of a verifier batch in progress: its shape is not documented. */
const verifierBatch = (
	bodyOf: (job: Job, results: readonly JsonObject[], progress: JsonObject) => unknown,
): Scenario => ({
	ongoing: (answer, job, completed) => {
		if (job.kind !== 'emailVerifierBulk' || !isObject(answer.body)) return answer;
		const { results } = completed();
		const entries = Array.isArray(results) ? results.filter(isObject) : [];
		return { status: 200, body: bodyOf(job, entries, answer.body) };
	},
});

function finishedIn({ stats }: JsonObject): number {
	return isObject(stats) && typeof stats.finished === 'number' ? stats.finished : 0;
}

const requestedIn = ({ searches }: Job) => ({ requested: searches.length });

const unsettled = (qualification: null | string) =>
	verifierBatch((job, results) => ({
		general: { id: job.id },
		stats: requestedIn(job),
		results: results.map((entry) => ({ ...entry, qualification })),
	}));

/** How a job says that it still runs. */
export const PROGRESS = {
	ongoingAsStatus: single({ status: 'ongoing' }),
	ongoingAsMessage: single({ message: 'ongoing' }),
	ongoingAsJsonText: single('ongoing'),
	ongoingAsPlainText: single('ongoing', { 'content-type': 'text/plain' }),
	/** The whole structure of a phone result is shown by default; this is the word alone. */
	ongoingAlone: single({ qualification: 'ongoing' }),
	/** An older page has both. */
	ongoingSingleIsEmpty: {
		ongoing: (answer) =>
			answer.status === 202
				? { status: 200, headers: { 'content-type': 'text/plain' }, body: '' }
				: answer,
	},
	ongoingBatchIs202: { ongoing: (answer) => ({ ...answer, status: 202 }) },

	verifierBatchGeneralOnly: verifierBatch(({ id }) => ({ general: { id, status: 'ongoing' } })),
	verifierBatchStatusOnly: verifierBatch(() => ({ status: 'ongoing' })),
	/** A third party's client takes it for "still running". */
	verifierBatchEmpty: {
		ongoing: (answer, job) =>
			job.kind === 'emailVerifierBulk'
				? { status: 200, headers: { 'content-type': 'text/plain' }, body: '' }
				: answer,
	},
	/** What it has so far, and no word of its status. */
	verifierBatchPartial: verifierBatch((job, results, progress) => {
		const done = results.slice(0, finishedIn(progress));
		const valid = done.filter(({ qualification }) => qualification === 'valid').length;
		const stats = { ...requestedIn(job), valid };
		return { general: { id: job.id }, stats, results: done };
	}),
	verifierBatchOfNulls: unsettled(null),
	verifierBatchPending: unsettled('pending'),
} satisfies Scenarios;
