import type { INodeProperties } from 'n8n-workflow';
import { type LookupEvent, lookupEvents } from '../lookups';
import { simplifyProperty, splitResults } from './fields';

/** E.g. "Email Search Batch Finished". */
function eventTitle({ lookup, size }: LookupEvent): string {
	const what = lookup.noun.one.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
	return `${what}${size === 'bulk' ? ' Batch' : ''} Finished`;
}

const eventTitles = Object.fromEntries(
	lookupEvents.map((event) => [event.name, eventTitle(event)]),
);

/** The line below the trigger's name, in words: `All Events`, or the chosen ones. */
export const triggerSubtitle = `={{ $parameter["events"].length === ${lookupEvents.length} ? "All Events" : $parameter["events"].map((event) => (${JSON.stringify(eventTitles)})[event]).join(", ") }}`;

export const triggerProperties: INodeProperties[] = [
	{
		// n8n leaves no other tags in a notice.
		displayName:
			"<ul><li>To test, click Execute step, then start a search whose option 'Webhook' is the Test URL (unfold Webhook URLs above).</li> <li>To go live, publish the workflow. It then runs for searches whose option 'Webhook' is Trigger or the Production URL. Register that URL in your account, and it also runs for searches that name no other webhook.</li></ul>",
		name: 'howToStartNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: Object.entries(eventTitles)
			.map(([value, name]) => ({ name, value }))
			.sort((a, b) => a.name.localeCompare(b.name, 'en')),
		default: [...lookupEvents.map(({ name }) => name)],
		description: 'What starts the workflow',
	},
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
