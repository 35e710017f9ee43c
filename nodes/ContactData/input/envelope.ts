import { refuse } from '../common/errors';
import type { IDataObject } from 'n8n-workflow';
import { describeType, isRecord, parseJson, quote } from '../common/values';
import type { Lookup, OptionOf, Search, Size } from '../lookups/types';

/** What a submission carries beside its searches (`service-api.md` section 4). */
export interface Envelope {
	custom?: IDataObject | string;
	settings?: IDataObject;
}

/** Reads `custom` from the Options of one item; `webhook` comes from elsewhere. */
export function readEnvelope(
	{ lookup, size }: { lookup: Lookup; size: Size },
	optionOf: OptionOf,
	webhook: string | undefined,
): Envelope {
	const form = size === 'single' ? lookup.singleCustom : 'object';
	const custom = readCustom("'Custom Data'", optionOf('custom'), form);
	return {
		...(custom !== undefined && { custom }),
		...(webhook !== undefined && { settings: { webhook } }),
	};
}

/** An envelope with the settings that a lookup has for one search. */
export function withSettings(
	envelope: Envelope,
	{ options }: Lookup,
	optionOf: OptionOf,
	search: Search,
): Envelope {
	const settings: IDataObject = { ...envelope.settings };
	for (const { setting, read } of options) {
		const value = read(optionOf, search);
		if (value !== undefined) settings[setting] = value;
	}
	return Object.keys(settings).length === 0 ? envelope : { ...envelope, settings };
}

/** The `custom` of one search of a batch, where the lookup has such a thing; of an option, or of an entry of a list. */
export function readItemCustom(
	{ itemCustom, singleCustom }: Lookup,
	label: string,
	given: unknown,
): Envelope['custom'] {
	if (!itemCustom) return undefined;
	return readCustom(label, given, singleCustom === 'object' ? 'either' : 'text');
}

/** A name with a quote or a line break in it ends the JSON text that it is put into. */
const HOW_TO_WRITE_OBJECT =
	'Write for example {"list": "spring"}; with values of the item as one expression, which takes any text: {{ { name: $json.name } }}.';

/** The user's own data in the service's form, `undefined` for nothing; a row's number becomes text. */
function readCustom(
	label: string,
	given: unknown,
	form: 'object' | 'text' | 'either',
): Envelope['custom'] {
	if (given === undefined || given === null || given === '') return undefined;
	const value = form === 'object' ? parseJson(given) : given;
	if (form !== 'text' && isRecord(value)) {
		return Object.keys(value).length === 0 ? undefined : value;
	}
	if (form !== 'object' && typeof value !== 'object') return String(value);
	return refuse({
		message: `${label} must be ${form === 'object' ? 'a JSON object' : 'text'}, but is ${typeof value === 'string' ? quote(value) : describeType(value)}`,
		description:
			form === 'object'
				? HOW_TO_WRITE_OBJECT
				: 'Give a text or a number, for example the number of the row in your list.',
	});
}
