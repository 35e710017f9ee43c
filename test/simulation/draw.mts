import { seededRandom } from '../support/sandbox/random.mts';

/** Draws by a seed: the same seed, the same draws. */
export class Draw {
	/** In [0, 1). */
	readonly random: () => number;

	constructor(seed: number) {
		this.random = seededRandom(seed);
	}

	chance(probability: number): boolean {
		return this.random() < probability;
	}

	/** A whole number from `least` to `most`. */
	int(least: number, most: number): number {
		return least + Math.floor(this.random() * (most - least + 1));
	}

	/** Of a list that is not empty. */
	pick<T>(list: readonly T[]): T {
		return list[this.int(0, list.length - 1)] ?? list[0];
	}
}
