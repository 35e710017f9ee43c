import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { BULK_SUBMIT_OPERATIONS, SINGLE_SUBMIT_OPERATIONS } from '../input/operationValues';
import { lookups } from '../lookups';
import type { Lookup, SearchField } from '../lookups/types';

/**
 * The fields of one search: of a single submission always, of a batch where each item is one search.
 * Two copies, because 'Input Mode' keeps its value when it is hidden.
 */
function perItem(
	resource: string,
	fields: INodeProperties[],
	more: IDisplayOptions['show'] = {},
): INodeProperties[] {
	const single = { resource: [resource], operation: SINGLE_SUBMIT_OPERATIONS };
	const bulk = { resource: [resource], operation: BULK_SUBMIT_OPERATIONS, inputMode: ['each'] };
	return [single, bulk].flatMap((show) =>
		fields.map((field) => ({ ...field, displayOptions: { show: { ...show, ...more } } })),
	);
}

function toProperty({ label, parameter, editor }: SearchField): INodeProperties {
	return { displayName: label, name: parameter, type: 'string', default: '', ...editor };
}

function fieldsOf({ name, fields, identifyBy }: Lookup): INodeProperties[] {
	if (identifyBy === undefined) return perItem(name, fields.map(toProperty));
	const values = [...new Set(fields.map((field) => field.identifyBy))];
	return [
		...perItem(name, [identifyBy]),
		...values.flatMap((value) => {
			const ofValue = fields.filter((field) => field.identifyBy === value).map(toProperty);
			return perItem(name, ofValue, value === undefined ? {} : { identifyBy: [value] });
		}),
	];
}

function listOf({ name, list }: Lookup): INodeProperties {
	const show = { resource: [name], operation: BULK_SUBMIT_OPERATIONS, inputMode: ['array'] };
	return { ...list, displayOptions: { show } };
}

/** What is searched for: the fields of one search, or a whole list. */
export const searchProperties: INodeProperties[] = [
	...Object.values(lookups).flatMap(fieldsOf),
	...Object.values(lookups).map(listOf),
];
