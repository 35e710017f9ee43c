import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { RecentMap } from '../common/bounds';
import { isRecord, shortHash } from '../common/values';
import type { Question } from './ask';

type Response = ReturnType<IWebhookFunctions['getResponseObject']>;

/** Ids remembered for each trigger: n8n saves and loads them with every call. */
const MAX_SEEN = 10_000;
/** By chance, one id in 10^10 is taken for one that was seen. */
const HASH_LENGTH = 8;
/** Of what is remembered of all triggers, in letters. */
const MAX_MEMORY = 20_000_000;

/** The hashes of the ids that have started the workflow, newest last, each after a space. */
const seenByTrigger = new RecentMap<string, string>(MAX_MEMORY, ({ length }) => length);

/** A start that n8n has not answered yet. */
interface Start {
	/** Changes what n8n saves when it answers. */
	save(): void;
	end: Promise<void>;
}

const MAX_STARTING = 10;
const starting = new Map<string, Start>();

/**
 * The ids that have started the workflow. n8n gives every call its own copy of the static data, so
 * calls at the same moment know of each other through the process, and later ones, also after a
 * restart or in another process, through the static data.
 */
export class SeenIds {
	private constructor(
		private readonly trigger: string,
		private readonly staticData: IDataObject,
	) {}

	static of(trigger: string, staticData: IDataObject): SeenIds {
		const seen = seenByTrigger.get(trigger) ?? '';
		if (staticData.seen !== seen) {
			const known = new Set(seen.split(' '));
			const more = readSaved(staticData.seen).filter((hash) => !known.has(hash));
			if (more.length > 0) seenByTrigger.set(trigger, newestOf(seen, more));
		}
		return new SeenIds(trigger, staticData);
	}

	has(question: Question): boolean {
		return this.seen.includes(` ${hashOf(question)}`);
	}

	add(question: Question): void {
		this.save(question);
		seenByTrigger.set(this.trigger, this.including(question));
	}

	/**
	 * Adds what n8n starts the workflow with, once its answer says that it has. Where it could not, as its
	 * database is locked, that was not seen.
	 * @returns whether n8n is to answer: until then it holds a V8 isolate, so not for too many
	 */
	addWhenStarted(question: Question, response: Response): boolean {
		if (starting.size >= MAX_STARTING) {
			this.add(question);
			return false;
		}
		const save = () => this.save(question);
		save();
		// n8n 2.41 forgets that something has changed when it begins to start the workflow.
		void sleep(0).then(save);
		const name = this.nameOf(question);
		const end = new Promise<void>((resolve) => {
			// The event `finish` does not come where the sender has hung up.
			response.once('prefinish', () => {
				starting.delete(name);
				if (response.statusCode < 500) this.add(question);
				for (const other of starting.values()) other.save();
				resolve();
			});
		});
		starting.set(name, { save, end });
		return true;
	}

	/** The end of the start by another call, where there is one. */
	startOf(question: Question): Promise<void> | undefined {
		return starting.get(this.nameOf(question))?.end;
	}

	/** n8n saves it after the call. */
	private save(question: Question): void {
		this.staticData.seen = this.including(question);
	}

	private including(question: Question): string {
		return this.has(question) ? this.seen : newestOf(this.seen, [hashOf(question)]);
	}

	private get seen(): string {
		return seenByTrigger.get(this.trigger) ?? '';
	}

	private nameOf(question: Question): string {
		return `${this.trigger} ${hashOf(question)}`;
	}
}

function newestOf(seen: string, more: readonly string[]): string {
	return [seen, ...more].join(' ').slice(-MAX_SEEN * (HASH_LENGTH + 1));
}

/** Two kinds of lookups may have the same id. */
function hashOf({ id, event }: Question): string {
	// Services may ignore the case of ids and white space around them: each spelling would start it again.
	return shortHash(`${event.name} ${id.trim().toLowerCase()}`, HASH_LENGTH);
}

function readSaved(saved: unknown): string[] {
	if (typeof saved === 'string') {
		return saved.split(' ').filter(({ length }) => length === HASH_LENGTH);
	}
	// Version 0.3.0 saved what is hashed now.
	const entries: unknown[] = Array.isArray(saved) ? saved : [];
	return entries.flatMap((entry) =>
		isRecord(entry) && typeof entry.id === 'string' ? shortHash(entry.id, HASH_LENGTH) : [],
	);
}
