import {
	addCredits,
	asRecord,
	asText,
	isRecord,
	parseJson,
} from '../../nodes/ContactData/common/values.ts';
import { accepted, chargeOf, noteShown } from '../../nodes/ContactData/orders/order.ts';
import { give } from '../../nodes/ContactData/results/give.ts';
import { toAccountInfo } from '../../nodes/ContactData/service/account.ts';
import { readNotification } from '../../nodes/ContactData/service/notification.ts';
import { findMessage, UNREADABLE_ANSWER } from '../../nodes/ContactData/service/refusals.ts';
import { hasEnded, type Ended } from '../../nodes/ContactData/service/state.ts';
import type { LookupEvent } from '../../nodes/ContactData/lookups/index.ts';
import { orderOf, rowsFor, settingsFor } from '../support/rows.mts';
import type { Words } from './anonymous.mts';
import type { Received } from './receiver.mts';
import type { Look, Talk, Told } from './talk.mts';
import type { Heard } from './wire.mts';

/** One thing that `service-api.md` leaves open. */
export interface Finding {
	readonly open: string;
	/** Of `service-api.md`. */
	readonly section: string;
	readonly did: string;
	readonly copes: 'yes' | 'no' | 'not seen';
}

const yesIf = (copes: boolean) => (copes ? 'yes' : 'no');

/**
 * What the service did about each of them, and what the package made of it.
 * @param words through which all goes that the service says
 */
export function findingsOf(talk: Talk, words: Words): Finding[] {
	return [
		...ofAccount(talk, words),
		...ofUnknownIds(talk, words),
		...talk.told.flatMap((one) => [
			ofReceipt(one, words),
			ofProgress(one, words),
			...ofResult(one, words),
		]),
		...ofCredits(talk),
		...ofLimits(talk, words),
		...ofNotifications(talk, words),
	];
}

function titleOf({ lookup, size }: LookupEvent): string {
	return `${lookup.title}, ${size}`;
}

/** The status, and what is said in words or the names of the fields. */
export function outline(heard: Heard | undefined, words: Words): string {
	if (heard === undefined) return 'no answer';
	const { status, body } = heard;
	const said = status >= 400 ? findMessage(body) : undefined;
	const fields = asRecord(body);
	const names = fields && namesIn(fields, words);
	const text = typeof body === 'string' ? words.text(body) : 'a list';
	const shown = said === undefined ? (names ?? text) : words.text(said);
	return `HTTP ${status}: ${shown || 'empty'}`;
}

function namesIn(fields: object, words: Words): string {
	return Object.keys(fields)
		.map((name) => words.name(name))
		.join(', ');
}

function ofAccount({ accounts: [{ heard, balance }], wrongKey }: Talk, words: Words): Finding[] {
	const { credits, webhooks } = toAccountInfo(heard?.body);
	const hasWebhooks = asRecord(heard?.body)?.webhooks !== undefined;
	const isRead = heard !== undefined && heard.status < 300 && credits !== undefined;
	// Without the balance a run goes on, and the service decides.
	const copes = !('refusal' in balance) && (!hasWebhooks || webhooks.length > 0);
	const account: Finding = {
		open: 'Credits and webhooks of the account',
		section: '2.10, 4.13',
		did: isRead ? `${outline(heard, words)}; webhooks: ${webhooks.length}` : outline(heard, words),
		copes: yesIf(copes),
	};
	if (wrongKey === undefined) return [account];
	const { reading } = wrongKey;
	const isKnown = reading.kind === 'fault' && reading.refusal.scope === 'account';
	return [
		account,
		{
			open: 'A wrong key',
			section: '5',
			did: outline(wrongKey.heard, words),
			copes: yesIf(isKnown),
		},
	];
}

function ofUnknownIds({ unknownIds }: Talk, words: Words): Finding[] {
	return unknownIds.map(({ event, heard, fate }) => ({
		open: `${titleOf(event)}: an unknown id`,
		section: '7',
		did: outline(heard, words),
		copes: yesIf((fate.kind === 'fault' && fate.fault === 'refused') || isNotInPlan(event, fate)),
	}));
}

