import type { IDataObject } from 'n8n-workflow';
import { monotonicMs } from '../common/clock';
import { RecentMap } from '../common/recentMap';

/** As long as a batch is waited for by default. */
const KEPT_MS = 7_200_000;
/** In bytes: thousands of single searches, or 200 of the largest batches. */
const MAX_KEPT = 10_000_000;
/** Of an entry in memory, besides what it says. */
const BYTES_OF_ENTRY = 1_000;

interface Kept {
	tool: string;
	key: string;
	entry: IDataObject;
	at: number;
}

const kept = new RecentMap<string, Kept>(
	MAX_KEPT,
	({ entry }) => BYTES_OF_ENTRY + JSON.stringify(entry).length,
);

/**
 * What the calls of a tool have paid for, or may have, until one of them gives its result; as in
 * their receipts. The next call may be of another execution, without those: each call of an MCP client
 * is one, and each turn of a chat. A model that asks again for what was not there in time would pay
 * for it again. It is kept in this process, for two hours.
 */
export class UnheardOf {
	/** @param tool names the account and the tool */
	constructor(private readonly tool: string) {}

	keep(key: string, entry: IDataObject): void {
		kept.set(this.nameOf(key), { tool: this.tool, key, entry, at: monotonicMs() });
	}

	forget(key: string): void {
		kept.delete(this.nameOf(key));
	}

	get(key: string): IDataObject | undefined {
		return this.ofNow(kept.get(this.nameOf(key)))?.entry;
	}

	list(): Array<[key: string, entry: IDataObject]> {
		return [...kept.values()]
			.filter(({ tool }) => tool === this.tool)
			.flatMap((one) => this.ofNow(one) ?? [])
			.map(({ key, entry }) => [key, entry]);
	}

	private ofNow(one: Kept | undefined): Kept | undefined {
		return one !== undefined && monotonicMs() - one.at < KEPT_MS ? one : undefined;
	}

	private nameOf(key: string): string {
		return `${this.tool} ${key}`;
	}
}
