import type { IDataObject } from 'n8n-workflow';
import { asText, isRecord } from '../common/values';
import type { Lookup, Size } from '../lookups/types';
import { isErrorJson } from './items';
import { readingOf } from './explain';

/** In characters of JSON: about 6,000 tokens, which an agent pays again with each of its next steps. */
const MAX_LENGTH = 20_000;
/** For the sentences around what is shown. */
const RESERVED_LENGTH = 1_000;

/** How a model can ask again for what is not finished. */
interface AskingAgain {
	lookup: Lookup;
	size: Size;
	/** Whether an equal call that follows finds the receipts of this one, and waits on. */
	finishesBySameCall: boolean;
	/** Whether the tool takes the id of an earlier search. */
	takesEarlierId: boolean;
}

/** What a tool answers: how to ask again for what still runs, and no more than a model can take in. */
export function toToolAnswer(asking: AskingAgain, items: IDataObject[]): IDataObject[] {
	const answer = items.map((json) =>
		json.status === 'ongoing' ? { ...json, next_step: tellNextStep(asking, [json]) } : json,
	);
	return lengthOf(answer) <= MAX_LENGTH ? answer : shorten(asking, items);
}

function tellNextStep(
	{ lookup, size, finishesBySameCall, takesEarlierId }: AskingAgain,
	ongoing: IDataObject[],
): string {
	const { operation, label } = readingOf(size);
	const ids = new Set(ongoing.map(shownId));
	const value = ids.size === 1 ? String([...ids][0]) : 'each of their IDs';
	const ways = [`by ${operation} of the ${lookup.title} with ${label} ${value}`];
	if (takesEarlierId) {
		ways.unshift(`by this tool with the same arguments and ${value} as ID of an Earlier Search`);
	}
	if (finishesBySameCall) ways.push('within this run by the same call again');
	return `No result yet: ask again in a while, ${ways.join(', or ')}; this costs no credits, but a new search would.`;
}

/** A sum, and as many whole results as there is room for: those found first. */
function shorten(asking: AskingAgain, items: IDataObject[]): IDataObject[] {
	const results = items.flatMap(resultsIn);
	const found = results.filter((result) => result.found === true);
	const ongoing = results.filter(({ status }) => status === 'ongoing');
	const shown = new Set<IDataObject>();
	let left = MAX_LENGTH - RESERVED_LENGTH;
	for (const result of new Set([...found, ...results])) {
		left -= lengthOf([result]);
		if (left < 0) break;
		shown.add(result);
	}
	const hidden = results.filter((result) => !shown.has(result));
	const ids = [...new Set(hidden.flatMap((result) => shownId(result) ?? []))];
	const failed = results.filter(isErrorJson);
	const { operation } = readingOf(asking.size);
	const howToRead = `What has an ID is not lost: a workflow reads it with ${operation}, which costs no credits. Do not search for it again.`;
	const { credits_spent, searches_maybe_charged } = items[0] ?? {};
	const sum = {
		results: results.length,
		found: found.length,
		shown: shown.size,
		...(ids.length > 0 && { ids_not_shown: ids }),
		...(failed.length > 0 && { failed: failed.length, first_error: failed[0]?.error }),
		...(ongoing.length > 0 && { next_step: tellNextStep(asking, ongoing) }),
		credits_spent,
		searches_maybe_charged,
		note: `Too long to show all: those found come first. ${ids.length > 0 ? howToRead : ''}`.trim(),
	};
	return [sum, ...shown];
}

function shownId({ search_id, id, batch_id }: IDataObject): string | undefined {
	return asText(search_id) ?? asText(id) ?? asText(batch_id);
}

/** A list or a batch in one item, as its results. */
function resultsIn(json: IDataObject): IDataObject[] {
	return Array.isArray(json.results) ? json.results.filter(isRecord) : [json];
}

/** In characters of JSON. */
function lengthOf(items: IDataObject[]): number {
	return JSON.stringify(items).length;
}
