import type { IDataObject } from 'n8n-workflow';
import type { Problem } from '../common/errors';
import { asNumber } from '../common/values';
import type { Size } from '../lookups/types';
import type { Fate } from './order';

/** Submissions of unknown fate in an execution after which nothing more is sent. */
const MAX_UNKNOWN: Record<Size, number> = { single: 3, bulk: 1 };

/** In what n8n saves with the execution. */
const NAMES: Record<Size, string> = {
	single: 'contactDataUnknownSingles',
	bulk: 'contactDataUnknownBatches',
};

/**
 * Ends the spending where the answers of the service are lost: each search may be charged then, and
 * its result cannot be had. It counts over the whole execution, whose other nodes, turns of a loop and
 * retries meet the same service.
 */
export class Brake {
	private hasAccepted = false;

	/** @param flow what n8n saves with the execution, of all its nodes */
	constructor(
		private readonly flow: IDataObject,
		private readonly size: Size,
	) {}

	/** How many submissions may leave now: one alone, until the service is seen to accept any. */
	get room(): number {
		return this.hasAccepted ? Infinity : 1;
	}

	/** Why nothing more is sent; `undefined` while something may be. */
	get problem(): Problem | undefined {
		const singles = this.count('single');
		const isOfBatch = this.count('bulk') >= MAX_UNKNOWN.bulk;
		if (!isOfBatch && singles < MAX_UNKNOWN.single) return undefined;
		const before = isOfBatch ? 'a batch before it was' : `${singles} searches before it were`;
		return {
			message: `Not started, because nobody knows whether ${before} charged`,
			description:
				'Nothing was charged for this item. The answers of the service are lost, so no retry of this execution starts anything more: check the usage of your account, and ask the provider.',
			next: 'stop',
		};
	}

	/** Notes what became of a submission. */
	note(fate: Fate): void {
		if ('id' in fate) this.hasAccepted = true;
		if (fate.kind === 'unknown') this.flow[NAMES[this.size]] = this.count(this.size) + 1;
	}

	private count(size: Size): number {
		return asNumber(this.flow[NAMES[size]]) ?? 0;
	}
}
