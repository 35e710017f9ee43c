import type { IDataObject } from 'n8n-workflow';
import { tellAmount, tellCredits } from '../common/credits';
import type { ItemFailure } from '../common/itemErrors';
import { isFailure } from '../common/itemErrors';
import type { ItemSearch } from '../input/itemSearches';
import type { Lookup, Size } from '../lookups/types';
import type { ItemForecast, Forecast } from '../spending/forecast';
import { idsOf, toErrorJson } from './items';
import { submissionFailure } from './problems';

/** What a dry run gives for an item, or for an entry of its list. */
export interface DryRunItem {
	item: number;
	json: IDataObject & { action: 'submit' | 'same_as' | 'read' | 'invalid' };
}

/** One for each search, in order, and for each that could not be read. */
export function dryRunItems(
	endpoint: { lookup: Lookup; size: Size },
	{ byItem }: Forecast,
	itemSearches: Array<ItemSearch | ItemFailure>,
): DryRunItem[] {
	const numbers = new Map(itemSearches.map((search, number) => [search, number]));
	const toJson = (itemSearch: ItemSearch | ItemFailure): DryRunItem['json'] => {
		if (isFailure(itemSearch)) return invalid(itemSearch);
		const one: ItemForecast = byItem.get(itemSearch) ?? { kind: 'submit' };
		const { search, item } = itemSearch;
		switch (one.kind) {
			case 'submit':
				return { dry_run: true, action: 'submit', search };
			case 'same':
				return { dry_run: true, action: 'same_as', same_as: numbers.get(one.as), search };
			case 'accepted':
				return { dry_run: true, action: 'read', ...idsOf(endpoint.size, one.id), search };
			case 'unknown':
				return { ...invalid(submissionFailure(endpoint.lookup, one, item)), search };
		}
	};
	return itemSearches.map((search) => ({ item: search.item, json: toJson(search) }));
}

function invalid(failure: ItemFailure): DryRunItem['json'] {
	return { dry_run: true, action: 'invalid', ...toErrorJson(failure.problem, failure) };
}

/** The sum of a dry run, for the output pane. */
export function tellForecast(
	lookup: Lookup,
	forecast: Forecast,
	items: DryRunItem[],
	{ requestsPerSecond, continueOnFail }: { requestsPerSecond: number; continueOnFail: boolean },
): string {
	const countOf = (wanted: DryRunItem['json']['action']) =>
		items.filter(({ json: { action } }) => action === wanted).length;
	const unclear = [...forecast.byItem.values()].filter(({ kind }) => kind === 'unknown').length;
	const sentences = [
		`Dry run: nothing was started. A real run would start ${tellSearches(lookup, forecast, requestsPerSecond)}.`,
		tellOthers(countOf('same_as'), countOf('read')),
		tellInvalid(countOf('invalid') - unclear, continueOnFail),
		tellUnclear(unclear),
		...tellMoney(lookup, forecast),
	];
	return sentences.filter((sentence) => sentence !== '').join(' ');
}

function tellSearches(
	{ noun }: Lookup,
	{ searches, requests, isProbed }: Forecast,
	perSecond: number,
): string {
	if (searches === 0) return 'nothing';
	const pace = `${tellLeastTime(requests, perSecond)} at the pace of ${perSecond} per second`;
	const probe =
		isProbed && requests > 1
			? "; because of 'Max Credits' the first is for one search alone, to learn the price"
			: '';
	return `${counted(searches, noun.one, noun.many)} in ${counted(requests, 'request', 'requests')} (${pace}${probe})`;
}

function tellLeastTime(requests: number, perSecond: number): string {
	const seconds = Math.floor((requests - 1) / perSecond);
	if (seconds < 1) return 'less than a second';
	if (seconds < 120) return `at least ${counted(seconds, 'second', 'seconds')}`;
	return `at least ${Math.floor(seconds / 60)} minutes`;
}

function tellOthers(same: number, read: number): string {
	const parts: string[] = [];
	if (same > 0) parts.push(`${counted(same, 'repeats', 'repeat')} another item`);
	if (read > 0) parts.push(`${counted(read, 'is', 'are')} read from what was started earlier`);
	return parts.length === 0 ? '' : `${parts.join(' and ')}, free of charge.`;
}

function tellInvalid(invalid: number, continueOnFail: boolean): string {
	if (invalid === 0) return '';
	const consequence = continueOnFail
		? 'gives an error, and the others go on'
		: "ends the run before anything is started, unless 'On Error' in the settings of the node is Continue";
	return `${counted(invalid, 'item is', 'items are')} invalid: that ${consequence}.`;
}

function tellUnclear(unclear: number): string {
	if (unclear === 0) return '';
	return `${counted(unclear, 'item', 'items')} may have been charged by an earlier try: not sent again, but an error.`;
}

function tellMoney({ noun }: Lookup, { searches, price, balance, objection }: Forecast): string[] {
	const credits = 'credits' in balance ? balance.credits : undefined;
	const needed = price === undefined ? undefined : searches * price.price;
	const sentences: string[] = [];
	if (searches > 0) sentences.push(tellCost(noun, searches, price));
	if (credits !== undefined) sentences.push(`The account has ${tellCredits(credits)}.`);
	else {
		const why = 'refusal' in balance ? `: ${balance.refusal.message}` : ' at the moment';
		sentences.push(`The balance could not be read${why}.`);
	}
	if (objection !== undefined) {
		sentences.push(`So the run would end before anything is started: ${objection}.`);
	} else if (credits !== undefined && needed !== undefined && needed > credits) {
		sentences.push('That may not be enough: the service refuses what goes past the balance.');
	}
	return sentences;
}

function tellCost({ many }: Lookup['noun'], searches: number, price: Forecast['price']): string {
	if (price === undefined) {
		return `The price of ${many} is not known yet: the first answer tells it.`;
	}
	const cost = `It would cost at most ${tellCredits(searches * price.price)}`;
	const each = tellAmount(price.price);
	return price.isSure
		? `${cost} (${each} each).`
		: `${cost}, if one still costs ${each} as it did last.`;
}

function counted(count: number, one: string, many: string): string {
	return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
