import type { IWebhookFunctions } from 'n8n-workflow';
import { monotonicMs } from '../common/time';
import { isRecord } from '../common/values';
import type { LookupEvent } from '../lookups';
import { EVENT_PARAMETER, lookupEvents } from '../lookups';
import { MAX_JSON_TEXT_LENGTH, readNotification } from '../service/notification';
import type { Asking, Question } from './ask';
import { SeenIds } from './seen';

/** The ids in a notification, and what is to be asked for them. */
export interface Notified extends Asking {
	/** What has started the workflow; unknown while somebody listens for a test event. */
	seen: SeenIds | undefined;
	/** Whether the workflow was started with one of the ids before. */
	isRepeat: boolean;
	/** The event of the mark in the URL. */
	marked: LookupEvent | undefined;
}

/** Nothing in a notification is believed but that it may name an id, and its kind. */
export function idsOf(context: IWebhookFunctions, trigger: string): Notified {
	const query: unknown = context.getQueryData();
	const { ids, event } = readNotification(context.getBodyData(), readRawBody(context), query);
	const selected = context.getNodeParameter('events', []);
	const isWanted = ({ name }: LookupEvent) => Array.isArray(selected) && selected.includes(name);
	const marked = readMark(query);
	const expected = [marked, event].find((one) => one !== undefined && isWanted(one));

	const rank = (one: LookupEvent) => (one === expected ? 0 : isWanted(one) ? 1 : 2);
	const events = marked ? [marked] : [...lookupEvents].sort((a, b) => rank(a) - rank(b));
	const asEach = (kinds: LookupEvent[]) =>
		ids.flatMap((id) => kinds.map((kind) => ({ id, event: kind })));
	// Each id gets a look, as the likeliest kind, before one gets a second.
	const all: Question[] = [...asEach(events.slice(0, 1)), ...asEach(events.slice(1))];

	const isTest = context.getMode() === 'manual';
	const seen = isTest ? undefined : SeenIds.of(trigger, context.getWorkflowStaticData('node'));
	const questions = all.filter((question) => seen?.has(question) !== true);
	const isRepeat = questions.length < all.length;
	return {
		trigger,
		begunAt: monotonicMs(),
		ids,
		questions,
		isWanted,
		expected: isRepeat ? undefined : expected,
		seen,
		isRepeat,
		marked,
	};
}

/** n8n leaves JSON unparsed whose content type it does not know. */
function readRawBody(context: IWebhookFunctions): string | undefined {
	const { rawBody }: { rawBody?: Buffer } = context.getRequestObject();
	return rawBody?.toString('utf8', 0, MAX_JSON_TEXT_LENGTH);
}

/** The event that our own mark in the URL names; `undefined` where there is none that we know. */
function readMark(query: unknown): LookupEvent | undefined {
	const mark = isRecord(query) ? query[EVENT_PARAMETER] : undefined;
	return lookupEvents.find(({ name }) => name === mark);
}
