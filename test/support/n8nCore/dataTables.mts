import type { IDataObject, IExecuteWorkflowInfo, INodeExecutionData } from 'n8n-workflow';

type Row = IDataObject & { id: number; createdAt: string };

interface Condition {
	keyName: string;
	condition: 'eq' | 'gt' | 'lt';
	keyValue: string | number;
}

interface Parameters {
	operation: 'list' | 'create' | 'get' | 'insert' | 'deleteRows';
	tableName: string;
	options: { filterName: string };
	dataTableId: { value: string };
	filters: { conditions: Condition[] };
	limit: number;
}

const COMPARE = {
	eq: (one: string | number, other: string | number) => one === other,
	gt: (one: string | number, other: string | number) => one > other,
	lt: (one: string | number, other: string | number) => one < other,
};

/** The Data Tables of one project, and n8n's node for them, as a workflow that is given with the call runs it. */
export class PlayedDataTables {
	readonly tables = new Map<string, { name: string; rows: Row[] }>();
	/** What each call does, in place of an answer or before it. */
	before: (operation: string) => Promise<void> = async () => await Promise.resolve();
	calls: string[] = [];
	/** How many rows were read so far. */
	rowsRead = 0;
	private lastId = 0;

	/** The one with this name. */
	rowsOf(name: string): Row[] {
		return [...this.tables.values()].find((table) => table.name === name)?.rows ?? [];
	}

	readonly executeWorkflow = async (
		{ code }: IExecuteWorkflowInfo,
		items: INodeExecutionData[] = [],
	): Promise<{ executionId: string; data: INodeExecutionData[][] }> => {
		const parameters = code?.nodes[1]?.parameters as unknown as Parameters;
		this.calls.push(parameters.operation);
		await this.before(parameters.operation);
		const given = items.map(({ json }) => json);
		const rows = this.operate(parameters, given);
		// Nobody shares an object with n8n's database.
		return { executionId: '1', data: [structuredClone(rows).map((json) => ({ json }))] };
	};

	private operate(parameters: Parameters, items: IDataObject[]): IDataObject[] {
		const { operation, tableName, options, limit } = parameters;
		const all = [...this.tables].map(([id, { name }]) => ({ id, name }));
		if (operation === 'list') return all.filter(({ name }) => name.includes(options.filterName));
		if (operation === 'create') {
			if (all.some(({ name }) => name === tableName)) throw new Error('The name is taken');
			const id = `table${++this.lastId}`;
			this.tables.set(id, { name: tableName, rows: [] });
			return [{ id, name: tableName }];
		}
		const table = this.tables.get(parameters.dataTableId.value);
		if (table === undefined) throw new Error('The table could not be found');
		if (operation === 'insert') {
			const createdAt = new Date().toISOString();
			const rows = items.map((json): Row => ({ ...json, id: ++this.lastId, createdAt }));
			table.rows.push(...rows);
			return rows;
		}
		const fits = (row: Row) =>
			parameters.filters.conditions.every(({ keyName, condition, keyValue }) =>
				COMPARE[condition](row[keyName] as string | number, keyValue),
			);
		const found = table.rows.filter(fits);
		if (operation === 'get') {
			const page = found.sort((a, b) => a.id - b.id).slice(0, limit);
			this.rowsRead += page.length;
			return page;
		}
		table.rows = table.rows.filter((row) => !fits(row));
		return found;
	}
}
