import { sleepUnlessAborted } from '../common/time';
import type { MemoryRow } from '../run/memoryTable';
import type { Run } from '../run/run';
import type { Order } from './order';
import { presumedCostOf } from './prices';
import { hashesIn } from './receipts';

const MAX_IDS_IN_A_LINE = 10;
const MAX_UNWRITTEN_MS = 1_000;

/**
 * Writes down what was paid for, soon after it is: the ids into n8n's log, which has them where n8n is killed or
 * an agent fails; and rows into the table, where there is one, for other processes and for after a restart.
 */
export class Journal {
	private ids: string[] = [];
	private rows: MemoryRow[] = [];
	private readonly announced = new WeakSet<Order>();
	private waiting = new AbortController();
	/** Ends when the table has all that was written so far. */
	private written = Promise.resolve();

	constructor(
		private readonly run: Pick<Run, 'settings' | 'connection' | 'logger' | 'saved' | 'table'>,
	) {
		this.waiting.abort();
	}

	/** Before a batch leaves: after a crash it is known that it may have been charged. */
	async announce(order: Order): Promise<void> {
		const { table } = this.run;
		if (table === undefined || order.size === 'single' || this.announced.has(order)) return;
		this.announced.add(order);
		this.rows.push(this.rowOf('leaving', { ...order, fate: { kind: 'sending' } }));
		// Behind what became of an order before it: it may be of the same searches.
		this.write();
		await this.written;
	}

	/** What has become of an order. */
	add(order: Order): void {
		const { fate, size } = order;
		if ('id' in fate) this.ids.push(fate.id);
		if ('id' in fate) this.rows.push(this.rowOf('accepted', order));
		else if (fate.kind === 'unknown') this.rows.push(this.rowOf('unknown', order));
		else if (this.announced.has(order)) this.rows.push(this.rowOf('refused', order));
		if (size === 'bulk' || this.ids.length >= MAX_IDS_IN_A_LINE) this.write();
		else if (this.ids.length + this.rows.length > 0) this.writeSoon();
	}

	private writeSoon(): void {
		if (!this.waiting.signal.aborted) return;
		this.waiting = new AbortController();
		const { signal } = this.waiting;
		void sleepUnlessAborted(MAX_UNWRITTEN_MS, signal).then((isOver) => isOver && this.write());
	}

	private write(): void {
		const { logger, saved, table } = this.run;
		const { ids, rows } = this;
		this.waiting.abort();
		[this.ids, this.rows] = [[], []];
		if (ids.length > 0) {
			logger.info(`Started and paid for in execution ${saved.executionId}: ${ids.join(', ')}`);
		}
		if (table !== undefined) this.written = this.written.then(async () => await table.append(rows));
	}

	/** Writes the rest; never throws. */
	async close(): Promise<void> {
		this.write();
		await this.written;
		await this.run.table?.prune();
	}

	private rowOf(event: MemoryRow['event'], order: Order): MemoryRow {
		const { connection, settings } = this.run;
		return rowOf(
			this.run,
			event,
			order,
			presumedCostOf(connection.account, settings.lookup, order),
		);
	}
}

/** A row of the table. @param credits charged, as far as that is known, or given back */
export function rowOf(
	{ settings, saved }: Pick<Run, 'settings' | 'saved'>,
	event: MemoryRow['event'],
	{ size, entries, fate }: Order,
	credits: number,
): MemoryRow {
	return {
		kind: `${settings.lookup.path}/${size}`,
		event,
		search_id: 'id' in fate ? fate.id : '',
		searches: hashesIn(entries),
		credits,
		execution: saved.executionId,
	};
}
