import type { IDataObject } from 'n8n-workflow';
import { describeType, quote } from '../lookups/fields';
import type { Lookup, Refuse, Size } from '../lookups/types';
import { isRecord } from '../common/json';
import { isWritable, parseJson } from './parameters';

/** What a submission carries beside its searches (`service-api.md` section 4). */
export interface Common {
	custom?: IDataObject | string;
	settings?: IDataObject;
}

/** Reads `settings` and `custom` from the Options of one item. */
export function readCommon(
	lookup: Lookup,
	size: Size,
	options: IDataObject,
	webhook: string | undefined,
	refuse: Refuse,
): Common {
	const settings = lookup.readSettings?.(options, refuse) ?? {};
	if (webhook !== undefined) settings.webhook = webhook;
	const custom =
		size === 'single' && lookup.singleCustom === 'text'
			? readText('Custom', options.custom, refuse)
			: readObject('Custom', options.custom, refuse);

	const common: Common = {};
	if (custom !== undefined) common.custom = custom;
	if (Object.keys(settings).length > 0) common.settings = settings;
	return common;
}

function readObject(label: string, value: unknown, refuse: Refuse): IDataObject | undefined {
	if (value === undefined || value === null || value === '') return undefined;
	const custom = parseJson(value);
	if (!isRecord(custom)) {
		return refuse({
			message: `'${label}' must be a JSON object, but is ${typeof custom === 'string' ? quote(custom) : describeType(custom)}`,
			description: 'Write for example {"list": "spring"}.',
		});
	}
	if (!isWritable(custom)) {
		return refuse({
			message: `'${label}' cannot be sent as JSON: it is nested too deeply`,
			description: 'Take fewer levels, or give it as text.',
		});
	}
	return Object.keys(custom).length === 0 ? undefined : custom;
}

/** A text that comes back with the result; numbers such as a row's are taken as text. */
export function readText(label: string, value: unknown, refuse: Refuse): string | undefined {
	if (value === undefined || value === null || value === '') return undefined;
	if (typeof value === 'string') return value;
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	return refuse({
		message: `'${label}' must be text, but is ${describeType(value)}`,
		description: 'Give a text or a number, for example the number of the row in your list.',
	});
}
