import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { lookups } from '../../nodes/ContactData/lookups/index.ts';
import { toBulkBody } from './people.mts';
import { hasUserError, type Schedule, waits } from './schedule.mts';

/** The input items of the node. */
export function itemsOf(schedule: Schedule): IDataObject[] {
	const { items, inputMode, resource } = schedule;
	return items.map((list, index) => {
		const fields = list.map((wanted) => wanted.fields);
		const search = inputMode === 'each' ? fields[0] : toBulkBody(resource, fields);
		return Object.assign({}, search, userFieldsOf(schedule, index));
	});
}

/** What an input item has beside its search. */
export function userFieldsOf(schedule: Schedule, index: number): IDataObject {
	const { userError, webhooks, countries, earlierIds } = schedule;
	const earlier = earlierIds[index];
	return {
		group: `group ${index % 3}`,
		...(earlier !== undefined && { earlier }),
		...(webhooks > 0 && { hook: `https://n8n.example.com/webhook/${index % webhooks}` }),
		...(countries.length > 0 && { country: countries[index % countries.length] as string }),
		...(hasUserError(schedule, index) && { error: userError as string }),
	};
}

const fieldsOf = (resource: Schedule['resource']): INodeParameters =>
	Object.fromEntries(
		lookups[resource].fields.map(({ parameter, name }) => [parameter, `={{ $json.${name} }}`]),
	);

/** The node as it stands in the workflow. */
export function parametersOf(schedule: Schedule): INodeParameters {
	const { resource, operation, size, inputMode, splitResults } = schedule;
	const { timeoutSeconds, onTimeout, maxCredits, suspends, includeInputFields, webhooks } =
		schedule;
	const { countries, earlier } = schedule;
	const isWait = waits(schedule);
	const list = lookups[resource].listField;
	const custom = customOf(schedule);
	return {
		resource,
		operation,
		...(size === 'bulk' && { inputMode }),
		...(inputMode === 'array'
			? { [list]: `={{ $json.${list} }}` }
			: { ...fieldsOf(resource), identifyBy: schedule.identifyBy }),
		...(isWait && inputMode === 'array' && { splitResults }),
		...(suspends && { waitMode: 'suspend' }),
		options: {
			...(isWait && { timeout: timeoutSeconds, onTimeout }),
			...(includeInputFields && { includeInputFields }),
			...(webhooks > 0 && { webhook: { __rl: true, mode: 'url', value: '={{ $json.hook }}' } }),
			...(countries.length > 0 && { countryCode: '={{ $json.country }}' }),
			...(maxCredits > 0 && { maxCredits }),
			...(earlier.length > 0 && { earlierId: '={{ $json.earlier }}' }),
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
	return size === 'single' && lookups[resource].singleCustom === 'text'
		? `={{ ${value} }}`
		: `={{ JSON.stringify({ of: ${value} }) }}`;
}
