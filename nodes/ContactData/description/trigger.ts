import type { INodeProperties } from 'n8n-workflow';
import type { LookupEvent } from '../lookups';
import { lookupEvents } from '../lookups';
import { simplifyProperty, splitResults } from './fields';

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
		displayName: 'To hear of every search, register the production URL above in your account.',
		name: 'everySearchNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName:
			"To hear of some only, name this trigger in the option 'Webhook' of the node that starts them.",
		name: 'someSearchesNotice',
		type: 'notice',
		default: '',
	},
	eventsProperty,
	splitResults,
	simplifyProperty,
	{
		displayName: 'Only Found',
		name: 'onlyFound',
		type: 'boolean',
		default: false,
		description:
			'Whether to give only emails and phone numbers that were found, and emails that are deliverable',
	},
];
