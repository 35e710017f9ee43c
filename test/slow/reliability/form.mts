/** `CONTACT_DATA_RELIABILITY=full`: faults of a minute. */
export const isFull = process.env.CONTACT_DATA_RELIABILITY === 'full';

export const SHORT_MS = 6_000;

/** How long a fault that passes lasts. */
export const FAULT_MS = isFull ? 60_000 : SHORT_MS;

/** Long enough for a dozen kills, and for memory that grows to show. */
const FULL_SOAK_MINUTES = 15;

/** How long the soak goes on, in minutes; `CONTACT_DATA_SOAK_MINUTES` says otherwise. */
export const SOAK_MINUTES = Number(
	process.env.CONTACT_DATA_SOAK_MINUTES ?? (isFull ? FULL_SOAK_MINUTES : 1),
);
