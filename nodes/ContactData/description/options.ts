import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { LENGTH_OF_TEXT, MISSPELLED } from '../input/parameters';
import {
	BULK_SUBMIT_OPERATIONS,
	BULK_TIMEOUT_S,
	LEAST,
	PAUSE_TIMEOUT_S,
	READ_OPERATIONS,
	SINGLE_SUBMIT_OPERATIONS,
	SINGLE_TIMEOUT_S,
	START_OPERATIONS,
	SUBMIT_OPERATIONS,
	WAIT_OPERATIONS,
} from '../input/settings';
import { CALL_S } from '../run/toolCall';
import { lookups } from '../lookups';
import type { Lookup } from '../lookups/types';
import { NOT_OF_TOOLS, OF_TOOLS } from './fields';

const DEFAULT_MAX_CREDITS = 100;

/** One option for each of these places, which differs in what else the editor shows. */
function shownFor(
	property: INodeProperties,
	...places: Array<Partial<INodeProperties> & { show: IDisplayOptions['show'] }>
): INodeProperties[] {
	return places.map(({ show, ...more }) => ({ ...property, ...more, displayOptions: { show } }));
}

const lookupNames = (isMeant: (lookup: Lookup) => boolean) =>
	Object.values(lookups)
		.filter(isMeant)
		.map(({ name }) => name);

const ofLookups = Object.values(lookups).flatMap(({ name, options }) =>
	options.flatMap(({ property }) =>
		shownFor(property, { show: { '/resource': [name], '/operation': SUBMIT_OPERATIONS } }),
	),
);

const custom = shownFor(
	{ displayName: 'Custom Data', name: 'custom', type: 'json', default: '{}' },
	{
		description:
			'For developers: your own data as a JSON object. It comes back with the result and the notification.',
		show: {
			'/resource': lookupNames(({ singleCustom }) => singleCustom === 'object'),
			'/operation': SINGLE_SUBMIT_OPERATIONS,
		},
	},
	{
		description:
			'For developers: your own data for the whole batch as a JSON object. The service sends it with its notification.',
		show: { '/operation': BULK_SUBMIT_OPERATIONS },
	},
	{
		type: 'string',
		default: '',
		description:
			'For developers: your own text, such as a row number. It comes back with the result and the notification.',
		show: {
			'/resource': lookupNames(({ singleCustom }) => singleCustom === 'text'),
			'/operation': SINGLE_SUBMIT_OPERATIONS,
		},
	},
);

const itemCustom: INodeProperties = {
	displayName: 'Custom Data per Item',
	name: 'itemCustom',
	type: 'string',
	default: '',
	placeholder: 'e.g. {{ $json.row }}',
	description:
		'For developers: your own text for each item, such as a row number. It comes back with the result of the item.',
	displayOptions: {
		show: {
			'/resource': lookupNames((lookup) => lookup.itemCustom),
			'/operation': BULK_SUBMIT_OPERATIONS,
			'/inputMode': ['each'],
		},
	},
};

const dryRunOption: INodeProperties = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: true,
	description:
		'Whether to only check the items and tell what a run would do and cost. Nothing is started, and nothing is charged.',
	displayOptions: { show: { '/operation': SUBMIT_OPERATIONS } },
};

const describeEarlierId = (name: string, isRead: string) =>
	`The '${name}' that an earlier run gave for this item. With it, ${isRead} free of charge; without it, the item is searched and paid for.`;

const earlierId = shownFor(
	{ displayName: 'ID of an Earlier Search', name: 'earlierId', type: 'string', default: '' },
	{
		placeholder: 'e.g. {{ $json.search_id }}',
		description: describeEarlierId('search_id', 'that result is read'),
		show: { '/operation': ['submitAndWait'] },
	},
	{
		placeholder: 'e.g. {{ $json.batch_id }}',
		description: describeEarlierId('batch_id', "the item's result is read from that batch"),
		show: { '/operation': ['submitBulkAndWait'], '/inputMode': ['each'] },
	},
);

const includeInputFields = shownFor(
	{
		displayName: 'Include Input Fields',
		name: 'includeInputFields',
		type: 'boolean',
		default: true,
		description:
			"Whether to add the fields of the input item to the result. Recommended for tables and CRMs. Where both have a field of the same name, such as email, the input's comes out as input_email.",
	},
	{ show: { ...NOT_OF_TOOLS, '/operation': SINGLE_SUBMIT_OPERATIONS } },
	{ show: { ...NOT_OF_TOOLS, '/operation': BULK_SUBMIT_OPERATIONS, '/inputMode': ['each'] } },
);

