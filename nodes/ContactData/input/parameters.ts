import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeParameters,
} from 'n8n-workflow';
import type { Problem } from '../common/errors';
import { asRecord, isRecord } from '../common/values';
import { comparableHeading } from '../values/names';

/** What the editor writes when a field is dragged into a parameter, e.g. `={{ $json.person.name }}`. */
const FIELD_OF_ITEM = /^=\{\{\s*\$json\.([a-z_]\w*(?:\.[a-z_]\w*)*)\s*\}\}$/i;

const OPTIONS = 'options.';

/** Options on which money depends, as models also write them, and their names. */
export const MISSPELLED = new Map([
	['dry_run', 'dryRun'],
	['earlier_id', 'earlierId'],
	['max_credits', 'maxCredits'],
]);

/** What n8n leaves of a text that stands in place of all options. */
export const LENGTH_OF_TEXT = 'length';

/** The columns that an expression reads, e.g. `$json.email` and `$json["Full Name"]`. */
const COLUMNS = /\$json(?:\??\.([\p{L}_$][\p{L}\p{N}_$]*)|(?:\?\.)?\[\s*(["'`])(.*?)\2\s*\])/gu;

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

	/** One option, `undefined` where it was not added; read alone, as the others may not resolve for this item. */
	option(name: string, item: number): unknown {
		return this.isAdded(name)
			? this.read(`${OPTIONS}${name}`, this.options[name], item)
			: undefined;
	}

	/** Whether the user added it, also where an expression in it gives nothing. */
	isAdded(name: string): boolean {
		return name in this.options;
	}

	/** Whether it can be another value for each item. Entries of Options are called `options.<name>`. */
	isExpression(name: string): boolean {
		return holdsExpression(this.savedAs(name));
	}

	/** A column that the parameter's expression reads and the item lacks, and the filled one that is nearly called so. */
	nearColumn(name: string, item: number): { read: string; meant: string } | undefined {
		const saved = this.savedAs(name);
		const { json = {} } = this.items[item] ?? {};
		if (typeof saved !== 'string' || !saved.startsWith('=')) return undefined;
		for (const [, plain, , quoted] of saved.matchAll(COLUMNS)) {
			const read = plain ?? quoted ?? '';
			const [meant] = Object.keys(json).filter(
				(column) => comparableHeading(column) === comparableHeading(read) && Boolean(json[column]),
			);
			if (meant !== undefined && !(read in json)) return { read, meant };
		}
		return undefined;
	}

	private savedAs(name: string): unknown {
		const option = name.startsWith(OPTIONS) ? name.slice(OPTIONS.length) : undefined;
		return option === undefined ? this.saved[name] : this.options[option];
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

/** Why Options do not say what they seem to: what they limit or check would not hold, and the run would pay. */
export function problemOfOptions({ parameters }: INode): Problem | undefined {
	const options = asRecord(parameters.options) ?? {};
	if (LENGTH_OF_TEXT in options) {
		return {
			message: "'Options' must be a list of single options, but is an expression or a text",
			description:
				'Add each option by itself; the value of each may be an expression. Nothing was started.',
		};
	}
	const [wrong] = Object.keys(options).filter((name) => MISSPELLED.has(name));
	return wrong === undefined
		? undefined
		: {
				message: `There is no option ${wrong}`,
				description: `It is called ${MISSPELLED.get(wrong)}: rename it in the node's JSON. Nothing was started.`,
			};
}

function holdsExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	if (typeof value !== 'object' || value === null) return false;
	return Object.values(value).some(holdsExpression);
}