function isNotInPlan({ lookup }: LookupEvent, fate: Look['fate']): boolean {
	return fate.kind === 'fault' && lookup.notInPlan?.test(fate.refusal.message) === true;
}

function chargedFor({ wish, outcome }: Pick<Told, 'wish' | 'outcome'>): number | undefined {
	if (outcome.kind !== 'accepted') return undefined;
	const fate = accepted(outcome.id, outcome.answer);
	return chargeOf({ fate, origin: 'new', count: wish.searches.length });
}

function ofReceipt({ wish, receipt, outcome }: Told, words: Words): Finding {
	const charge = chargedFor({ wish, outcome });
	const price = charge === undefined ? '' : `; ${charge} for ${wish.searches.length}`;
	const isAccepted = outcome.kind === 'accepted';
	return {
		open: `${titleOf(wish.event)}: the answer to the POST, its price`,
		section: '4, 8',
		did: outline(receipt, words) + (isAccepted ? price : ''),
		// Cancelled: it was told to come again, and is not sent again here.
		copes: yesIf(isAccepted ? charge !== undefined : outcome.kind !== 'unknown'),
	};
}

/** Whatever came before the end is an answer of something in progress, or a fault that has passed. */
function ofProgress({ wish, looks }: Told, words: Words): Finding {
	const before = looks.filter(({ fate }) => !hasEnded(fate));
	const [shown] = before.filter(({ heard }) => heard !== undefined && heard.status < 400);
	const [fault] = before.filter(({ heard }) => heard === undefined || heard.status >= 400);
	const isMisread = ({ heard, fate }: Look) =>
		heard !== undefined &&
		heard.status < 400 &&
		fate.kind === 'fault' &&
		(fate.fault === 'lasting' || fate.refusal.message === UNREADABLE_ANSWER);
	const seen = [shown, fault].filter((look) => look !== undefined);
	return {
		open: `${titleOf(wish.event)}: while it runs`,
		section: wish.event.size === 'single' ? '4.2, 4.6, 4.10' : '4.4, 4.8, 4.12',
		did:
			seen.map(({ heard }) => outline(heard, words)).join('; at first ') ||
			'was over at the first look',
		copes: shown === undefined ? 'not seen' : yesIf(!before.some(isMisread)),
	};
}

function ofResult({ wish, looks, outcome, again }: Told, words: Words): Finding[] {
	if (outcome.kind !== 'accepted') return [];
	const last = looks.at(-1);
	const row = {
		open: `${titleOf(wish.event)}: its end`,
		section: wish.event.size === 'single' ? '2.4, 2.6, 2.8' : '2.3, 2.5, 2.7',
	};
	const fate = last?.fate;
	if (fate === undefined || !hasEnded(fate)) {
		const did = `not over after ${looks.length} looks; the last: ${outline(last?.heard, words)}`;
		return [{ ...row, did, copes: 'no' }];
	}
	const early =
		again !== undefined && again.text !== last?.heard?.text
			? [
					{
						...row,
						open: `${row.open}, read later`,
						did: 'another one than before',
						copes: 'no' as const,
					},
				]
			: [];
	if (fate.kind === 'failed') {
		const said = findMessage(last?.heard?.body);
		const isTold =
			said === undefined || `${fate.refusal.message} ${fate.refusal.description}`.includes(said);
		return [
			{
				...row,
				did: `failed: ${said === undefined ? 'no reason' : words.text(said)}`,
				copes: yesIf(isTold),
			},
			...early,
		];
	}
	const results = resultsIn(wish, outcome.id, fate);
	const given = results.filter((result) => result?.kind === 'result').length;
	const found = results.filter(
		(result) => result?.kind === 'result' && result.json.found === true,
	).length;
	return [
		{
			...row,
			did: `${outline(last?.heard, words)}; ${describeEntries(fate, words)}${given} of ${results.length} placed, ${found} found`,
			copes: yesIf(given === results.length),
		},
		...early,
	];
}