const maxCredits = shownFor(
	{
		displayName: 'Max Credits',
		name: 'maxCredits',
		type: 'number',
		typeOptions: { minValue: LEAST.maxCredits },
		default: DEFAULT_MAX_CREDITS,
	},
	{
		description:
			'The most credits that one run of this node may spend, in a loop each turn. 0 spends nothing; without this option there is no limit.',
		show: { ...NOT_OF_TOOLS, '/operation': SUBMIT_OPERATIONS },
	},
	{
		description:
			'The most credits that all calls of this tool may spend in one execution. Enter it yourself: a limit that the model sets is none.',
		show: { ...OF_TOOLS, '/operation': SUBMIT_OPERATIONS },
	},
);

const onTimeout = shownFor(
	{
		displayName: 'On Timeout',
		name: 'onTimeout',
		type: 'options',
		options: [
			{
				name: 'Output Ongoing Items',
				value: 'output',
				description: 'Go on with items whose status is ongoing. They hold the IDs.',
			},
			{ name: 'Stop Workflow', value: 'error' },
		],
		default: 'error',
		description: 'What happens to searches that are not finished in time. Their IDs are not lost.',
	},
	{ show: { ...NOT_OF_TOOLS, '/operation': WAIT_OPERATIONS, '/waitMode': ['poll'] } },
	{ show: { ...NOT_OF_TOOLS, '/operation': READ_OPERATIONS, waitForResult: [true] } },
);

const searchAgain: INodeProperties = {
	displayName: 'Search Again',
	name: 'searchAgain',
	type: 'boolean',
	default: true,
	description:
		'Whether to search, and pay, again for what is remembered as paid: for a day, or for the Days to Remember of the credential',
	displayOptions: { show: { '/operation': WAIT_OPERATIONS } },
};

const timeout = shownFor(
	{
		displayName: 'Timeout (Seconds)',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: LEAST.timeout },
		default: BULK_TIMEOUT_S,
		description: 'How long to wait for the results once all searches are started',
	},
	{
		default: SINGLE_TIMEOUT_S,
		show: { ...NOT_OF_TOOLS, '/operation': ['submitAndWait'], '/waitMode': ['poll'] },
	},
	{ show: { ...NOT_OF_TOOLS, '/operation': ['submitBulkAndWait'], '/waitMode': ['poll'] } },
	{ show: { ...NOT_OF_TOOLS, '/operation': READ_OPERATIONS, waitForResult: [true] } },
	{
		default: PAUSE_TIMEOUT_S,
		description:
			'How long to pause at most. What is not finished then comes out as ongoing, with its ID.',
		show: { ...NOT_OF_TOOLS, '/operation': WAIT_OPERATIONS, '/waitMode': ['suspend'] },
	},
	{
		default: CALL_S,
		description: `How long a call waits for the results, ${CALL_S} at most. What is not finished then is told with its ID, and how to ask again.`,
		show: { ...OF_TOOLS, '/operation': WAIT_OPERATIONS },
	},
);

const waitForResult: INodeProperties = {
	displayName: 'Wait for Result',
	name: 'waitForResult',
	type: 'boolean',
	default: true,
	description: 'Whether to wait until the search is finished. Costs no credits.',
	displayOptions: { show: { '/operation': READ_OPERATIONS } },
};

const webhook: INodeProperties = {
	displayName: 'Webhook',
	name: 'webhook',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description: 'Where the service sends a notification when the results are ready',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Choose a URL registered in your account...',
			typeOptions: { searchListMethod: 'searchWebhooks', searchable: true },
		},
		{
			displayName: 'By URL',
			name: 'url',
			type: 'string',
			placeholder: 'e.g. https://n8n.example.com/webhook/...',
		},
		{
			displayName: 'Trigger',
			name: 'trigger',
			type: 'string',
			placeholder: 'Leave this empty',
			hint: 'The Contact Data Trigger of this workflow is notified. Publish the workflow first.',
		},
	],
	displayOptions: { show: { ...NOT_OF_TOOLS, '/operation': START_OPERATIONS } },
};

/** What n8n would drop without a word, as a node has to declare its options. */
const ofMistakes = [LENGTH_OF_TEXT, ...MISSPELLED.keys()].map((name): INodeProperties => ({
	displayName: name,
	name,
	type: 'hidden',
	default: '',
}));

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		...ofLookups,
		...custom,
		itemCustom,
		...earlierId,
		dryRunOption,
		...includeInputFields,
		...maxCredits,
		...onTimeout,
		searchAgain,
		...timeout,
		waitForResult,
		webhook,
		...ofMistakes,
	].sort((a, b) => a.displayName.localeCompare(b.displayName, 'en')),
};

/** What spends has a cap from the start. */
export const optionsProperties = shownFor(
	options,
	{
		default: { maxCredits: DEFAULT_MAX_CREDITS },
		show: { resource: Object.keys(lookups), operation: SUBMIT_OPERATIONS },
	},
	{ show: { resource: Object.keys(lookups), operation: READ_OPERATIONS } },
);
