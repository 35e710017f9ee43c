import { readFileSync } from 'node:fs';
import { addCredits, asRecord } from '../../../nodes/ContactData/common/values.ts';
import type { LookupEvent } from '../../../nodes/ContactData/lookups/index.ts';
import { accepted, chargeOf, noteShown } from '../../../nodes/ContactData/orders/order.ts';
import { give } from '../../../nodes/ContactData/results/give.ts';
import { findMessage } from '../../../nodes/ContactData/service/refusals.ts';
import { UNREADABLE_ANSWER } from '../../../nodes/ContactData/service/refusals.ts';
import { hasEnded } from '../../../nodes/ContactData/service/state.ts';
import type { Table } from '../../support/figures.mts';
import { orderOf, rowsFor, settingsFor } from '../../support/rows.mts';
import type { Heard, Look, Talk, Told } from './talk.mts';
import type { Whom } from './wishes.mts';

/** One thing that was asked. */
export interface Finding {
	readonly asked: string;
	readonly did: string;
	readonly copes: 'yes' | 'no' | 'not seen';
}

/** What is shown, and what is for an issue: neither holds the key, a name, an address or an id. */
export interface Report {
	readonly findings: readonly Finding[];
	readonly table: Table;
	readonly verdict: string;
	/** With all that was seen; not where nothing was. */
	readonly copes: boolean;
	readonly markdown: string;
}

const HEAD = ['Asked', 'What the service did', 'The package copes'];

/** What the service did, and what the package made of it. */
export function reportOn(talk: Talk, whom: Whom): Report {
	const words = new Words(whom);
	const { accounts, wrongKey, unknownIds, told } = talk;
	const findings = [
		...accounts.slice(0, 1).map((one) => ofAccount(one, words)),
		...ofWrongKey(wrongKey, words),
		...unknownIds.map((one) => ofUnknownId(one, words)),
		...told.flatMap((one) => [ofReceipt(one, words), ofProgress(one, words), ...ofEnd(one, words)]),
		...ofCredits(talk),
	];
	const rows = findings.map(({ asked, did, copes }) => [asked, did, copes]);
	const missed = findings.filter(({ copes }) => copes === 'no').map(({ asked }) => asked);
	const verdict =
		told.length === 0
			? 'Nothing was sent that costs credits.'
			: missed.length === 0
				? 'The package copes with all that was seen.'
				: `The package does not cope with ${missed.length}: ${missed.join('; ')}.`;
	const heard = [
		...accounts.map((one) => one.heard),
		wrongKey?.heard,
		...unknownIds.map((one) => one.heard),
		...told.flatMap(({ receipt, looks }) => [receipt, ...looks.map((look) => look.heard)]),
	];
	const shapes = heard.flatMap((one) =>
		one === undefined
			? []
			: [`${one.endpoint} → ${one.status} ${JSON.stringify(words.shape(one.body, 'message'))}`],
	);
	const markdown = [
		'# What the service answers',
		verdict,
		[HEAD, HEAD.map(() => '---'), ...rows].map(markdownRow).join('\n'),
		'## The answers, without what was in them',
		'`<12>` is a text of 12 characters that is not shown.',
		['```', ...new Set(shapes), '```', ''].join('\n'),
	].join('\n\n');
	const copes = told.length > 0 && missed.length === 0;
	return { findings, table: { head: HEAD, rows }, verdict, copes, markdown };
}

function markdownRow(cells: readonly string[]): string {
	return `| ${cells.map((cell) => cell.replace(/[|\n]/g, ' ')).join(' | ')} |`;
}

const yesIf = (copes: boolean) => (copes ? 'yes' : 'no');

function titleOf({ lookup, size }: LookupEvent): string {
	return `${lookup.title}, ${size}`;
}

/** The status, and what is said in words or the names of the fields. */
function outline(heard: Heard | undefined, words: Words): string {
	if (heard === undefined) return 'no answer';
	const { status, body } = heard;
	const said = status >= 400 ? findMessage(body) : typeof body === 'string' ? body : undefined;
	const names = Object.keys(asRecord(body) ?? {}).map((name) => words.name(name));
	return `HTTP ${status}: ${(said === undefined ? names.join(', ') : words.text(said)) || 'empty'}`;
}

function ofAccount({ heard, balance }: Talk['accounts'][number], words: Words): Finding {
	// Without the balance a run goes on, and the service decides.
	const copes = yesIf(!('refusal' in balance));
	return { asked: 'Credits and webhooks of the account', did: outline(heard, words), copes };
}

function ofWrongKey(wrongKey: Talk['wrongKey'], words: Words): Finding[] {
	if (wrongKey === undefined) return [];
	const { heard, reading } = wrongKey;
	const isKnown = reading.kind === 'fault' && reading.refusal.affects === 'account';
	return [{ asked: 'A wrong key', did: outline(heard, words), copes: yesIf(isKnown) }];
}

function ofUnknownId({ event, heard, fate }: Talk['unknownIds'][number], words: Words): Finding {
	const isRefused = fate.kind === 'fault' && fate.fault === 'refused';
	// A plan without this lookup has an advice of its own.
	const isNotInPlan =
		fate.kind === 'fault' &&
		event.lookup.advice.some(({ says }) => says.test(fate.refusal.message));
	return {
		asked: `${titleOf(event)}: an unknown id`,
		did: outline(heard, words),
		copes: yesIf(isRefused || isNotInPlan),
	};
}

