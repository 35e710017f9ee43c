import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** The values by which a property is shown, by the names of the parameters that have them. */
type Conditions = ReadonlyMap<string, readonly string[]>;

/** Where the editor shows the parameters of a node, in its own words. */
export class Places {
	constructor(private readonly properties: readonly INodeProperties[]) {}

	/** What can be chosen for a parameter; of `operation`, with a resource. */
	choices(name: string, resource?: string): INodePropertyOptions[] {
		return this.properties
			.filter((property) => property.name === name)
			.filter((property) => resource === undefined || resourcesOf(property).includes(resource))
			.flatMap(choicesOf);
	}

	/** The operations of the copies of a property, e.g. "Find; Get Result with Wait for Result". */
	tell(copies: readonly INodeProperties[]): string {
		const operations = new Map<string, string[]>();
		for (const copy of copies) {
			const conditions = this.tellConditions(copy);
			const known = operations.get(conditions) ?? [];
			operations.set(conditions, [...known, ...this.operationsOf(copy)]);
		}
		return [...operations].map(([conditions, names]) => names.join(', ') + conditions).join('; ');
	}

	/** The titles of the resources for which a property is shown; none where it is shown for all. */
	titles(property: INodeProperties): string[] {
		const resources = resourcesOf(property);
		const those = this.choices('resource').filter(({ value }) => resources.includes(String(value)));
		return those.length === this.searching.length ? [] : those.map(({ name }) => name);
	}

	private operationsOf(property: INodeProperties): string[] {
		const resource = this.resourceOf(property);
		const shown = conditionsOf(property).get('operation') ?? [];
		return this.choices('operation', resource)
			.filter(({ value }) => shown.includes(String(value)))
			.map(({ name }) => name);
	}

	/** The first that it is shown for. */
	private resourceOf(property: INodeProperties): string | undefined {
		const [resource = this.searching[0]] = resourcesOf(property);
		return resource;
	}

	/** The resources with operations that search. */
	private get searching(): string[] {
		const isSearching = (resource: string) =>
			this.choices('operation', resource).some(({ value }) => value === 'submit');
		return this.choices('resource')
			.map(({ value }) => String(value))
			.filter(isSearching);
	}

	/** E.g. " with Input Mode: One Search per Item". */
	private tellConditions(property: INodeProperties): string {
		const told = [...conditionsOf(property)]
			.filter(([name]) => name !== 'resource' && name !== 'operation')
			.map(([name, values]) => this.tellCondition(property, name, values));
		return told.length === 0 ? '' : ` with ${told.join(' and ')}`;
	}

	private tellCondition(of: INodeProperties, name: string, values: readonly string[]): string {
		const property = this.find(name, this.resourceOf(of));
		if (property.type === 'boolean') return property.displayName;
		const chosen = choicesOf(property).filter(({ value }) => values.includes(String(value)));
		return `${property.displayName}: ${chosen.map((choice) => choice.name).join(' or ')}`;
	}

	/** A parameter, or an option, as it is shown for a resource. */
	private find(name: string, resource = ''): INodeProperties {
		const all = this.properties.flatMap((property) => [property, ...optionsOf(property)]);
		const copies = all.filter((one) => one.name === name);
		const [property] = copies.filter((one) => {
			const resources = resourcesOf(one);
			return resources.length === 0 || resources.includes(resource);
		});
		if (property === undefined) throw new Error(`No parameter is called ${name}`);
		return property;
	}
}

/** The entries of a list to choose from. */
export function choicesOf({ options = [] }: INodeProperties): INodePropertyOptions[] {
	return options.filter((option): option is INodePropertyOptions => 'value' in option);
}

/** The entries of a collection. */
export function optionsOf({ options = [] }: INodeProperties): INodeProperties[] {
	return options.filter((option): option is INodeProperties => 'type' in option);
}

function resourcesOf(property: INodeProperties): readonly string[] {
	return conditionsOf(property).get('resource') ?? [];
}

function conditionsOf({ displayOptions }: INodeProperties): Conditions {
	const shown = Object.entries(displayOptions?.show ?? {});
	// An option names what is outside of its collection with a slash.
	return new Map(shown.map(([name, values = []]) => [name.replace(/^\//, ''), values.map(String)]));
}
