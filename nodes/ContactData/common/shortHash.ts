import { createHash } from 'crypto';

/** A name for a value: equal JSON has an equal one. `length` of up to 43 characters is its strength. */
export function shortHash(value: unknown, length: number): string {
	return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, length);
}
