import type { INodeProperties } from 'n8n-workflow';
import { customProperties } from '../input/envelope';
import { earlierIdProperties } from '../input/searches';
import { READ_OPERATIONS, runOptionProperties, SUBMIT_OPERATIONS } from '../input/options';
import { webhookProperty } from '../input/webhook';
import { lookups } from '../lookups';

const ofLookups: INodeProperties[] = Object.values(lookups).flatMap(({ name, options }) =>
	options.map(({ property }) => ({
		...property,
		displayOptions: { show: { '/resource': [name], '/operation': SUBMIT_OPERATIONS } },
	})),
);

/** Each option is written beside what reads it; here they come together. */
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
		...customProperties,
		...earlierIdProperties,
		...runOptionProperties,
		webhookProperty,
	].sort((a, b) => a.displayName.localeCompare(b.displayName, 'en')),
};
