import type { EndedFate } from '../service/state';
import type { LookSource } from '../waiting/look';
import { lookAt, MAX_CONCURRENT_READS } from '../waiting/look';
import { CALLBACK_PATIENCE_MS } from './schedule';

/**
 * Reads some of the lookups that may still run, and more of them each time that all of those are
 * finished, so that reads in vain stay fewer than those that bring a result.
 * @param finished gets what is seen to be finished, by id
 * @returns `unsure` where the service could not be asked
 */
export async function readUnfinished(
	source: LookSource,
	ids: string[],
	finished: Map<string, EndedFate>,
): Promise<'finished' | 'ongoing' | 'unsure'> {
	let from = 0;
	for (let count = 1; from < ids.length; count = Math.min(2 * count, MAX_CONCURRENT_READS)) {
		let ongoing = 0;
		let faults = 0;
		const next = ids.slice(from, (from += count));
		await Promise.all(
			next.map(async (id) => {
				const reading = await lookAt(source, id, CALLBACK_PATIENCE_MS[source.size]);
				if (reading.kind === 'ongoing') ongoing++;
				else if (reading.kind === 'fault') faults++;
				else finished.set(id, reading);
			}),
		);
		if (faults > 0) return 'unsure';
		if (ongoing > 0) return 'ongoing';
	}
	return 'finished';
}
