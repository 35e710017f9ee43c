import type { IDataObject } from 'n8n-workflow';
import { RecentMap } from '../service/recentMap';

/** Ids remembered for each trigger: a sender that repeats itself does so soon. */
const MAX_SEEN = 1000;
const MAX_TRIGGERS = 200;

const seenByTrigger = new RecentMap<string, string[]>(MAX_TRIGGERS);

/**
 * The ids that have started the workflow. n8n gives every call its own copy of the static data, so
 * calls at the same moment know of each other through the process, and later ones, also after a
 * restart, through the static data.
 */
export class SeenIds {
	private constructor(
		private readonly staticData: IDataObject,
		/** Oldest first. */
		private readonly ids: string[],
	) {}

	static of(trigger: string, staticData: IDataObject): SeenIds {
		const ids = seenByTrigger.get(trigger) ?? [];
		seenByTrigger.set(trigger, ids);
		const known = new Set(ids);
		const saved = Array.isArray(staticData.seen) ? staticData.seen.slice(-MAX_SEEN) : [];
		ids.unshift(...saved.filter((id) => typeof id === 'string' && !known.has(id)));
		forgetOldest(ids);
		return new SeenIds(staticData, ids);
	}

	has(id: string): boolean {
		return this.ids.includes(id);
	}

	/** @returns whether it is new */
	add(id: string): boolean {
		if (this.has(id)) return false;
		this.ids.push(id);
		forgetOldest(this.ids);
		// All calls of the process share the list, so whichever n8n saves last holds the others' ids.
		this.staticData.seen = this.ids;
		return true;
	}
}

function forgetOldest(ids: string[]): void {
	if (ids.length > MAX_SEEN) ids.splice(0, ids.length - MAX_SEEN);
}
