import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { ItemFailure } from '../common/errors';
import { ProblemError, toFailure } from '../common/errors';
import type { Lookup, Refuse, Search, SearchField, Size } from '../lookups/types';
import { readEarlierId } from './earlierId';
import type { Envelope, OptionOf } from './envelope';
import { readEnvelope, readItemCustom } from './envelope';
import { Parameters } from './parameters';
import { readSearch } from './search';
import { readSearchList } from './searchList';

/** The search of one input item, or of one entry of its list, checked and ready to be sent. */
export interface ItemSearch {
	item: number;
	search: Search;
	/** The `custom` that comes back with this search's result; a batch has one of its own as well. */
	custom?: IDataObject | string;
	/** The lookup or batch that it was started in before: it is read, and not submitted. */
	earlierId?: string;
	/** The same for a whole batch. */
	envelope: Envelope;
	/** Searches of different groups never share a batch. */
	group: string;
}

/**
 * Reads and checks the searches of all input items, in their order.
 * @param webhookOf where the service is to notify of an item's search, from the item's Options
 */
export function readItemSearches(
	context: IExecuteFunctions,
	lookup: Lookup,
	size: Size,
	webhookOf: (optionOf: OptionOf, item: number) => string | undefined,
): Array<ItemSearch | ItemFailure> {
	const parameters = new Parameters(context);
	const isList = size === 'bulk' && parameters.get('inputMode', 0) === 'array';
	return context.getInputData().flatMap((_, item): Array<ItemSearch | ItemFailure> => {
		try {
			const optionOf: OptionOf = (name) => parameters.option(name, item);
			const refuse: Refuse = (problem) => {
				throw new ProblemError({ problem, item });
			};
			const envelope = readEnvelope({ lookup, size }, optionOf, webhookOf(optionOf, item), refuse);
			if (isList) {
				const list = readSearchList(lookup, parameters.get(lookup.listField, item), refuse);
				return list.map((entry) => ({ item, ...entry, envelope, group: `${item}` }));
			}
			const group = JSON.stringify(envelope);
			const search = readSearch(lookup, shownFields(lookup, parameters, item), refuse, (field) =>
				parameters.get(field.parameter, item),
			);
			const earlierId = readEarlierId(optionOf('earlierId'), refuse);
			const itemCustom = readItemCustom(lookup, optionOf, refuse);
			const custom = size === 'single' ? envelope.custom : itemCustom;
			return [{ item, search, custom, earlierId, envelope, group }];
		} catch (error) {
			// An expression that cannot be resolved is the fault of its item alone.
			return [{ ...toFailure(error), item }];
		}
	});
}

function shownFields(lookup: Lookup, parameters: Parameters, item: number): SearchField[] {
	return lookup.fields.filter(
		({ identifyBy }) =>
			identifyBy === undefined || identifyBy === parameters.get('identifyBy', item),
	);
}
