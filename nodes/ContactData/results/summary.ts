import type { IDataObject } from 'n8n-workflow';
import { asAmount, asRecord, tellAmount, tellCredits } from '../common/values';
import type { ItemFailure } from '../common/errors';
import { isFailure } from '../common/errors';
import type { ItemSearch, ReadItem } from '../input/searches';
import { isSearch } from '../input/searches';
import type { Lookup, Size } from '../lookups/types';
import { chargeOf } from '../spending/budget';
import type { Forecast, ItemForecast } from '../spending/forecast';
import type { Submission } from '../spending/plan';
import type { Started } from '../spending/start';
import { isSubmitted } from '../spending/start';
import type { Waited } from './collect';
import type { ItemOutput } from './items';
import { idsOf, toErrorJson } from './items';
import { submissionFailure } from './problems';

/** From here on single lookups are better sent as one batch. */
const MANY_SINGLES = 500;

/**
 * One line for the output pane: how many were found, what it cost, what was refunded, what is left.
 * @param outputs one for each search
 */
export function summarize(waited: Waited, outputs: ItemOutput[]): string {
	const { lookup, size, started } = waited;
	let [found, ongoing, read] = [0, 0, 0];
	outputs.forEach((output, index) => {
		if (isFailure(output)) return;
		const search = started.searches[index];
		if (output.json.found === true) found++;
		if (output.json.status === 'ongoing') ongoing++;
		else if (search !== undefined && isSubmitted(search) && isEarlier(search.submission)) read++;
	});
	const refunded = countRefunds(waited);
	const parts = [`${lookup.words.found} ${found} of ${outputs.length}`, tellSpent(started)];
	if (read > 0) parts.push(`${read} read from earlier searches`);
	if (refunded > 0) parts.push(`${tellAmount(refunded)} refunded`);
	if (ongoing > 0) parts.push(`${ongoing} still running`);
	const submissions = started.submissions.filter((submission) => !isEarlier(submission)).length;
	const advice = adviceOnSize(lookup, size, submissions, outputs.length);
	return `${parts.join(', ')}.${tellLeftOut(lookup, searchesSent(started))}${tellBalance(started, refunded)}${advice}`;
}

/** One line for the output pane: how many were started, what that cost, what is left; none for none. */
export function summarizeStart(lookup: Lookup, size: Size, started: Started): string | undefined {
	const accepted = started.submissions.filter(
		(_, index) => started.outcomes[index]?.kind === 'accepted',
	);
	if (accepted.length === 0) return undefined;
	const searches = accepted.reduce((sum, submission) => sum + submission.size, 0);
	const batches = size === 'bulk' ? ` in ${counted(accepted.length, 'batch', 'batches')}` : '';
	const { one, many } = lookup.noun;
	const leftOut = tellLeftOut(lookup, searchesSent(started));
	return `Started ${counted(searches, one, many)}${batches}, ${tellSpent(started)}.${leftOut}${tellBalance(started)}`;
}

/** Equal ones once. */
function searchesSent({ submissions, outcomes }: Started): ItemSearch[] {
	return submissions.flatMap(({ items, earlierId }, index) =>
		outcomes[index]?.kind === 'accepted' && earlierId === undefined
			? items.flatMap((same) => same.slice(0, 1))
			: [],
	);
}

/** How many searches go without a value that could not be used. */
function tellLeftOut({ noun }: Lookup, itemSearches: readonly ReadItem[]): string {
	const counts = new Map<string, number>();
	for (const itemSearch of itemSearches) {
		if (!isSearch(itemSearch) || itemSearch.earlierId !== undefined) continue;
		for (const label of itemSearch.leftOut ?? []) counts.set(label, (counts.get(label) ?? 0) + 1);
	}
	const tell = ([label, count]: [string, number]) =>
		` ${counted(count, noun.one, noun.many)} ${count === 1 ? 'goes' : 'go'} without '${label}', which could not be used.`;
	return [...counts].map(tell).join('');
}

/** That a list in one item was sent in more than one batch. */
export function tellSplitLists({ submissions }: Started): string | undefined {
	const sent = submissions.filter((submission) => !isEarlier(submission));
	const lists = new Set(sent.map(({ items }) => items[0]?.[0]?.item));
	if (sent.length === lists.size) return undefined;
	return `A list was sent in several batches, ${sent.length} in all.`;
}

/** That n8n's time limit ends a pause before its Timeout. */
export function tellShortPause(ms: number): string {
	const minutes = Math.floor(ms / 60_000);
	return `What is not finished after ${counted(minutes, 'minute', 'minutes')} comes out as ongoing: 'Timeout' is longer than n8n's time limit for this execution allows.`;
}

function tellSpent({ cost: { spent, isSure } }: Started): string {
	return `${isSure ? '' : 'at least '}${tellCredits(spent)} spent`;
}

/** It is counted, and others may spend too. */
function tellBalance({ balanceLeft }: Started, refunded = 0): string {
	if (balanceLeft === undefined) return '';
	return ` The account has about ${tellCredits(balanceLeft + refunded)} left.`;
}

function isEarlier({ earlierId }: Submission): boolean {
	return earlierId !== undefined;
}

