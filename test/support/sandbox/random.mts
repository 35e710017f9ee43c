/** A stable 32-bit hash of a text (FNV-1a with a final mix): the same on every machine and run. */
export function hash32(text: string): number {
	let hash = 0x811c9dc5;
	for (let position = 0; position < text.length; position++) {
		hash = Math.imul(hash ^ text.charCodeAt(position), 0x01000193);
	}
	hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
	hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
	return (hash ^ (hash >>> 16)) >>> 0;
}

/** 32 hexadecimal digits in the form of a UUID. */
export function toUuid(digits: string): string {
	return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-a$4-');
}

/** A seeded generator of numbers in [0, 1) (mulberry32). */
export function seededRandom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
	};
}

/** A copy in an order that depends on the seed alone. */
export function shuffled<T>(items: readonly T[], seed: number): T[] {
	const random = seededRandom(seed);
	return items
		.map((item) => ({ item, place: random() }))
		.sort((one, other) => one.place - other.place)
		.map(({ item }) => item);
}
