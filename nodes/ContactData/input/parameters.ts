import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeParameters,
} from 'n8n-workflow';
import { asRecord, isRecord } from '../common/values';

/** What the editor writes when a field is dragged into a parameter, e.g. `={{ $json.person.name }}`. */
const FIELD_OF_ITEM = /^=\{\{\s*\$json\.([a-z_]\w*(?:\.[a-z_]\w*)*)\s*\}\}$/i;

/**
 * Reads node parameters item by item. Resolving is n8n's costliest step over thousands of items,
 * half a millisecond for each expression: so a value without one is read once for all items, and
 * text, a number or nothing that an expression merely takes from the item is taken from it.
 */
export class Parameters {
	private readonly constants = new Map<string, unknown>();
	/** As saved in the workflow. `getNode` copies the whole node each time. */
	private readonly saved: INodeParameters;
	/** Those that the user added; n8n allows no expression for all of them. */
	private readonly options: IDataObject;

	/** @param items of the input */
	constructor(
		private readonly context: Pick<IExecuteFunctions, 'getNode' | 'getNodeParameter'>,
		private readonly items: readonly INodeExecutionData[],
	) {
		this.saved = context.getNode().parameters;
		this.options = asRecord(this.saved.options) ?? {};
	}

	/** `undefined` for one that the editor does not show. */
	get(name: string, item: number): unknown {
		return name in this.saved ? this.read(name, this.saved[name], item) : undefined;
	}

	/**
	 * One entry of the Options collection, `undefined` where the user did not add it. It is read by
	 * itself, as the expressions in other entries may be for other items.
	 */
	option(name: string, item: number): unknown {
		return this.isAdded(name) ? this.read(`options.${name}`, this.options[name], item) : undefined;
	}

	/** Whether the user added it, also where an expression in it gives nothing. */
	isAdded(name: string): boolean {
		return name in this.options;
	}

	private read(name: string, saved: unknown, item: number): unknown {
		if (this.constants.has(name)) return this.constants.get(name);
		const field = this.readField(saved, item);
		if (field !== undefined) return field.value;
		const value: unknown = this.context.getNodeParameter(name, item, undefined);
		if (!holdsExpression(saved)) this.constants.set(name, value);
		return value;
	}

	/** The text or number, or the nothing, that the expression takes from the item; all else is left to n8n. */
	private readField(saved: unknown, item: number): { value: unknown } | undefined {
		// For the one item of a tool call, `$json` may be another.
		if (this.items.length === 1 || typeof saved !== 'string') return undefined;
		const [, path] = FIELD_OF_ITEM.exec(saved) ?? [];
		if (path === undefined) return undefined;
		let value: unknown = this.items[item]?.json;
		for (const key of path.split('.')) {
			if (!isRecord(value)) return undefined;
			value = value[key];
		}
		const isPlain = typeof value === 'string' || typeof value === 'number';
		return isPlain || value === undefined || value === null ? { value } : undefined;
	}
}

function holdsExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	if (typeof value !== 'object' || value === null) return false;
	return Object.values(value).some(holdsExpression);
}
