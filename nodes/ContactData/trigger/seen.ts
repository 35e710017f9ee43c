import type { IDataObject } from 'n8n-workflow';
import { RecentMap } from '../service/recentMap';

/** Ids remembered for each trigger: a sender that repeats itself does so soon. */
const MAX_SEEN = 1000;
const MAX_TRIGGERS = 200;

/**
 * The ids that have started the workflow. n8n gives every call its own copy of the static data, so
 * calls at the same moment know of each other through the process, and later ones, also after a
 * restart, through the static data.
 */
const seenByTrigger = new RecentMap<string, Set<string>>(MAX_TRIGGERS);

export class SeenIds {
	private constructor(
		private readonly staticData: IDataObject,
		private readonly inProcess: Set<string>,
	) {}

	static of(trigger: string, staticData: IDataObject): SeenIds {
		const inProcess = seenByTrigger.get(trigger) ?? new Set();
		seenByTrigger.set(trigger, inProcess);
		return new SeenIds(staticData, inProcess);
	}

	has(id: string): boolean {
		return this.inProcess.has(id) || this.saved().includes(id);
	}

	add(id: string): void {
		this.inProcess.add(id);
		// What other calls of this process added since the static data were loaded is saved as well.
		const all = new Set([...this.saved(), ...this.inProcess]);
		all.delete(id);
		this.staticData.seen = [...all, id].slice(-MAX_SEEN);
		for (const oldest of this.inProcess) {
			if (this.inProcess.size <= MAX_SEEN) break;
			this.inProcess.delete(oldest);
		}
	}

	private saved(): string[] {
		const { seen } = this.staticData;
		return Array.isArray(seen) ? seen.filter((id) => typeof id === 'string') : [];
	}
}
