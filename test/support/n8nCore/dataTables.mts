import type {
	ExecuteWorkflowData,
	IDataObject,
	INode,
	INodeExecutionData,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { asNumber, asRecord, asText, isRecord } from '../../../nodes/ContactData/common/values.ts';

interface Table {
	id: string;
	name: string;
	columns: string[];
	rows: IDataObject[];
}

const TYPE = 'n8n-nodes-base.dataTable';

/** n8n's Data Tables, as far as its own node opens them to an inline workflow: shared by processes, kept over restarts. */
export class DataTables {
	readonly tables: Table[] = [];
	/** How long each call takes, in milliseconds. */
	tookMs = 0;
	/** What each call fails with. */
	problem?: string;
	/** How often n8n was called. */
	calls = 0;
	private lastId = 0;

	/** The rows of the only table, in their order. */
	get rows(): IDataObject[] {
		return this.tables[0]?.rows ?? [];
	}

	readonly executeWorkflow: IWorkflowExecuteAdditionalData['executeWorkflow'] = async (
		{ code },
		_additionalData,
		{ inputData = [] },
	): Promise<ExecuteWorkflowData> => {
		this.calls++;
		const node = code?.nodes.find(({ type }) => type === TYPE);
		if (node === undefined) throw new Error('Only inline workflows with a Data Table are played');
		if (this.tookMs > 0) await new Promise((resolve) => setTimeout(resolve, this.tookMs));
		if (this.problem !== undefined) throw new Error(this.problem);
		const rows = this.operate(node, inputData);
		const given = rows.length === 0 && node.alwaysOutputData === true ? [{}] : rows;
		return { executionId: 'inline', data: [given.map((json) => ({ json: { ...json } }))] };
	};

	private operate(node: INode, items: INodeExecutionData[]): IDataObject[] {
		const parameters = asRecord(node.parameters) ?? {};
		if (parameters.resource === 'table') return this.operateTable(parameters);
		const table = this.tableOf(asRecord(parameters.dataTableId)?.value);
		switch (parameters.operation) {
			case 'insert':
				return items.map(({ json }) => this.insert(table, json));
			case 'get':
				return matching(table, parameters).slice(0, asNumber(parameters.limit));
			case 'deleteRows': {
				const gone = new Set(matching(table, parameters));
				table.rows = table.rows.filter((row) => !gone.has(row));
				return [...gone];
			}
			default:
				throw new Error('That operation is not played');
		}
	}

	private operateTable({ operation, tableName, columns }: IDataObject): IDataObject[] {
		if (operation === 'list') return this.tables.map(({ id, name }) => ({ id, name }));
		const table: Table = {
			id: `table ${this.tables.length + 1}`,
			name: asText(tableName) ?? '',
			columns: recordsIn(columns, 'column').flatMap(({ name }) => asText(name) ?? []),
			rows: [],
		};
		this.tables.push(table);
		return [{ id: table.id, name: table.name }];
	}

	private tableOf(wanted: unknown): Table {
		const table = this.tables.find(({ id }) => id === wanted);
		if (table === undefined) throw new Error('Could not find the data table');
		return table;
	}

	private insert(table: Table, json: IDataObject): IDataObject {
		const unknown = Object.keys(json).find((name) => !table.columns.includes(name));
		if (unknown !== undefined) throw new Error(`unknown column name '${unknown}'`);
		const now = new Date().toISOString();
		const row = { ...json, id: ++this.lastId, createdAt: now, updatedAt: now };
		table.rows.push(row);
		return row;
	}
}

function matching({ rows }: Table, { filters }: IDataObject): IDataObject[] {
	return rows.filter((row) =>
		recordsIn(filters, 'conditions').every(({ keyName, condition, keyValue }) => {
			const value = row[asText(keyName) ?? ''];
			if (condition === 'eq') return value === keyValue;
			const [one, other] = [value, keyValue].map((side) =>
				typeof side === 'string' ? Date.parse(side) : Number(side),
			);
			const difference = (one ?? NaN) - (other ?? NaN);
			return condition === 'gt' ? difference > 0 : difference < 0;
		}),
	);
}

function recordsIn(value: unknown, name: string): IDataObject[] {
	const list: unknown = asRecord(value)?.[name];
	return Array.isArray(list) ? list.filter(isRecord) : [];
}
