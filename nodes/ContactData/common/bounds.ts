/** Runs `work` over the list in order, at most `limit` at the same time; where one throws, all that has begun ends first. */
export async function forEachConcurrently<T>(
	limit: number,
	list: readonly T[],
	work: (entry: T, index: number) => Promise<void>,
): Promise<void> {
	const entries = list.entries();
	const worker = async () => {
		for (const [index, entry] of entries) await work(entry, index);
	};
	const workers = Array.from({ length: Math.min(limit, list.length) }, worker);
	await Promise.allSettled(workers);
	await Promise.all(workers);
}

/** Runs what it is given, at most `limit` at the same time; the others wait in their order. */
export function inTurns(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
	const waiting: Array<() => void> = [];
	let running = 0;
	return async (work) => {
		if (running < limit) running++;
		else await new Promise<void>((resolve) => waiting.push(resolve));
		try {
			return await work();
		} finally {
			const next = waiting.shift();
			if (next === undefined) running--;
			else next();
		}
	};
}

/** How much of a full map is given up at once. */
const SPARE = 0.01;

/** A map that forgets the entries set longest ago, so that a process's memory stays bounded. */
export class RecentMap<Key, Value extends string | number | object> extends Map<Key, Value> {
	private total = 0;

	/**
	 * @param limit of all sizes together
	 * @param sizeOf an entry; each counts as one where it is left out
	 */
	constructor(
		private readonly limit: number,
		private readonly sizeOf: (value: Value) => number = () => 1,
	) {
		super();
	}

	/** An entry larger than the limit is not stored, and evicts nothing. */
	override set(key: Key, value: Value): this {
		this.delete(key);
		const size = this.sizeOf(value);
		if (size > this.limit) return this;
		super.set(key, value);
		this.total += size;
		if (this.total <= this.limit) return this;
		// Some at once: a map looks for its oldest entry among those that it has deleted of late.
		const most = this.limit - Math.floor(this.limit * SPARE);
		for (const oldest of this.keys()) {
			if (this.total <= most) break;
			this.delete(oldest);
		}
		return this;
	}

	override delete(key: Key): boolean {
		const value = this.get(key);
		if (!super.delete(key)) return false;
		if (value !== undefined) this.total -= this.sizeOf(value);
		return true;
	}
}

/** The answer to one call too many. */
export const TOO_MANY_CALLS = 'Too many notifications at once';

/** The leave to follow up one call, until it is released. */
export interface Permit {
	release(): void;
}

/**
 * Bounds the calls that are followed up, or wait for that: until its answer n8n holds a V8 isolate of some
 * 10 MB for each, and what it brings.
 */
export class CallLimit {
	private readonly underWay = new Map<string, number>();
	private inProcess = 0;
	private bytes = 0;

	/** @param most at the same time: for one of what is called, for all of them in this process, and what these bring */
	constructor(private readonly most: { ofOne: number; inProcess: number; bytes?: number }) {}

	/** @returns `undefined` where it is one too many */
	begin(name: string, bytes = 0): Permit | undefined {
		const { most } = this;
		const ofOne = (this.underWay.get(name) ?? 0) + 1;
		if (ofOne > most.ofOne || this.inProcess >= most.inProcess) return undefined;
		// One alone may bring more.
		const isTooLarge = this.bytes + bytes > (most.bytes ?? Infinity);
		if (isTooLarge && this.bytes > 0) return undefined;
		this.underWay.set(name, ofOne);
		this.inProcess++;
		this.bytes += bytes;
		return { release: () => this.release(name, bytes) };
	}

	private release(name: string, bytes: number): void {
		const left = (this.underWay.get(name) ?? 0) - 1;
		if (left > 0) this.underWay.set(name, left);
		else this.underWay.delete(name);
		this.inProcess--;
		this.bytes -= bytes;
	}
}
