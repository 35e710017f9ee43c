import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';
import { RecentMap } from '../common/bounds';
import { ensureError } from '../common/errors';
import { DAY_S, endAfter, epochSeconds, monotonicMs } from '../common/time';
import { asNumber, asText, excerpt, groupBy } from '../common/values';
import { byId, runDataTable, where } from './dataTable';

const EVENTS = ['leaving', 'accepted', 'refused', 'unknown', 'lost', 'refunded'] as const;

/** What has become of an order; the fields are columns of the table. */
export interface MemoryRow {
	/** The path to which it was sent, such as `/email/find/bulk`. */
	kind: string;
	event: (typeof EVENTS)[number];
	/** Empty where there is none. */
	search_id: string;
	/** The hashes of its searches, one after another. */
	searches: string;
	/** Charged, or the usual price where nobody knows; or given back. */
	credits: number;
	execution: string;
}

/** A row that was read. */
export interface PastRow extends MemoryRow {
	/** Seconds since 1970. */
	at: number;
}

const TABLE = 'contact_data_searches';
const column = ['account', 'kind', 'event', 'search_id', 'searches', 'credits', 'execution'].map(
	(name) => ({ name, type: name === 'credits' ? 'number' : 'string' }),
);

const PRUNE_EVERY_MS = 3_600_000;
/** In a run, for all calls that are slow. */
const MAX_WAIT_S = 10;
/** The rest of the time is for what the run itself has to write. */
const MAX_READ_S = 7;
const SLOW_MS = 1_000;
/** More take n8n several queries, and it fails where a row is added between them. */
const PAGE_ROWS = 1_000;
/** A database may show a row after one that was written later, but not by so much. */
const SETTLES_S = 10;

/** What this process has read of one account in one table. */
interface Reading {
	/** The ID of a row: it and all before it were read. */
	upTo: number;
	/** The IDs of those behind it that were read, or written by this process. */
	beyond: Set<number>;
	/** By the monotonic clock. */
	prunedAtMs: number;
}

const readings = new RecentMap<string, Reading>(1_000);
/** The ID of the table by that of the workflow: each project of n8n has a table of its own. */
const tables = new RecentMap<string, string>(1_000);

/**
 * The log of what all processes have sent, in a Data Table of n8n, for one run. Nothing throws, as no run
 * fails for its memory: `problem` tells what went wrong.
 */
export class MemoryTable {
	/** What is said of the table, after its name. */
	problem?: string;
	private waitedMs = 0;
	private readonly account: string;

	/** @param days how old a row may be; older ones are deleted */
	constructor(
		private readonly context: IExecuteFunctions,
		fingerprint: string,
		private readonly days: number,
	) {
		this.account = fingerprint.slice(0, 12);
	}

	/** What was read before is known no more. */
	readAnew(): void {
		for (const name of readings.keys()) if (name.endsWith(this.account)) readings.delete(name);
	}

	/**
	 * Gives each row that no run of this process has read or written, in their order. Each page is given at once,
	 * as a run that reads at the same time does not get it again.
	 */
	async readNew(take: (row: PastRow) => void): Promise<void> {
		await this.attempt(async (table, end) => {
			const reading = this.readingOf(table);
			const endsAt = monotonicMs() + 1000 * MAX_READ_S;
			let last = reading.upTo;
			let page: IDataObject[];
			do {
				const newer = last > 0 ? where('id', 'gt', last) : where('createdAt', 'gt', this.oldest);
				page = await runDataTable(this.context, 'get', {
					...this.rowsOf(table, newer),
					limit: PAGE_ROWS,
					orderBy: true,
					orderByColumn: 'id',
					orderByDirection: 'ASC',
				});
				// The run has gone on without them.
				if (end.aborted) return;
				for (const row of unreadOf(reading, page).flatMap(toPastRows)) take(row);
				last = idOf(page.at(-1));
			} while (page.length === PAGE_ROWS && monotonicMs() < endsAt);
			if (page.length === PAGE_ROWS) {
				this.problem ??= `was not read to its end within ${MAX_READ_S} s: this run may have paid for searches that were paid before. The next run reads on.`;
			}
		});
	}

	/** Writes rows at once. */
	async append(rows: readonly MemoryRow[]): Promise<void> {
		if (rows.length === 0) return;
		const items = toTableRows(rows).map((row) => ({ account: this.account, ...row }));
		await this.attempt(async (table) => {
			const columns = { mappingMode: 'autoMapInputData', value: null };
			const written = await runDataTable(
				this.context,
				'insert',
				{ dataTableId: byId(table), columns },
				items,
			);
			for (const row of written) this.readingOf(table).beyond.add(idOf(row));
		});
	}

	/** Deletes old rows, once an hour at most. */
	async prune(): Promise<void> {
		await this.attempt(async (table) => {
			const reading = this.readingOf(table);
			if (monotonicMs() - reading.prunedAtMs < PRUNE_EVERY_MS) return;
			reading.prunedAtMs = monotonicMs();
			await runDataTable(
				this.context,
				'deleteRows',
				this.rowsOf(table, where('createdAt', 'lt', this.oldest)),
			);
		});
	}