/** What the package gives the searches. */
function resultsIn({ event: { lookup, size }, searches }: Told['wish'], id: string, fate: Ended) {
	const rows = rowsFor(lookup, searches);
	const order = orderOf(size, id, rows);
	noteShown(order, fate);
	return give(settingsFor(lookup, size), rows, [order]).map(({ output }) => output);
}

/** How the entries of a batch say whose they are, and in which order. */
function describeEntries({ body }: Ended, words: Words): string {
	const entries = (Array.isArray(body.results) ? body.results : []).filter(isRecord);
	const [first] = entries;
	if (first === undefined) return '';
	const repeated = ['raw_params', 'params'].flatMap((name) => {
		const echo = asRecord(first[name]);
		return echo === undefined ? [] : `${name} {${namesIn(echo, words)}}`;
	});
	const indexes = entries.map(({ index }) => {
		const text = JSON.stringify(index) ?? 'none';
		if (/^"?\d{1,4}"?$/.test(text)) return text;
		return UUID.test(text) ? 'a UUID' : typeof index;
	});
	return [
		`index ${indexes.join(' ')}`,
		...repeated,
		`${words.text(asText(first.qualification) ?? 'no qualification')}; `,
	].join(', ');
}

const UUID = /^"[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}"$/i;

/** What the account says that it all cost. */
function ofCredits({ accounts, told }: Talk): Finding[] {
	const charged = told.map((one) => chargedFor(one) ?? 0).reduce(addCredits, 0);
	const [before, after] = accounts.map(({ balance }) =>
		'credits' in balance ? balance.credits : undefined,
	);
	if (before === undefined || after === undefined) return [];
	const left = addCredits(before, -after);
	return [
		{
			open: 'Refunds: what the account lost, beside what the answers said',
			section: '3, 8',
			did: `${left} of ${charged} credits`,
			copes: 'yes',
		},
	];
}

function ofLimits({ told }: Talk, words: Words): Finding[] {
	const names = told.flatMap(({ receipt }) => Object.keys(receipt?.headers ?? {}));
	const limits = [...new Set(names)].filter((name) => /ratelimit|retry/i.test(name));
	return told.length === 0
		? []
		: [
				{
					open: 'Headers about the rate limit',
					section: '7, 8',
					did: limits.map((name) => words.name(name)).join(', ') || 'none',
					copes: 'yes',
				},
			];
}

function ofNotifications({ told, received }: Talk, words: Words): Finding[] {
	if (received === undefined) return [];
	const notifications = received.map((one) => ({
		one,
		ids: readNotification(...placesOf(one)).ids,
	}));
	const rows = told.flatMap(({ wish, outcome }): Finding[] => {
		if (outcome.kind !== 'accepted') return [];
		const mine = notifications.filter(({ one }) => one.text.includes(outcome.id));
		const [first] = mine;
		const row = { open: `${titleOf(wish.event)}: the notification`, section: '6' };
		if (first === undefined) return [{ ...row, did: 'none came that names it', copes: 'not seen' }];
		const { text, headers } = first.one;
		const event = asRecord(parseJson(text))?.event;
		const type = words.type(headers['content-type']?.toString());
		const times = mine.length > 1 ? `, ${mine.length} times` : '';
		return [
			{
				...row,
				did: `${type}; event ${typeof event === 'string' ? words.text(event) : 'not said'}${times}`,
				copes: yesIf(first.ids.includes(outcome.id)),
			},
		];
	});
	const strange = notifications.filter(({ ids }) => ids.length === 0).length;
	const nameless: Finding = {
		open: 'Notifications in which no id is found',
		section: '6',
		did: `${strange} of ${received.length}`,
		copes: yesIf(strange === 0),
	};
	return [...rows, ...(received.length > 0 ? [nameless] : [])];
}

/** Where n8n has the notification for the trigger: it parses what says that it is JSON or a form. */
export function placesOf({ headers, text }: Received): unknown[] {
	const type = String(headers['content-type'] ?? '');
	const parsed = /\/json|x-www-form-urlencoded/.test(type)
		? type.includes('json')
			? parseJson(text)
			: Object.fromEntries(new URLSearchParams(text))
		: {};
	return [parsed, text];
}
