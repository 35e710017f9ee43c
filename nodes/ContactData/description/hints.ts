import type { IBuilderHint, INodeProperties, INodePropertyOptions, NodeHint } from 'n8n-workflow';
import { shownFields } from '../input/fields';
import { lookups } from '../lookups';
import type { Lookup } from '../lookups/types';
import { operationProperties, resourceProperty } from './operations';
import { eventsProperty } from './trigger';

/** What the editor shows before a run. The raw parameters are looked at: an expression may be for an item. */
export const hints: NodeHint[] = Object.values(lookups).flatMap(({ name, costHint }: Lookup) =>
	costHint === undefined
		? []
		: [
				{
					...costHint,
					displayCondition: `={{ $parameter["resource"] === "${name}" && $parameter["operation"].startsWith("submit") && !$rawParameter.options?.maxCredits && !$rawParameter.options?.dryRun }}`,
					whenToDisplay: 'beforeExecution',
					location: 'outputPane',
				},
			],
);

const ACTION = 'n8n-nodes-contact-data.contactData';
const TRIGGER = 'n8n-nodes-contact-data.contactDataTrigger';

/** What n8n's own builders, and agents that build workflows, read of the node: searching for one, and its types. */
export const actionBuilderHint: IBuilderHint = {
	searchHint:
		"Every submission costs credits: set options.maxCredits. For more than a few items use submitBulkAndWait: one node does a whole list, and needs no loop, Wait or HTTP Request around it. 'found: false' is a result and no error.",
	relatedNodes: [
		{
			nodeType: TRIGGER,
			relationHint:
				'Starts a workflow when a search of submit or submitBulk is finished; not needed with the operations that wait',
		},
	],
	extraTypeDefContent: Object.values(lookups).map((lookup: Lookup) => ({
		displayOptions: { show: { resource: [lookup.name], operation: ['submitBulkAndWait'] } },
		content: exampleOf(lookup),
	})),
};

/** How a model is to write a node that does a list, which is what most ask for. */
function exampleOf(lookup: Lookup): string {
	const { verb, goals } = lookup.words;
	return `<patterns>
<pattern title="${verb} the ${goals} of a list of leads, one per item, for at most 500 credits">
parameters: {
  resource: '${lookup.name}',
  operation: 'submitBulkAndWait',
  inputMode: 'each',
${shownFields(lookup, undefined)
	.map((field) => `  ${field.parameter}: expr('{{ $json.${field.name} }}'),`)
	.join('\n')}
  options: { maxCredits: 500 }
}
</pattern>
</patterns>`;
}

/** The same of the trigger. */
export const triggerBuilderHint: IBuilderHint = {
	searchHint:
		'Emits the results themselves, read with the credential: no Get Result is needed after it. It fires for searches whose option webhook names it, or for all where its production URL is registered in the account.',
	relatedNodes: [
		{
			nodeType: ACTION,
			relationHint:
				'Starts the searches: submit or submitBulk with options.webhook in mode trigger, in the same workflow',
		},
	],
};

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
