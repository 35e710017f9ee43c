import type { INodeProperties } from 'n8n-workflow';
import { describeType } from '../lookups/fieldChecks';
import type { Refuse } from '../lookups/types';
import { isId } from '../service/lookupState';

const property: INodeProperties = {
	displayName: 'ID of an Earlier Search',
	name: 'earlierId',
	type: 'string',
	default: '',
};

/** How the editor shows the option. */
export const earlierIdProperties: INodeProperties[] = [
	{
		...property,
		placeholder: 'e.g. {{ $json.id }}',
		description:
			"The 'id' that an earlier run gave for this item. Where it is filled in, that result is read free of charge; where it is empty, the item is searched and paid for.",
		displayOptions: { show: { '/operation': ['submitAndWait'] } },
	},
	{
		...property,
		placeholder: 'e.g. {{ $json.batch_id }}',
		description:
			"The 'batch_id' that an earlier run gave for this item. Where it is filled in, the item's result is read from that batch free of charge; where it is empty, the item is searched and paid for.",
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
			'Give the ID as an earlier run gave it, kept as text. To search anew and pay for it, clear it for this item. Nothing was submitted for this item.',
	});
}

function describe(given: unknown): string {
	if (typeof given === 'number') return `the number ${given}, which may have lost digits`;
	if (typeof given !== 'string') return describeType(given);
	return /\s/.test(given.trim()) ? 'a text with white space in it' : 'a text that can be no ID';
}
