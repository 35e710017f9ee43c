import type { INodeProperties } from 'n8n-workflow';
import type { LookupEvent } from '../lookups/events';
import { lookupEvents } from '../lookups/events';

/** E.g. "Email Search Batch Finished". */
function eventTitle({ lookup, size }: LookupEvent): string {
	const what = lookup.noun.one.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
	return `${what}${size === 'bulk' ? ' Batch' : ''} Finished`;
}

export const eventsProperty: INodeProperties = {
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	required: true,
	options: lookupEvents
		.map((event) => ({ name: eventTitle(event), value: event.name }))
		.sort((a, b) => a.name.localeCompare(b.name, 'en')),
	default: [...lookupEvents.map(({ name }) => name)],
	description: 'What starts the workflow',
};

export const triggerProperties: INodeProperties[] = [
	{
		displayName:
			"To be notified of every lookup, register the production URL above in your account; Account: Get Info lists what is registered. To be notified of some only, add the option 'Webhook' to the Contact Data node that starts them, and choose 'Trigger' there, or give it the URL.",
		name: 'waysNotice',
		type: 'notice',
		default: '',
	},
	eventsProperty,
	{
		displayName: 'Split Results',
		name: 'splitResults',
		type: 'boolean',
		default: true,
		description: 'Whether a finished batch gives one item per result instead of one item in all',
	},
	{
		displayName: 'Only Found',
		name: 'onlyFound',
		type: 'boolean',
		default: false,
		description: 'Whether to pass on only what was found, or is deliverable',
	},
];
