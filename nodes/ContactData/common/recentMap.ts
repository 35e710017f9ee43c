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

	/** What is larger than the limit is not kept, and drives out nothing. */
	override set(key: Key, value: Value): this {
		this.delete(key);
		const size = this.sizeOf(value);
		if (size > this.limit) return this;
		super.set(key, value);
		this.total += size;
		for (const oldest of this.keys()) {
			if (this.total <= this.limit) break;
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

	override clear(): void {
		super.clear();
		this.total = 0;
	}
}