/** Credits given back, where that can be true: it is not more than what was charged. */
function countRefunds({ started: { outcomes, submissions }, fates }: Waited): number {
	const refunds = new Map<string, number>();
	outcomes.forEach((outcome, index) => {
		if (outcome.kind !== 'accepted') return;
		const fate = fates.get(outcome.id);
		const refunded = fate?.kind === 'completed' ? readRefund(fate.body) : 0;
		const charged = chargeOf(outcome, submissions[index]?.size ?? 1) ?? 0;
		if (refunded > 0 && refunded <= charged) refunds.set(outcome.id, refunded);
	});
	return [...refunds.values()].reduce((sum, refunded) => sum + refunded, 0);
}

/** Credits given back for what a batch did not find (`service-api.md` section 3, rules 3 and 4). */
export function readRefund(body: unknown): number {
	const stats = asRecord(asRecord(body)?.stats);
	return (
		asAmount(stats?.credits_to_refund) ?? asAmount(asRecord(stats?.credits_cost)?.refunded) ?? 0
	);
}

function adviceOnSize(
	{ noun, words }: Lookup,
	size: Size,
	submissions: number,
	items: number,
): string {
	if (size === 'bulk' && items === 1) {
		return ` For one ${noun.one} at a time, '${words.verb}' answers sooner.`;
	}
	if (size === 'single' && submissions >= MANY_SINGLES) {
		return ` For so many ${noun.many}, '${words.verb} Many' needs far fewer requests than these ${submissions}.`;
	}
	return '';
}

/** What a dry run gives for an item, or for an entry of its list. */
interface DryRunItem {
	item: number;
	json: IDataObject & { action: 'submit' | 'same_as' | 'read' | 'invalid' };
}

/** One for each search, in order, and for each that could not be read. */
export function dryRunItems(
	{ lookup, size }: { lookup: Lookup; size: Size },
	{ byItem }: Forecast,
	itemSearches: ReadItem[],
): DryRunItem[] {
	const numbers = new Map(itemSearches.map((search, number) => [search, number]));
	const invalid = (failure: ItemFailure): DryRunItem['json'] => {
		return { dry_run: true, action: 'invalid', ...toErrorJson(failure.problem, failure) };
	};
	const toJson = (itemSearch: ReadItem): DryRunItem['json'] => {
		if (isFailure(itemSearch)) return invalid(itemSearch);
		if (!isSearch(itemSearch)) {
			const { json, asked } = itemSearch;
			return { dry_run: true, action: 'invalid', reason: json.reason, search: asked.search };
		}
		const one: ItemForecast = byItem.get(itemSearch) ?? { kind: 'submit' };
		const { search, item } = itemSearch;
		switch (one.kind) {
			case 'submit':
				return { dry_run: true, action: 'submit', search };
			case 'same':
				return { dry_run: true, action: 'same_as', same_as: numbers.get(one.as), search };
			case 'accepted':
				return { dry_run: true, action: 'read', ...idsOf(size, one.id), search };
			case 'unknown':
				return { ...invalid(submissionFailure(lookup, one, item)), search };
		}
	};
	return itemSearches.map((search) => ({ item: search.item, json: toJson(search) }));
}

/** The sum of a dry run, for the output pane. */
export function tellForecast(
	lookup: Lookup,
	{ byItem, searches, requests, price, balance, objection }: Forecast,
	items: DryRunItem[],
	requestsPerSecond: number,
): string {
	const { noun } = lookup;
	const countOf = (wanted: DryRunItem['json']['action']) =>
		items.filter(({ json: { action } }) => action === wanted).length;
	const unclear = [...byItem.values()].filter(({ kind }) => kind === 'unknown').length;
	const seconds = Math.floor((requests - 1) / requestsPerSecond);
	const time =
		seconds < 1 ? 'less than a second' : `at least ${counted(seconds, 'second', 'seconds')}`;
	const what =
		searches === 0
			? 'nothing'
			: `${counted(searches, noun.one, noun.many)} in ${counted(requests, 'request', 'requests')} (${time})`;
	const others = [
		tellIfAny(countOf('same_as'), 'repeats another item', 'repeat another item'),
		tellIfAny(countOf('read'), 'is read from an earlier search', 'are read from earlier searches'),
		tellIfAny(countOf('invalid') - unclear, 'item is invalid', 'items are invalid'),
		tellIfAny(unclear, 'may have been charged before', 'may have been charged before'),
	].flat();
	const sentences = [
		'Dry run: nothing was started.',
		`A real run would start ${what}.`,
		others.length > 0 && `${others.join(', ')}.`,
		tellLeftOut(
			lookup,
			[...byItem].flatMap(([search, { kind }]) => (kind === 'submit' ? search : [])),
		).trim(),
		searches > 0 && tellCost(searches, price),
		'credits' in balance && balance.credits !== undefined
			? `The account has ${tellCredits(balance.credits)}.`
			: `The balance could not be read${'refusal' in balance ? `: ${balance.refusal.message}` : ' at the moment'}.`,
		objection !== undefined && `So the run would end before anything is started: ${objection}.`,
	];
	return sentences.filter((sentence) => sentence !== false && sentence !== '').join(' ');
}

function tellCost(searches: number, price: Forecast['price']): string {
	if (price === undefined) return 'The price is not known yet.';
	const each = tellAmount(price.price);
	const basis = price.isSure ? `${each} each` : `if one still costs ${each} as it did last`;
	return `It would cost at most ${tellCredits(searches * price.price)} (${basis}).`;
}

function tellIfAny(count: number, one: string, many: string): string[] {
	return count === 0 ? [] : [counted(count, one, many)];
}

function counted(count: number, one: string, many: string): string {
	return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
