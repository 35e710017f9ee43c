import type { IDataObject } from 'n8n-workflow';
import { RecentMap } from '../common/bounds';
import { asText, shortHash } from '../common/values';
import type { Question } from './ask';

/** Ids remembered for each trigger: n8n saves and loads them with every call. */
const MAX_SEEN = 10_000;
/** By chance, one id in 10^10 is taken for one that was seen. */
const HASH_LENGTH = 8;
/** Of what is remembered of all triggers, in letters. */
const MAX_MEMORY = 20_000_000;

/** The hashes of the ids that have started the workflow, newest last, each after a space. */
const seenByTrigger = new RecentMap<string, string>(MAX_MEMORY, ({ length }) => length);

/**
 * The ids that have started the workflow. n8n gives every call its own copy of the static data, so
 * calls at the same moment know of each other through the process, and later ones, also after a
 * restart or in another process, through the static data.
 */
export class SeenIds {
	constructor(
		private readonly trigger: string,
		private readonly staticData: IDataObject,
	) {
		const saved = (asText(staticData.seen) ?? '').split(' ');
		const here = new Set(this.seen.split(' '));
		const more = saved.filter((hash) => hash.length === HASH_LENGTH && !here.has(hash));
		if (more.length > 0) this.keep([this.seen, ...more].join(' '));
	}

	has(question: Question): boolean {
		return this.seen.includes(` ${hashOf(question)}`);
	}

	/** Before the workflow starts, so that a second notification at the same moment does not start it. */
	add(question: Question): void {
		if (!this.has(question)) this.keep(`${this.seen} ${hashOf(question)}`);
		this.staticData.seen = this.seen;
	}

	/** n8n could not start the workflow. */
	remove(question: Question): void {
		this.keep(this.seen.replace(` ${hashOf(question)}`, ''));
		this.staticData.seen = this.seen;
	}

	private get seen(): string {
		return seenByTrigger.get(this.trigger) ?? '';
	}

	private keep(hashes: string): void {
		seenByTrigger.set(this.trigger, hashes.slice(-MAX_SEEN * (HASH_LENGTH + 1)));
	}
}

/** Two kinds of lookups may have the same id. */
function hashOf({ id, event }: Question): string {
	// Services may ignore the case of ids and white space around them: each spelling would start it again.
	return shortHash(`${event.name} ${id.trim().toLowerCase()}`, HASH_LENGTH);
}
