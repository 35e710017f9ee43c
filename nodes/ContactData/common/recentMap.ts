/** A map that forgets the entry set longest ago, so that a process's memory stays bounded. */
export class RecentMap<Key, Value> extends Map<Key, Value> {
	constructor(private readonly limit: number) {
		super();
	}

	override set(key: Key, value: Value): this {
		this.delete(key);
		super.set(key, value);
		for (const oldest of this.keys()) {
			if (this.size <= this.limit) break;
			this.delete(oldest);
		}
		return this;
	}
}
