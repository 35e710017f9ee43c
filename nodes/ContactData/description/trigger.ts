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
		displayName:
			'<b>To run for every search</b>, paste the Production URL above into the webhook settings of your account.',
		name: 'everySearchNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName:
			"<b>To run for some searches only</b>, start them with the option 'Webhook' set to This Workflow's Trigger. In another workflow, set it to By URL, with the Production URL.",
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