function chargedFor({ wish, outcome }: Told): number | undefined {
	if (outcome.kind !== 'accepted') return undefined;
	const fate = accepted(outcome.id, outcome.answer);
	return chargeOf({ fate, origin: 'new', count: wish.searches.length });
}

function ofReceipt(told: Told, words: Words): Finding {
	const { wish, receipt, outcome } = told;
	const charge = chargedFor(told);
	const price = charge === undefined ? '' : `; ${charge} for ${wish.searches.length}`;
	return {
		asked: `${titleOf(wish.event)}: the answer to the POST, its price`,
		did: outline(receipt, words) + price,
		// Cancelled: it was told to come again, and is not sent again here.
		copes: yesIf(outcome.kind === 'accepted' ? charge !== undefined : outcome.kind !== 'unknown'),
	};
}

/** Whatever came before the end is an answer of something in progress, or a fault that has passed. */
function ofProgress({ wish, looks }: Told, words: Words): Finding {
	const shown = looks.filter(
		({ heard, fate }) => !hasEnded(fate) && heard !== undefined && heard.status < 400,
	);
	const isMisread = ({ fate }: Look) =>
		fate.kind === 'fault' &&
		(fate.fault === 'lasting' || fate.refusal.message === UNREADABLE_ANSWER);
	return {
		asked: `${titleOf(wish.event)}: while it runs`,
		did: shown.length === 0 ? 'was not seen' : outline(shown[0].heard, words),
		copes: shown.length === 0 ? 'not seen' : yesIf(!shown.some(isMisread)),
	};
}

function ofEnd({ wish, looks, outcome }: Told, words: Words): Finding[] {
	if (outcome.kind !== 'accepted') return [];
	const { event, searches } = wish;
	const asked = `${titleOf(event)}: its end`;
	const last = looks.at(-1);
	const fate = last?.fate;
	if (fate === undefined || !hasEnded(fate)) {
		const did = `not over after ${looks.length} looks; the last: ${outline(last?.heard, words)}`;
		return [{ asked, did, copes: 'no' }];
	}
	if (fate.kind === 'failed') {
		return [{ asked, did: `failed: ${words.text(fate.refusal.message)}`, copes: 'yes' }];
	}
	const rows = rowsFor(event.lookup, searches);
	const order = orderOf(event.size, outcome.id, rows);
	noteShown(order, fate);
	const given = give(settingsFor(event.lookup, event.size), rows, [order]).filter(
		({ output }) => output?.kind === 'result',
	).length;
	const did = `${outline(last?.heard, words)}; ${given} of ${rows.length} placed`;
	return [{ asked, did, copes: yesIf(given === rows.length) }];
}

/** What the account says that it all cost. */
function ofCredits({ accounts, told }: Talk): Finding[] {
	const charged = told.map((one) => chargedFor(one) ?? 0).reduce(addCredits, 0);
	const [before, after] = accounts.map(({ balance }) =>
		'credits' in balance ? balance.credits : undefined,
	);
	if (before === undefined || after === undefined) return [];
	const did = `${addCredits(before, -after)} of ${charged} credits`;
	return [{ asked: 'What the account lost, of what the answers said', did, copes: 'yes' }];
}

/** The words of the service's document, with which it answers too. */
const KNOWN = new Set(
	readFileSync(new URL('../../../docs/contributing/service-api.md', import.meta.url), 'utf8')
		.toLowerCase()
		.match(/\p{L}+/gu),
);
/** Fields whose words tell what became of a request. */
const TELLING = /^(qualification|status|state|event|code|gender|message|reason|errors?|details?)$/i;
/** A larger number may be somebody's. */
const LARGEST = 9_999;
const MAX_ENTRIES = 5;

/** Shows of what others say only the words of the document, and of all else how long it is. */
class Words {
	readonly #searched: ReadonlySet<string>;

	/** @param whom whose words are not shown even where the document has them */
	constructor({ person, domain, email, profile = '' }: Whom) {
		const searched = [person, domain, email, profile]
			.join(' ')
			.toLowerCase()
			.match(/\p{L}{3,}/gu);
		this.#searched = new Set(searched?.filter((word) => word !== 'linkedin'));
	}

	/** A sentence. */
	text(text: string): string {
		return text
			.split(/([\s"'()[\],.:;!?]+)/)
			.map((word, index) => (index % 2 === 0 ? this.name(word) : word))
			.join('');
	}

	/** A name of a field, or a single word. */
	name(name: string): string {
		const parts = name.split(/[-_/]|(?<=\p{Ll})(?=\p{Lu})/u).map((part) => part.toLowerCase());
		const isShown = parts.every((part) => KNOWN.has(part) && !this.#searched.has(part));
		return name === '' || isShown ? name : `<${name.length}>`;
	}

	/** What a body looks like. */
	shape(value: unknown, key = ''): unknown {
		if (Array.isArray(value)) {
			return value.slice(0, MAX_ENTRIES).map((entry) => this.shape(entry, key));
		}
		const fields = asRecord(value);
		if (fields !== undefined) {
			return Object.fromEntries(
				Object.entries(fields).map(([name, field]) => [this.name(name), this.shape(field, name)]),
			);
		}
		if (typeof value === 'string') {
			return TELLING.test(key) ? this.text(value) : `<${value.length}>`;
		}
		return typeof value === 'number' && Math.abs(value) > LARGEST ? '<number>' : value;
	}
}
