import { refuse } from '../common/errors';
import type { IDataObject } from 'n8n-workflow';
import { describeType, isRecord, parseJson, quote } from '../common/values';
import type { Lookup, Size } from '../lookups/types';

/** What a submission carries beside its searches (`service-api.md` section 4). */
export interface Envelope {
	custom?: IDataObject | string;
	settings?: IDataObject;
}

/** What the user gave for an entry of Options. */
export type OptionOf = (name: string) => unknown;

const CUSTOM = 'Custom Data';
const ITEM_CUSTOM = 'Custom Data per Item';

/** Reads `settings` and `custom` from the Options of one item; `webhook` comes from elsewhere. */
export function readEnvelope(
	{ lookup, size }: { lookup: Lookup; size: Size },
	optionOf: OptionOf,
	webhook: string | undefined,
): Envelope {
	const settings: IDataObject = {};
	for (const { property, setting, read } of lookup.options) {
		const value = read(optionOf(property.name));
		if (value !== undefined) settings[setting] = value;
	}
	if (webhook !== undefined) settings.webhook = webhook;
	const custom =
		size === 'single' && lookup.singleCustom === 'text'
			? readCustomText(CUSTOM, optionOf('custom'))
			: readObject(CUSTOM, optionOf('custom'));

	const envelope: Envelope = {};
	if (custom !== undefined) envelope.custom = custom;
	if (Object.keys(settings).length > 0) envelope.settings = settings;
	return envelope;
}

/** The `custom` of one search of a batch, where the lookup has such a thing. */
export function readItemCustom(
	{ itemCustom, singleCustom }: Lookup,
	optionOf: OptionOf,
): IDataObject | string | undefined {
	if (!itemCustom) return undefined;
	const given = optionOf('itemCustom');
	if (singleCustom === 'object' && isRecord(given)) return given;
	return readCustomText(ITEM_CUSTOM, given);
}

/** A name with a quote or a line break in it ends the JSON text that it is put into. */
const HOW_TO_WRITE_OBJECT =
	'Write for example {"list": "spring"}; with values of the item as one expression, which takes any text: {{ { name: $json.name } }}.';

function readObject(label: string, value: unknown): IDataObject | undefined {
	if (value === undefined || value === null || value === '') return undefined;
	const custom = parseJson(value);
	if (!isRecord(custom)) {
		return refuse({
			message: `'${label}' must be a JSON object, but is ${typeof custom === 'string' ? quote(custom) : describeType(custom)}`,
			description: HOW_TO_WRITE_OBJECT,
		});
	}
	return Object.keys(custom).length === 0 ? undefined : custom;
}

/** A text that comes back with the result; numbers such as a row's are taken as text. */
function readCustomText(label: string, value: unknown): string | undefined {
	if (value === undefined || value === null || value === '') return undefined;
	if (typeof value === 'string') return value;
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	return refuse({
		message: `'${label}' must be text, but is ${describeType(value)}`,
		description: 'Give a text or a number, for example the number of the row in your list.',
	});
}
