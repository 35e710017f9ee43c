import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { operationProperties, resourceProperty } from './operations';
import { eventsProperty } from './trigger';

/** The line below the action node's name, in words: `Find Many: Email Finder`. */
export const actionSubtitle = `={{ (${JSON.stringify(operationNames())})[$parameter["resource"] + " " + $parameter["operation"]] }}`;

/** The line below the trigger's name, in words: `All Events`, or the chosen ones. */
export const triggerSubtitle = `={{ $parameter["events"].length === ${optionsOf(eventsProperty).length} ? "All Events" : $parameter["events"].map((event) => (${JSON.stringify(eventNames())})[event]).join(", ") }}`;

function operationNames(): Record<string, string> {
	const entries = optionsOf(resourceProperty).flatMap((resource) =>
		operationProperties
			.filter(({ displayOptions }) => displayOptions?.show?.resource?.includes(resource.value))
			.flatMap(optionsOf)
			.map((operation) => [
				`${resource.value} ${operation.value}`,
				`${operation.name}: ${resource.name}`,
			]),
	);
	return Object.fromEntries(entries);
}

function eventNames(): Record<string, string> {
	return Object.fromEntries(optionsOf(eventsProperty).map(({ name, value }) => [value, name]));
}

function optionsOf({ options = [] }: INodeProperties): INodePropertyOptions[] {
	return options.filter((option): option is INodePropertyOptions => 'value' in option);
}
