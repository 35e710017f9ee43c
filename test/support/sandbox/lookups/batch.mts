import { objectAt, objectBody, readEntries, Refused } from '../payload.mts';
import type { JsonObject, Job, Kind, Search, ServiceRequest, Submission } from '../types.mts';

const MISSING = 'Missing payload';

/** How a batch is asked for, and what the error table says where it is not. */
interface BatchForm {
	readonly kind: Kind;
	/** The field with the list. */
	readonly list: string;
	readonly most: number;
	readonly empty: string;
	/** Also of a bad entry: no row of the table is about those, and this one is nearest. */
	readonly unparsable?: string;
}

/** @param read gives nothing for an entry that makes the service refuse the batch */
export function readBatch(
	{ kind, list, most, empty, unparsable = MISSING }: BatchForm,
	request: ServiceRequest,
	read: (entry: unknown, settings: JsonObject) => Search | undefined,
): Submission {
	const body = objectBody(request, { missing: MISSING, unparsable });
	const { [list]: entries, custom } = body;
	if (!Array.isArray(entries) || entries.length === 0) throw new Refused(400, empty);
	if (entries.length > most) {
		throw new Refused(400, `Too many ${list}. Limit is currently at ${most} per batch.`);
	}
	const settings = objectAt(body, 'settings');
	const searches = readEntries(entries, unparsable, (entry) => read(entry, settings));
	return { kind, searches, settings, custom };
}

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
