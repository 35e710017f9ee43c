import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { LENGTH_OF_TEXT } from '../input/parameters';
import {
	BULK_SUBMIT_OPERATIONS,
	READ_OPERATIONS,
	SINGLE_SUBMIT_OPERATIONS,
	START_OPERATIONS,
	SUBMIT_OPERATIONS,
	WAIT_OPERATIONS,
} from '../input/form';
import { BULK_TIMEOUT_S, PAUSE_TIMEOUT_S, LEAST, SINGLE_TIMEOUT_S } from '../input/settings';
import { CALL_S } from '../input/toolCall';
import { lookups } from '../lookups';
import type { Lookup } from '../lookups/types';
import { NOT_OF_TOOLS, OF_TOOLS } from './fields';

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

const comesBack = (what: string) => `${what}. It comes back with the result and the notification.`;

const custom = shownFor(
	{ displayName: 'Custom Data', name: 'custom', type: 'json', default: '{}' },
	{
		description: comesBack('Your own data as a JSON object'),
		show: {
			'/resource': lookupNames(({ singleCustom }) => singleCustom === 'object'),
			'/operation': SINGLE_SUBMIT_OPERATIONS,
		},
	},
	{
		description:
			'Your own data for the whole batch as a JSON object. The service sends it with its notification.',
		show: { '/operation': BULK_SUBMIT_OPERATIONS },
	},
	{
		type: 'string',
		default: '',
		description: comesBack('Your own text, such as a row number'),
		show: {
			'/resource': lookupNames(({ singleCustom }) => singleCustom === 'text'),
			'/operation': SINGLE_SUBMIT_OPERATIONS,
		},
	},
);

const itemCustom = shownFor(
	{
		displayName: 'Custom Data per Item',
		name: 'itemCustom',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.row }}',
		description:
			'Your own text for each item, such as a row number. It comes back with the result of the item.',
	},
	{
		show: {
			'/resource': lookupNames((lookup) => lookup.itemCustom),
			'/operation': BULK_SUBMIT_OPERATIONS,
			'/inputMode': ['each'],
		},
	},
);

const describeEarlierId = (name: string, isRead: string) =>
	`The '${name}' that an earlier run gave for this item. With it, ${isRead} free of charge; without it, the item is searched and paid for.`;

