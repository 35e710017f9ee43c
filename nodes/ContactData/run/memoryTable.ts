import type { IDataObject, IExecuteFunctions, INodeParameters, IWorkflowBase } from 'n8n-workflow';
import { RecentMap } from '../common/bounds';
import { ensureError } from '../common/errors';
import { endAfter, epochSeconds, monotonicMs } from '../common/time';
import { asNumber, asText, excerpt, groupBy } from '../common/values';

const EVENTS = ['leaving', 'accepted', 'refused', 'unknown', 'lost', 'refunded'] as const;

/** What has become of an order; the fields are the columns of the table. */
export interface MemoryRow {
	/** The path to which it was sent, such as `/email/find/bulk`. */
	kind: string;
	event: (typeof EVENTS)[number];
	/** Empty where there is none. */
	search_id: string;
	/** The hashes of its searches, one after another. */
	searches: string;
	/** Charged, or given back; `null` where nobody knows. */
	credits: number | null;
	execution: string;
}

/** A row that was read. */
export interface PastRow extends MemoryRow {
	/** Seconds since 1970. */
	at: number;
}

const TABLE = 'contact_data_searches';
const TEXT_COLUMNS = ['account', 'kind', 'event', 'search_id', 'searches', 'execution'];
const TABLE_TO_MAKE = {
	resource: 'table',
	tableName: TABLE,
	columns: {
		column: [
			...TEXT_COLUMNS.map((name) => ({ name, type: 'string' })),
			{ name: 'credits', type: 'number' },
		],
	},
};

const DAY_S = 86_400;
const PRUNE_EVERY_MS = 3_600_000;
const MAX_WAIT_S = 10;
/** Where it takes n8n two queries, it gives none if a row was added between them. */
const ROWS_IN_A_QUERY = 1_000;
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
 * The log of what all processes have sent, as one run sees it: a Data Table. n8n opens those to its own node
 * alone, which is run in a workflow that nobody sees. Nothing throws; `problem` tells what has gone wrong.
 */
export class MemoryTable {
	problem?: string;
	private isHanging = false;
	private readonly account: string;

	/** @param days how old a row may be; older ones are deleted */
	constructor(
		private readonly context: IExecuteFunctions,
		fingerprint: string,
		private readonly days: number,
	) {
		this.account = fingerprint.slice(0, 12);
	}

	/** Rows that no run of this process has read or written, in their order. */
	async readNew(): Promise<PastRow[]> {
		const found = await this.attempt(async (table) => {
			const reading = this.readingOf(table);
			const rows: IDataObject[] = [];
			for (let last = reading.upTo; ; last = idOf(rows.at(-1))) {
				const newer = last > 0 ? where('id', 'gt', last) : where('createdAt', 'gt', this.oldest);
				const page = await this.run('get', {
					...this.rowsOf(table, newer),
					limit: ROWS_IN_A_QUERY,
					orderBy: true,
					orderByColumn: 'id',
					orderByDirection: 'ASC',
				});
				for (const row of page) rows.push(row);
				if (page.length < ROWS_IN_A_QUERY) return { reading, rows };
			}
		});
		return found === undefined ? [] : newIn(found.reading, found.rows).flatMap(toPastRows);
	}

	/** Writes rows, in this order but for equal ones, which become one. */
	async append(rows: readonly MemoryRow[]): Promise<void> {
		if (rows.length === 0) return;
		const items = toTableRows(rows).map((row) => ({ account: this.account, ...row }));
		await this.attempt(async (table) => {
			const columns = { mappingMode: 'autoMapInputData', value: null };
			const written = await this.run('insert', { dataTableId: byId(table), columns }, items);
			for (const row of written) this.readingOf(table).beyond.add(idOf(row));
		});
	}

	/** Deletes old rows, at most once an hour. */
	async prune(): Promise<void> {
		await this.attempt(async (table) => {
			const reading = this.readingOf(table);
			if (monotonicMs() - reading.prunedAtMs < PRUNE_EVERY_MS) return;
			reading.prunedAtMs = monotonicMs();
			await this.run('deleteRows', this.rowsOf(table, where('createdAt', 'lt', this.oldest)));
		});
	}

	/** Tries it twice: where somebody has deleted the table, it is made anew. */
	private async attempt<T>(work: (table: string) => Promise<T>): Promise<T | undefined> {
		const end = endAfter(1000 * MAX_WAIT_S);
		const late = new Promise<never>((_, reject) => {
			const tooLate = () => reject(new Error(`it did not answer within ${MAX_WAIT_S} s`));
			end.addEventListener('abort', tooLate);
		});
		for (let tries = 1; tries <= 2 && !this.isHanging; tries++) {
			try {
				return await Promise.race([this.findTable().then(work), late]);
			} catch (error) {
				tables.delete(this.workflowId);
				this.isHanging = end.aborted;
				if (tries === 2 || end.aborted) this.problem ??= excerpt(ensureError(error).message, 200);
			}
		}
		return undefined;
	}