	/** Tries it twice, as the table may have been deleted. */
	private async attempt(work: (table: string, end: AbortSignal) => Promise<void>): Promise<void> {
		const leftMs = 1000 * MAX_WAIT_S - this.waitedMs;
		if (leftMs <= 0) return;
		const end = endAfter(leftMs);
		const late = new Promise<never>((_, reject) => {
			const fail = () => reject(new Error(`no answer within ${MAX_WAIT_S} s`));
			end.addEventListener('abort', fail);
		});
		for (let tries = 1; tries <= 2 && !end.aborted; tries++) {
			const sinceMs = monotonicMs();
			try {
				await Promise.race([this.findTable().then(async (table) => await work(table, end)), late]);
				return;
			} catch (error) {
				tables.delete(this.workflowId);
				if (tries === 1 && !end.aborted) continue;
				const reason = excerpt(ensureError(error).message, 200);
				this.problem ??= `could not be used (${reason}): what was paid is known in this n8n process alone.`;
			} finally {
				const tookMs = monotonicMs() - sinceMs;
				if (tookMs >= SLOW_MS) this.waitedMs += tookMs;
			}
		}
	}

	/** The ID of the table, which is made where there is none. */
	private async findTable(): Promise<string> {
		const known = tables.get(this.workflowId);
		if (known !== undefined) return known;
		// n8n also lists tables whose names only begin like this.
		const options = { filterName: TABLE };
		const listed = await runDataTable(this.context, 'list', {
			resource: 'table',
			returnAll: true,
			options,
		});
		let [found] = listed.filter(({ name }) => name === TABLE);
		const definition = { resource: 'table', tableName: TABLE, columns: { column } };
		found ??= (await runDataTable(this.context, 'create', definition))[0];
		const id = asText(found?.id);
		if (id === undefined) throw new Error('it cannot be made');
		tables.set(this.workflowId, id);
		return id;
	}

	/** Those of the account. */
	private rowsOf(table: string, condition: INodeParameters): INodeParameters {
		const conditions = [where('account', 'eq', this.account), condition];
		return { dataTableId: byId(table), matchType: 'allConditions', filters: { conditions } };
	}

	private readingOf(table: string): Reading {
		const name = `${table} ${this.account}`;
		const reading = readings.get(name) ?? { upTo: 0, beyond: new Set(), prunedAtMs: -Infinity };
		readings.set(name, reading);
		return reading;
	}

	private get workflowId(): string {
		return this.context.getWorkflow().id ?? '';
	}

	private get oldest(): string {
		return new Date(1000 * (epochSeconds() - this.days * DAY_S)).toISOString();
	}
}

function idOf(row: IDataObject | undefined): number {
	return asNumber(row?.id) ?? 0;
}

function secondsOf({ createdAt }: IDataObject): number {
	return Math.floor(Date.parse(asText(createdAt) ?? '') / 1000);
}

/** Those of some rows, in the order of their IDs, that this process has not seen. It has then. */
function unreadOf(reading: Reading, rows: readonly IDataObject[]): IDataObject[] {
	const { beyond } = reading;
	// Another run of the process may have read them at the same time.
	const unread = rows.filter((row) => idOf(row) > reading.upTo && !beyond.has(idOf(row)));
	const newest = rows.at(-1);
	for (const row of rows) {
		beyond.add(idOf(row));
		if (newest && secondsOf(row) < secondsOf(newest) - SETTLES_S) reading.upTo = idOf(row);
	}
	for (const id of beyond) if (id <= reading.upTo) beyond.delete(id);
	return unread;
}

/** Of orders that differ by their ID and searches alone, one row with a line for each: n8n is slow by the row. */
function toTableRows(rows: readonly MemoryRow[]): IDataObject[] {
	const alike = groupBy(rows, ({ kind, event, credits, execution }) =>
		JSON.stringify([kind, event, credits, execution]),
	);
	return alike.map((group) => ({
		...group[0],
		search_id: group.map((row) => row.search_id).join('\n'),
		searches: group.map((row) => row.searches).join('\n'),
	}));
}

/** The orders in a row of the table; none where it is not ours. */
function toPastRows(row: IDataObject): PastRow[] {
	const { kind, search_id: ids, searches, credits, execution } = row;
	const event = EVENTS.find((one) => one === row.event);
	if (event === undefined || typeof ids !== 'string' || typeof searches !== 'string') return [];
	const hashes = searches.split('\n');
	return ids.split('\n').map((id, n) => ({
		kind: asText(kind) ?? '',
		event,
		search_id: id,
		searches: hashes[n] ?? '',
		credits: asNumber(credits) ?? 0,
		execution: asText(execution) ?? '',
		at: secondsOf(row),
	}));
}
