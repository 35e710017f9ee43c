import type { IDataObject } from 'n8n-workflow';
import { asText, isRecord } from '../common/json';
import type { Lookup, Size } from '../lookups/types';
import { bulkResult, isErrorJson } from './items';
import { readingOf } from './problems';

/** In characters of JSON: about 6,000 tokens, which an agent pays again with each of its next steps. */
const MAX_LENGTH = 20_000;
/** For the sentences around what is shown. */
const RESERVED_LENGTH = 1_000;
/** What one value may take of an answer that is shortened. */
const MAX_VALUE_LENGTH = 1_000;
/** What is the same for all results, said by `found`, or said of the first. */
const NOT_NEEDED = new Set([
	'batch_id',
	'credits_spent',
	'index',
	'item',
	'next_step',
	'qualification',
	'searches_maybe_charged',
]);

/** By what a model can ask again for what is not finished. */
export interface AskingAgain {
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
	return lengthOf(answer) <= MAX_LENGTH ? answer : shorten(asking, answer);
}

/** Whether a model is told of all results: an answer that is too long shows a part of them. */
export function showsAll(lookup: Lookup, items: IDataObject[]): boolean {
	return lengthOf(items) <= MAX_LENGTH || chooseShown(lookup, items).hidden.length === 0;
}

function tellNextStep(
	{ lookup, size, finishesBySameCall, takesEarlierId }: AskingAgain,
	ongoing: IDataObject[],
): string {
	const { operation, label } = readingOf(size);
	const ids = new Set(
		ongoing.map(({ id, batch_id: batchId = id }) => asText(size === 'single' ? id : batchId)),
	);
	const value = ids.size === 1 ? String([...ids][0]) : 'each of their IDs';
	const ways = [`by ${operation} of the ${lookup.title} with ${label} ${value}`];
	if (takesEarlierId) {
		ways.unshift(`by this tool with the same arguments and ${value} as ID of an Earlier Search`);
	}
	if (finishesBySameCall) ways.push('within this run by the same call again');
	return `No result yet: ask again in a while, ${ways.join(', or ')}; this costs no credits, but a new search would.`;
}

/** The sum, and then as many of the results as there is room for: those found first. */
function shorten(asking: AskingAgain, answer: IDataObject[]): IDataObject[] {
	const chosen = chooseShown(asking.lookup, answer);
	return [sumOf(asking, answer, chosen), ...chosen.shown];
}

type Chosen = Record<'entries' | 'shown' | 'hidden', IDataObject[]>;

function chooseShown(lookup: Lookup, answer: IDataObject[]): Chosen {
	const entries = answer.flatMap(splitBatch);
	const found = entries.filter((entry) => entry.found === true);
	const others = entries.filter((entry) => entry.found !== true);
	const shown: IDataObject[] = [];
	let left = MAX_LENGTH - RESERVED_LENGTH;
	const hidden = [...found, ...others].filter((entry) => {
		const brief = toBrief(lookup, entry);
		left -= lengthOf(brief);
		if (left >= 0) shown.push(brief);
		return left < 0;
	});
	return { entries, shown, hidden };
}

/** What a shortened answer comes to. Each id is in it, or in what is shown. */
function sumOf(
	asking: AskingAgain,
	answer: IDataObject[],
	{ entries, shown: { length: shown }, hidden }: Chosen,
): IDataObject {
	const countOf = (isMeant: (entry: IDataObject) => boolean) => entries.filter(isMeant).length;
	// A batch may list nothing.
	const batches = new Set(answer.flatMap(({ batch_id: id }) => asText(id) ?? []));
	const [batch] = batches;
	const hiddenIds = hidden.flatMap(({ id }) => asText(id) ?? []);
	const failed = entries.filter(isErrorJson);
	const ongoing = entries.filter(({ status }) => status === 'ongoing');
	const { credits_spent: spent, searches_maybe_charged: unsure } = answer[0] ?? {};
	return {
		results: entries.length,
		...(isDryRun(answer) ? { dry_run: true } : { found: countOf((entry) => entry.found === true) }),
		...(ongoing.length > 0 && {
			ongoing: ongoing.length,
			next_step: tellNextStep(asking, ongoing),
		}),
		...(failed.length > 0 && { failed: failed.length, first_error: failed[0]?.error }),
		shown,
		...(batches.size === 1 && { batch_id: batch }),
		...(batches.size > 1 && { batch_ids: [...batches] }),
		...(hiddenIds.length > 0 && { ids_not_shown: hiddenIds }),
		credits_spent: spent,
		searches_maybe_charged: unsure,
		note: shown < entries.length ? tellCut(asking.size, answer) : 'Each result is shortened.',
	};
}

/** Only what has an id can be read again: what failed before it was started has none. */
function tellCut(size: Size, answer: IDataObject[]): string {
	if (isDryRun(answer)) return 'Too many to show, each shortened. Nothing was started.';
	const cut = 'Too many to show: those found come first, each shortened.';
	const ids = new Set(answer.map(({ id, batch_id: batchId = id }) => asText(batchId)));
	const isWhole = !ids.delete(undefined);
	if (ids.size === 0) return cut;
	const { operation } = readingOf(size);
	const reading = `${operation} and ${ids.size === 1 ? 'this ID' : 'each ID'}, which costs no credits`;
	return isWhole
		? `${cut} None is lost: a workflow reads all of them with ${reading}. Do not search for them again.`
		: `${cut} What has an ID is not lost: a workflow reads it with ${reading}. Do not search for it again.`;
}

function isDryRun(answer: IDataObject[]): boolean {
	return answer.some(({ dry_run: isDry }) => isDry === true);
}

/** A batch in one item, as its results. */
function splitBatch(json: IDataObject): IDataObject[] {
	const { batch_id: batchId, results } = json;
	if (typeof batchId !== 'string' || !Array.isArray(results)) return [json];
	return results.filter(isRecord).map((result) => bulkResult(batchId, result));
}

/** A result with what was searched for flat in it, and without what says nothing more. */
function toBrief(lookup: Lookup, json: IDataObject): IDataObject {
	const echo = lookup.echo(json);
	const [echoName] = Object.keys(lookup.toEcho({}));
	const asked = wordsIn(toJson(Object.values(echo)) ?? '');
	const brief: IDataObject = { ...echo };
	for (const [name, value] of Object.entries(json)) {
		if (name === echoName || NOT_NEEDED.has(name)) continue;
		if (name === 'status' && value === 'completed') continue;
		brief[name] = isRecord(value) ? withoutAsked(value, asked) : value;
	}
	return Object.fromEntries(
		Object.entries(brief).filter(
			([, value]) => value !== undefined && lengthOf(value) <= MAX_VALUE_LENGTH,
		),
	);
}

/** What a part of a result tells that was not asked with; `undefined` where that is nothing. */
function withoutAsked(part: IDataObject, asked: Set<string>): IDataObject | undefined {
	const told = Object.entries(part).filter(
		([, value]) =>
			typeof value !== 'string' || [...wordsIn(value)].some((word) => !asked.has(word)),
	);
	return told.length === 0 ? undefined : Object.fromEntries(told);
}

function wordsIn(text: string): Set<string> {
	return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
}

/** In characters of JSON; `Infinity` where it is nested too deeply for JSON, and so for n8n. */
function lengthOf(value: unknown): number {
	return value === undefined ? 0 : (toJson(value)?.length ?? Infinity);
}

function toJson(value: unknown): string | undefined {
	try {
		return JSON.stringify(value);
	} catch {
		return undefined;
	}
}
