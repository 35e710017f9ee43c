// One seed for all that tests draw, so that a run can be repeated: always the same one, or what the
// environment says. `CONTACT_DATA_SEED=random` draws one and prints it; a number is the seed itself.
import { randomInt } from 'node:crypto';

const VARIABLE = 'CONTACT_DATA_SEED';
const FIXED_SEED = 1;
/** fast-check takes 32 bits. */
const MOST = 2 ** 31;

/** For `env` in a configuration of vitest: there it is drawn once, for all processes of the run. */
export function seedEnvironment(): Record<string, string> {
	const wanted = process.env[VARIABLE] ?? FIXED_SEED;
	const seed = wanted === 'random' ? randomInt(MOST) : Number(wanted);
	if (!Number.isInteger(seed) || seed < 0 || seed >= MOST) {
		throw new Error(`${VARIABLE} is a whole number below ${MOST}, or "random", not "${wanted}"`);
	}
	if (wanted === 'random') console.log(`${VARIABLE}=${seed}`);
	// A configuration that comes after this one gets the same.
	process.env[VARIABLE] = String(seed);
	return { [VARIABLE]: String(seed) };
}

/** In a test: the seed of this run. */
export function seed(): number {
	return Number(process.env[VARIABLE] ?? FIXED_SEED);
}
