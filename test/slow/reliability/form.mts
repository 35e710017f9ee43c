/** `CONTACT_DATA_RELIABILITY=full`: faults of a minute, and the results are written to RESULTS.md. */
export const isFull = process.env.CONTACT_DATA_RELIABILITY === 'full';

export const SHORT_MS = 6_000;

/** How long a fault that passes lasts. */
export const FAULT_MS = isFull ? 60_000 : SHORT_MS;

/** How long the soak goes on, in minutes; `CONTACT_DATA_SOAK_MINUTES` says otherwise. */
export const SOAK_MINUTES = Number(process.env.CONTACT_DATA_SOAK_MINUTES ?? (isFull ? 60 : 1));
