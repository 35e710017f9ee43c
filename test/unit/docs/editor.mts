import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { ContactDataApi } from '../../../credentials/ContactDataApi.credentials.ts';
import { ContactData } from '../../../nodes/ContactData/ContactData.node.ts';
import { ContactDataTrigger } from '../../../nodes/ContactData/ContactDataTrigger.node.ts';

export const NODES = [new ContactData().description, new ContactDataTrigger().description];
const CREDENTIAL = new ContactDataApi();

/** Every parameter, option and field of a credential; one of several forms for each form. */
export const PROPERTIES: INodeProperties[] = [
	...NODES.flatMap(({ properties }) => properties),
	...CREDENTIAL.properties,
].flatMap((property) => [property, ...nestedIn(property)]);

/** What can be chosen in them. */
export const CHOICES: INodePropertyOptions[] = PROPERTIES.flatMap(({ options = [] }) =>
	options.filter(isChoice),
);

const MODES = PROPERTIES.flatMap(({ modes = [] }) => modes);

/** Properties that have a label: a notice has its text in its place. */
export const LABELLED = PROPERTIES.filter(({ type }) => type !== 'notice');

/** The labels that the editor shows. */
export const LABELS: ReadonlySet<string> = new Set([
	...[...LABELLED, ...MODES, ...NODES, CREDENTIAL].map(({ displayName }) => displayName),
	...CHOICES.map(({ name }) => name),
]);

/** Whole sentences that stand beside labels. */
export const DESCRIPTIONS: string[] = [
	...PROPERTIES.map(({ description }) => description),
	...PROPERTIES.map(({ hint }) => hint),
	...MODES.map(({ hint }) => hint),
	...CHOICES.map(({ description }) => description),
	...NODES.map(({ description }) => description),
].filter((text) => text !== undefined);

/** The other texts of the editor. */
export const NOTES: string[] = [
	...PROPERTIES.filter(({ type }) => type === 'notice').map(({ displayName }) => displayName),
	...CHOICES.map(({ action }) => action),
	...PROPERTIES.map(({ placeholder }) => placeholder),
	...NODES.flatMap(({ waitingNodeTooltip, eventTriggerDescription, triggerPanel }) => [
		waitingNodeTooltip?.replace(/^=\{\{ '(.*)' \}\}$/, '$1'),
		eventTriggerDescription,
		...textsIn(triggerPanel),
	]),
].filter((text) => text !== undefined);

function nestedIn({ options = [] }: INodeProperties): INodeProperties[] {
	return options.filter(isProperty).flatMap((option) => [option, ...nestedIn(option)]);
}

function isProperty(
	option: INodeProperties | INodePropertyOptions | INodePropertyCollection,
): option is INodeProperties {
	return 'displayName' in option && 'type' in option;
}

function isChoice(
	option: INodeProperties | INodePropertyOptions | INodePropertyCollection,
): option is INodePropertyOptions {
	return 'value' in option;
}

function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	if (typeof value !== 'object' || value === null) return [];
	return Object.values(value).flatMap(textsIn);
}
