import type { INodeProperties } from 'n8n-workflow';
import { describeType } from '../lookups/checks';
import type { Refuse } from '../lookups/types';
import { isId } from '../service/state';

const property: INodeProperties = {
	displayName: 'ID of an Earlier Search',
	name: 'earlierId',
	type: 'string',
	default: '',
};

function describeField(name: string, isRead: string): string {
	return `The '${name}' that an earlier run gave for this item. With it, ${isRead} free of charge; without it, the item is searched and paid for.`;
}

/** How the editor shows the option. */
export const earlierIdProperties: INodeProperties[] = [
	{
		...property,
		placeholder: 'e.g. {{ $json.id }}',
		description: describeField('id', 'that result is read'),
		displayOptions: { show: { '/operation': ['submitAndWait'] } },
	},
	{
		...property,
		placeholder: 'e.g. {{ $json.batch_id }}',
		description: describeField('batch_id', "the item's result is read from that batch"),
		displayOptions: { show: { '/operation': ['submitBulkAndWait'], '/inputMode': ['each'] } },
	},
];

/** The id that the user gave for an item; `undefined` for a search that is new. */
export function readEarlierId(given: unknown, refuse: Refuse): string | undefined {
	if (given === undefined || given === null) return undefined;
	const isWhole = typeof given === 'string' || Number.isSafeInteger(given);
	const text = isWhole ? String(given).trim() : undefined;
	if (text === '') return undefined;
	if (text !== undefined && isId(text) && !/\s/.test(text)) return text;
	return refuse({
		message: `'${property.displayName}' must be one ID, but is ${describe(given)}`,
		description:
			'Give the ID as an earlier run gave it, as text. To search again and pay for it, clear it for this item. Nothing was started for this item.',
	});
}

function describe(given: unknown): string {
	if (typeof given === 'number') return `the number ${given}, which may have lost digits`;
	if (typeof given !== 'string') return describeType(given);
	return /\s/.test(given.trim())
		? 'a text with a space or a line break in it'
		: 'a text that cannot be an ID';
}
