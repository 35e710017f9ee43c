import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';
import { asRecord } from '../service/wire';

/**
 * Reads node parameters item by item. A value without an expression is the same for every item
 * and read once: resolving is n8n's costliest step over thousands of items.
 */
export class Parameters {
	private readonly constants = new Map<string, unknown>();
	/** As saved in the workflow. `getNode` copies the whole node each time. */
	private readonly saved: INodeParameters;

	constructor(private readonly context: IExecuteFunctions) {
		this.saved = context.getNode().parameters;
	}

	get(name: string, item: number): unknown {
		if (this.constants.has(name)) return this.constants.get(name);
		const value: unknown = this.context.getNodeParameter(name, item, undefined);
		if (!holdsExpression(this.saved[name])) this.constants.set(name, value);
		return value;
	}

	/** The Options collection, with only what the user added to it. */
	options(item: number): IDataObject {
		return asRecord(this.get('options', item)) ?? {};
	}
}

function holdsExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	if (typeof value !== 'object' || value === null) return false;
	return Object.values(value).some(holdsExpression);
}

/** The value of a JSON parameter: n8n gives text when it was typed, and data when it was mapped. */
export function parseJson(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	try {
		return JSON.parse(value);
	} catch {
		return value;
	}
}
