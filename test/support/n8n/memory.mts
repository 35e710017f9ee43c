import { setTimeout as delay } from 'node:timers/promises';

import type { N8n } from './n8n.mts';

const LOOK_MS = 50;
const SETTLE_MS = 3_000;

/** Bytes of n8n's process: at rest, and at most while `work` ran (looked at 20 times a second). */
export async function memoryDuring<T>(
	n8n: Pick<N8n, 'memory'>,
	work: () => Promise<T>,
): Promise<{ idle: number; peak: number; result: T }> {
	await delay(SETTLE_MS);
	const idle = await n8n.memory();
	let peak = idle;
	const over = new AbortController();
	const watching = (async () => {
		while (!over.signal.aborted) {
			// It is gone where the work failed.
			peak = Math.max(peak, await n8n.memory().catch(() => 0));
			await delay(LOOK_MS);
		}
	})();
	const result = await work().finally(() => over.abort());
	await watching;
	return { idle, peak, result };
}
