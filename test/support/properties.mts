import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** The entries of a list to choose from. */
export function choicesOf({ options = [] }: INodeProperties): INodePropertyOptions[] {
	return options.filter((option): option is INodePropertyOptions => 'value' in option);
}

/** The entries of a collection. */
export function optionsOf({ options = [] }: INodeProperties): INodeProperties[] {
	return options.filter((option): option is INodeProperties => 'type' in option);
}