	/** The ID of the table, which is made where there is none. */
	private async findTable(): Promise<string> {
		const known = tables.get(this.workflowId);
		if (known !== undefined) return known;
		// n8n also lists others with this name in theirs.
		const options = { filterName: TABLE };
		const listed = await this.run('list', { resource: 'table', returnAll: true, options });
		const found = listed.filter(({ name }) => name === TABLE);
		const [table] = found.length > 0 ? found : await this.run('create', TABLE_TO_MAKE);
		const id = asText(table?.id);
		if (id === undefined) throw new Error('n8n tells no ID of it');
		tables.set(this.workflowId, id);
		return id;
	}

	/** Runs one operation of n8n's Data Table node. */
	private async run(
		operation: string,
		parameters: INodeParameters,
		items: IDataObject[] = [{}],
	): Promise<IDataObject[]> {
		const code = workflowOf(this.workflowId, { resource: 'row', operation, ...parameters });
		const given = items.map((json) => ({ json }));
		const { data } = await this.context.executeWorkflow({ code }, given);
		return (data[0] ?? []).map(({ json }) => json);
	}

	/** Rows of this account. */
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

/** A workflow of one Data Table node. n8n keeps nothing of its executions. */
function workflowOf(id: string, parameters: INodeParameters): IWorkflowBase {
	const now = new Date();
	const node = (name: string, type: string, typeVersion: number, of: INodeParameters) => {
		return {
			id: name,
			name,
			type,
			typeVersion,
			position: [0, 0] as [number, number],
			parameters: of,
		};
	};
	return {
		// The table is in the project of this one.
		id,
		name: TABLE,
		active: false,
		activeVersionId: null,
		isArchived: false,
		createdAt: now,
		updatedAt: now,
		nodes: [
			node('Start', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }),
			// n8n gives one item more where the node has none.
			{ ...node('Table', 'n8n-nodes-base.dataTable', 1.1, parameters), alwaysOutputData: true },
		],
		connections: { Start: { main: [[{ node: 'Table', type: 'main', index: 0 }]] } },
		settings: {
			executionOrder: 'v1',
			callerPolicy: 'any',
			saveDataSuccessExecution: 'none',
			saveDataErrorExecution: 'none',
		},
	};
}

function byId(value: string): INodeParameters {
	return { __rl: true, mode: 'id', value };
}

function where(keyName: string, condition: 'eq' | 'gt' | 'lt', keyValue: string | number) {
	return { keyName, condition, keyValue };
}

function idOf(row: IDataObject | undefined): number {
	return asNumber(row?.id) ?? 0;
}

function secondsOf({ createdAt }: IDataObject): number {
	return Date.parse(asText(createdAt) ?? '') / 1000;
}

/** Those that were not read before, which is noted. */
function newIn(reading: Reading, rows: readonly IDataObject[]): IDataObject[] {
	const { beyond } = reading;
	const unread = rows.filter((row) => idOf(row) > reading.upTo && !beyond.has(idOf(row)));
	const settledAt = secondsOf(rows.at(-1) ?? {}) - SETTLES_S;
	for (const row of rows) {
		beyond.add(idOf(row));
		if (secondsOf(row) <= settledAt) reading.upTo = idOf(row);
	}
	for (const id of beyond) if (id <= reading.upTo) beyond.delete(id);
	return unread;
}

/** Those of equal events in one, their ids and searches line by line: n8n takes its time for each row. */
function toTableRows(rows: readonly MemoryRow[]): IDataObject[] {
	const eventOf = ({ kind, event, credits, execution }: MemoryRow) =>
		JSON.stringify([kind, event, credits, execution]);
	return groupBy(rows, eventOf).map((same) => ({
		...same[0],
		search_id: same.map(({ search_id: id }) => id).join('\n'),
		searches: same.map(({ searches }) => searches).join('\n'),
	}));
}

/** What a row tells; nothing where it is not ours. */
function toPastRows(row: IDataObject): PastRow[] {
	const { kind, search_id: ids, searches, execution } = row;
	const event = EVENTS.find((one) => one === row.event);
	const at = secondsOf(row);
	if (event === undefined || typeof kind !== 'string' || Number.isNaN(at)) return [];
	const names = String(searches ?? '').split('\n');
	return String(ids ?? '')
		.split('\n')
		.map((id, n) => ({
			kind,
			event,
			search_id: id,
			searches: names[n] ?? '',
			credits: asNumber(row.credits) ?? null,
			execution: asText(execution) ?? '',
			at,
		}));
}
