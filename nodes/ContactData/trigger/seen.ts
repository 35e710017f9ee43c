import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../common/values';
import { RecentMap } from '../common/bounds';

/** Ids remembered for each trigger: a sender that repeats itself does so soon. */
const MAX_SEEN = 1000;
const MAX_TRIGGERS = 200;

/** What has started the workflow, and when, in milliseconds since 1970. */
type Seen = { id: string; at: number };

const seenByTrigger = new RecentMap<string, Seen[]>(MAX_TRIGGERS);

/**
 * The ids that have started the workflow. n8n gives every call its own copy of the static data, so
 * calls at the same moment know of each other through the process, and later ones, also after a
 * restart or in another process, through the static data.
 */
export class SeenIds {
	private constructor(
		private readonly staticData: IDataObject,
		/** Oldest first. */
		private readonly seen: Seen[],
	) {}

	static of(trigger: string, staticData: IDataObject): SeenIds {
		const seen = seenByTrigger.get(trigger) ?? [];
		seenByTrigger.set(trigger, seen);
		const known = new Set(seen.map(({ id }) => id));
		const saved = Array.isArray(staticData.seen) ? staticData.seen.filter(isSeen) : [];
		for (const one of saved) if (!known.has(one.id)) seen.push(one);
		keepNewest(seen);
		return new SeenIds(staticData, seen);
	}

	/** @param id together with its kind of lookup, as two kinds may have the same */
	has(id: string): boolean {
		return this.seen.some((one) => one.id === id);
	}

	/** @returns whether it is new */
	add(id: string): boolean {
		if (this.has(id)) return false;
		// The clock may have been set back: what is newest must not be taken for the oldest.
		this.seen.push({ id, at: Math.max(Date.now(), this.seen.at(-1)?.at ?? 0) });
		keepNewest(this.seen);
		// All calls of the process share the list, so whichever n8n saves last holds the others' ids.
		this.staticData.seen = this.seen;
		return true;
	}
}

function isSeen(value: unknown): value is Seen {
	return isRecord(value) && typeof value.id === 'string' && typeof value.at === 'number';
}

/** By time, since other processes save what they have seen into the same list. */
function keepNewest(seen: Seen[]): void {
	seen.sort((a, b) => a.at - b.at);
	// Nothing where it would be a negative number.
	seen.splice(0, seen.length - MAX_SEEN);
}
