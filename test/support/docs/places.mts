import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** Said where a property is shown for every operation that starts searches. */
export const ALL_THAT_SEARCH = 'all that search';
/** Not told: it is what Input Mode is by default. */
const USUAL = ['inputMode', 'each'];
/** By which n8n tells the tool that it makes of a node. */
const TOOL = '@tool';

/** Properties that are shown for the same resources, and on the same conditions. */
interface Place {
	title: string;
	operations: Set<string>;
	/** The values by which they are shown, by the names of the parameters that have them. */
	conditions: Map<string, Set<string>>;
}

/** Where the editor shows the parameters of a node, in its own words. */
export class Places {
	constructor(private readonly properties: readonly INodeProperties[]) {}

	/** What can be chosen for a parameter; of `operation`, with a resource. */
	choices(name: string, resource?: string): INodePropertyOptions[] {
		return this.properties
			.filter((property) => property.name === name)
			.filter((property) => resource === undefined || shownFor(property, 'resource', resource))
			.flatMap(choicesOf);
	}

	/** E.g. "Find, Find Many with Wait Mode: Keep Running; Get Result with Wait for Result". */
	tell(copies: readonly INodeProperties[]): string {
		const places = new Map<string, Place>();
		for (const copy of copies) {
			const conditions = [...conditionsOf(copy)].filter(
				([name, values]) =>
					!['resource', 'operation'].includes(name) &&
					!(name === USUAL[0] && values.join() === USUAL[1]),
			);
			const title = this.titles(copy);
			const key = [title, ...conditions.map(([name]) => name)].join();
			const place: Place = places.get(key) ?? {
				title,
				operations: new Set(),
				conditions: new Map(),
			};
			places.set(key, place);
			for (const value of conditionsOf(copy).get('operation') ?? []) place.operations.add(value);
			for (const [name, values] of conditions) {
				const known = place.conditions.get(name) ?? [];
				place.conditions.set(name, new Set([...known, ...values]));
			}
		}
		return [...places.values()].map((place) => this.tellPlace(place)).join('; ');
	}

	private tellPlace({ title, operations, conditions }: Place): string {
		const searching = this.choices('operation', this.searching[0]).filter(({ value }) =>
			String(value).startsWith('submit'),
		);
		const isAll = searching.every(({ value }) => operations.has(String(value)));
		const names = this.choices('operation', this.searching[0])
			.filter(({ value }) => operations.has(String(value)))
			.map(({ name }) => name);
		const where = isAll ? (title === '' ? ALL_THAT_SEARCH : '') : names.join(', ');
		const told = [...conditions]
			.filter(([name]) => name !== TOOL)
			.map(([name, values]) => this.tellCondition(name, values));
		const on = told.length === 0 ? '' : ` with ${told.join(' and ')}`;
		const isOfTool = conditions.get(TOOL)?.has('true');
		const as = isOfTool === undefined ? '' : `, ${isOfTool ? '' : 'not '}as an AI tool`;
		return [title, where].filter(Boolean).join(': ') + on + as;
	}

	/** The titles of the resources for which a property is shown; none where that is each that searches. */
	private titles(property: INodeProperties): string {
		const those = this.choices('resource').filter(({ value }) =>
			shownFor(property, 'resource', String(value)),
		);
		const isAll = those.length === 0 || those.length === this.searching.length;
		return isAll ? '' : those.map(({ name }) => name).join(' and ');
	}

	/** The resources with operations that search. */
	private get searching(): string[] {
		const isSearching = (resource: string) =>
			this.choices('operation', resource).some(({ value }) => value === 'submit');
		return this.choices('resource')
			.map(({ value }) => String(value))
			.filter(isSearching);
	}

	private tellCondition(name: string, values: ReadonlySet<string>): string {
		const all = this.properties.flatMap((property) => [property, ...optionsOf(property)]);
		const property = all.find((one) => one.name === name);
		if (property === undefined) throw new Error(`No parameter is called ${name}`);
		if (property.type === 'boolean') return property.displayName;
		const chosen = choicesOf(property).filter(({ value }) => values.has(String(value)));
		return `${property.displayName}: ${chosen.map((choice) => choice.name).join(', ')}`;
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

function shownFor(property: INodeProperties, name: string, value: string): boolean {
	return conditionsOf(property).get(name)?.includes(value) === true;
}

function conditionsOf({ displayOptions }: INodeProperties): ReadonlyMap<string, readonly string[]> {
	const shown = Object.entries(displayOptions?.show ?? {});
	// An option names what is outside of its collection with a slash.
	return new Map(shown.map(([name, values = []]) => [name.replace(/^\//, ''), values.map(String)]));
}