const earlierId = shownFor(
	{
		displayName: 'ID of an Earlier Search',
		name: 'earlierId',
		type: 'string',
		default: '',
		builderHint: {
			propertyHint:
				'For a list that comes every day: have the id of each result written back to its row, and give that column here. Where it is empty, the row is searched and paid for.',
		},
	},
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

const ofStarted =
	'How many seconds to wait for the results, counted from when all searches are started';
const ofEarlier = 'How many seconds to wait for the results, counted from when this node starts';
const ofTool = {
	default: CALL_S,
	description: `How many seconds a call waits for the results, ${CALL_S} at most. What is not finished then is told with its ID, and how to ask again.`,
};

const timeout = shownFor(
	{
		displayName: 'Timeout',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: LEAST.timeout },
		default: SINGLE_TIMEOUT_S,
	},
	{
		description: ofStarted,
		show: { ...NOT_OF_TOOLS, '/operation': ['submitAndWait'], '/waitMode': ['poll'] },
	},
	{
		description: ofEarlier,
		show: { ...NOT_OF_TOOLS, '/operation': ['getResult'], waitForResult: [true] },
	},
	{
		default: BULK_TIMEOUT_S,
		description: ofStarted,
		show: { ...NOT_OF_TOOLS, '/operation': ['submitBulkAndWait'], '/waitMode': ['poll'] },
	},
	{
		default: PAUSE_TIMEOUT_S,
		description:
			'How many seconds to pause at most. What is not finished then comes out as ongoing, with its ID.',
		show: { ...NOT_OF_TOOLS, '/operation': WAIT_OPERATIONS, '/waitMode': ['suspend'] },
	},
	{
		default: BULK_TIMEOUT_S,
		description: ofEarlier,
		show: { ...NOT_OF_TOOLS, '/operation': ['getBulkResult'], waitForResult: [true] },
	},
	{ ...ofTool, show: { ...OF_TOOLS, '/operation': WAIT_OPERATIONS } },
	{ ...ofTool, show: { ...OF_TOOLS, '/operation': READ_OPERATIONS, waitForResult: [true] } },
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

const waitForResult = shownFor(
	{
		displayName: 'Wait for Result',
		name: 'waitForResult',
		type: 'boolean',
		default: true,
		description: 'Whether to wait until the search is finished. Costs no credits.',
	},
	{ show: { '/operation': READ_OPERATIONS } },
);

const maxCredits = shownFor(
	{
		displayName: 'Max Credits',
		name: 'maxCredits',
		type: 'number',
		typeOptions: { minValue: LEAST.maxCredits, numberPrecision: 2 },
		default: 100,
		description:
			'The most credits that one run of this node may spend: in a loop each turn, as an AI tool all calls in one execution. 0 spends nothing; without this option there is no limit.',
		builderHint: {
			propertyHint:
				'Always set it: the limit that the user names as a plain number, else 100. It holds for all items together, and needs no expression or $fromAI.',
		},
	},
	{ show: { '/operation': SUBMIT_OPERATIONS } },
);

const dryRun = shownFor(
	{
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		default: true,
		description:
			'Whether to only check the items and tell what a run would do and cost. Nothing is started, and nothing is charged.',
	},
	{ show: { '/operation': SUBMIT_OPERATIONS } },
);

const includeInputFields = shownFor(
	{
		displayName: 'Include Input Fields',
		name: 'includeInputFields',
		type: 'boolean',
		default: true,
		description:
			"Whether to add the fields of the input item to the result. Where both have a field of the same name, such as email, the input's comes out as input_email.",
	},
	{ show: { ...NOT_OF_TOOLS, '/operation': SINGLE_SUBMIT_OPERATIONS } },
	{ show: { ...NOT_OF_TOOLS, '/operation': BULK_SUBMIT_OPERATIONS, '/inputMode': ['each'] } },
);

const searchAgain = shownFor(
	{
		displayName: 'Search Again',
		name: 'searchAgain',
		type: 'boolean',
		default: true,
		description: 'Whether to search, and pay, again for what was searched in the last 24 hours',
	},
	{ show: { '/operation': WAIT_OPERATIONS } },
);

const webhook = shownFor(
	{
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
				displayName: "This Workflow's Trigger",
				name: 'trigger',
				type: 'string',
				placeholder: 'Leave this empty',
				hint: 'The Contact Data Trigger of this workflow is notified. Publish the workflow first.',
			},
		],
	},
	{ show: { ...NOT_OF_TOOLS, '/operation': START_OPERATIONS } },
);

/** Not offered to tools. One that was saved with it goes on to notify: n8n would drop what is not there. */
const webhookOfTools = shownFor(
	{ displayName: 'Webhook', name: 'webhook', type: 'hidden', default: '' },
	{ show: { ...OF_TOOLS, '/operation': START_OPERATIONS } },
);

/** A text or an expression in place of all options is dropped by n8n, but for its length. */
const lengthOfText: INodeProperties = {
	displayName: 'Length',
	name: LENGTH_OF_TEXT,
	type: 'hidden',
	default: 0,
};

export const optionsProperty: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	displayOptions: {
		show: {
			resource: Object.keys(lookups),
			operation: [...SUBMIT_OPERATIONS, ...READ_OPERATIONS],
		},
	},
	options: [
		...ofLookups,
		...custom,
		...itemCustom,
		...earlierId,
		...dryRun,
		...includeInputFields,
		...maxCredits,
		...onTimeout,
		...searchAgain,
		...timeout,
		...waitForResult,
		...webhook,
		...webhookOfTools,
		lengthOfText,
	].sort((a, b) => a.displayName.localeCompare(b.displayName, 'en')),
};
