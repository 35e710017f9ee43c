import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { toBulkBody } from './people.mts';
import type { Schedule } from './schedule.mts';

/** The input items of the node. */
export function itemsOf({ items, inputMode, resource }: Schedule): IDataObject[] {
	return items.map((list, index) => {
		const group = `group ${index % 3}`;
		const fields = list.map((wanted) => wanted.fields);
		return inputMode === 'each'
			? { ...fields[0], group }
			: { ...toBulkBody(resource, fields), group };
	});
}

const FIELDS: { readonly [resource in Schedule['resource']]: INodeParameters } = {
	emailFinder: {
		fullname: '={{ $json.fullname }}',
		companyDomain: '={{ $json.company_domain }}',
		companyName: '={{ $json.company_name }}',
	},
	emailVerifier: { email: '={{ $json.email }}' },
	phoneFinder: {
		identifyBy: '={{ $json.firstname ? "nameAndCompany" : "profileUrl" }}',
		socialProfileUrl: '={{ $json.socialprofile_url }}',
		firstname: '={{ $json.firstname }}',
		lastname: '={{ $json.lastname }}',
		companyDomain: '={{ $json.company_domain }}',
	},
};

/** The node as it stands in the workflow. */
export function parametersOf(schedule: Schedule): INodeParameters {
	const { resource, operation, size, inputMode, splitResults } = schedule;
	const { timeoutSeconds, onTimeout, maxCredits } = schedule;
	const waits = operation.endsWith('AndWait');
	const list = resource === 'emailVerifier' ? 'verifications' : 'searches';
	const custom = customOf(schedule);
	return {
		resource,
		operation,
		...(size === 'bulk' && { inputMode }),
		...(inputMode === 'array' ? { [list]: `={{ $json.${list} }}` } : FIELDS[resource]),
		...(waits && inputMode === 'array' && { splitResults }),
		options: {
			...(waits && { timeout: timeoutSeconds, onTimeout }),
			...(maxCredits > 0 && { maxCredits }),
			...(custom !== undefined && { custom }),
		},
	};
}

const CUSTOM = {
	group: '$json.group',
	execution: '$execution.id',
	time: 'String(($now.toMillis() * ($itemIndex + 1)) % 3)',
};

function customOf({ custom, resource, size }: Schedule): string | undefined {
	if (custom === 'none') return undefined;
	const value = CUSTOM[custom];
	return resource === 'phoneFinder' && size === 'single'
		? `={{ ${value} }}`
		: `={{ JSON.stringify({ of: ${value} }) }}`;
}
