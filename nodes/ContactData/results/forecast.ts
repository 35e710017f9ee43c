import { asText, counted, tellAmount, tellCredits } from '../common/values';
import type { RowOutput, Row } from '../input/rows';
import type { Form } from '../input/settings';
import { doubtAbout } from '../lookups/doubtful';
import { tellMemory } from '../orders/memory';
import { type Entry, type Order, rowsOf } from '../orders/order';
import type { Price } from '../orders/prices';
import type { Balance } from '../service/account';
import type { Account } from '../service/request';
import { unacceptedProblem } from './problems';
import { tellForgetful } from './summary';

/** What a run would do and cost, if it were started now. */
interface Forecast {
	/** Orders that would only be read. */
	known: readonly Order[];
	/** What would be submitted. */
	fresh: readonly Entry[];
	/** Of what would be submitted. */
	paidBefore: number;
	/** Of one search. */
	price: Price;
	/** The account's credits, or why they are not known. */
	balance: Balance;
	maxCredits: number | undefined;
	/** Of the account's limit for a day; `undefined` where it has none. */
	leftOfDay: number | undefined;
	/** How many searches all limits cover, and how many the cap. */
	room: number;
	roomOfCap: number;
}

/** What would become of a row. */
interface Planned {
	action: 'submit' | 'same_as' | 'read' | 'invalid';
	/** Whether the limits let it start. */
	isCovered?: boolean;
	reason?: string;
	/** The number of the row that is submitted for this one, too. */
	same_as?: number;
}

const NOT_COVERED = 'not covered by what may be spent';

/** What a dry run gives: one item for each row, with the same columns in all. */
export function forecastItems(
	{ lookup, choice }: Pick<Form, 'lookup' | 'choice'>,
	rows: readonly Row[],
	{ known, fresh, price, room }: Pick<Forecast, 'known' | 'fresh' | 'price' | 'room'>,
): RowOutput[] {
	const planned = new Map<Row, Planned>();
	for (const order of known) {
		const isRead = 'id' in order.fate;
		const reason = isRead ? undefined : unacceptedProblem(lookup, order).message;
		for (const row of rowsOf(order)) {
			planned.set(row, { action: isRead ? 'read' : 'invalid', reason });
		}
	}
	const numbers = new Map(rows.map((row, index) => [row, index + 1]));
	for (const [position, { rows }] of fresh.entries()) {
		const [first, ...others] = rows;
		const isCovered = position < room;
		planned.set(first, { action: 'submit', isCovered, reason: tellReduced(first) });
		for (const row of others) {
			planned.set(row, { action: 'same_as', same_as: numbers.get(first) });
		}
	}
	return rows.map((row): RowOutput => {
		const { action, isCovered, reason, same_as } = planned.get(row) ?? certainOf(row);
		const isSubmitted = action === 'submit';
		const search = (row.certain?.kind === 'failure' && row.certain.search) || row.search;
		const notes = [
			isCovered === false && NOT_COVERED,
			isSubmitted && doubtAbout(lookup, search),
		].filter(Boolean);
		const who = lookup.columns.who(choice);
		const names = lookup.fields.map(({ name }) => name);
		const first = who.length > 0 ? who : names;
		const valuesOf = (some: readonly string[]) =>
			Object.fromEntries(some.map((name) => [name, search[name] ?? null]));
		const json = {
			action,
			credits: isSubmitted ? price.credits : 0,
			...valuesOf(first),
			note: notes.length === 0 ? null : notes.join('; '),
			reason: reason ?? null,
			same_as: same_as ?? null,
			...valuesOf(names.filter((name) => !first.includes(name))),
			dry_run: true,
		};
		return { row, output: { kind: 'result', json, final: json } };
	});
}

function tellReduced({ leftOut = [] }: Row): string | undefined {
	const labels = leftOut.map((label) => `'${label}'`).join(' and ');
	return labels === '' ? undefined : `goes without ${labels}, which could not be used`;
}

/** What is certain of a row before anything is planned. */
function certainOf({ certain }: Row): Planned {
	const reason =
		certain?.kind === 'failure' ? certain.problem.message : asText(certain?.json.reason);
	return { action: 'invalid', reason };
}

/**
 * The sum of a dry run, for the output pane.
 * @param real run: `bad` ends it where it stops at errors, `objection` is why it would not start all, and
 * `continues` whether it would start what it can all the same
 */
export function tellForecast(
	form: Pick<Form, 'lookup' | 'size' | 'task'>,
	account: Account,
	{ fresh, paidBefore, price, balance, maxCredits, leftOfDay, room, roomOfCap }: Forecast,
	outputs: readonly RowOutput[],
	{ bad, objection, continues }: { bad?: string; objection?: string; continues: boolean },
): string {
	const { lookup } = form;
	const { one, many } = lookup.noun;
	const tellIfAny = (action: Planned['action'], ofOne: string, ofMany: string) => {
		const count = outputs.filter(
			({ output }) => output.kind === 'result' && output.json.action === action,
		).length;
		return count > 0 && counted(count, ofOne, ofMany);
	};
	const searches = fresh.length;
	const covered = Math.min(searches, room);
	const others = [
		tellIfAny('same_as', 'repeats another item', 'repeat another item'),
		tellIfAny('read', 'is read from an earlier search', 'are read from earlier searches'),
		tellIfAny('invalid', 'item is invalid', 'items are invalid'),
	].filter((text) => text !== false);
	const isRefused = objection !== undefined && !((continues || bad !== undefined) && covered > 0);
	const reason = isRefused ? objection : bad;
	const started = searches === 0 ? 'nothing' : counted(searches, one, many);
	const sentences = [
		reason === undefined
			? `Dry run: nothing was started. A real run would start ${started}.`
			: `Dry run: a real run would start nothing: ${reason}.`,
		bad !== undefined && !isRefused && `With 'On Error' set to Continue it would start ${started}.`,
		others.length > 0 && `${others.join(', ')}.`,
		...tellDoubts(form, fresh),
		tellPaidAgain(form, account, paidBefore),
		searches > 0 && !isRefused && tellCost(searches, price),
		maxCredits !== undefined &&
			searches > 0 &&
			!isRefused &&
			`'Max Credits' of ${maxCredits} covers ${roomOfCap >= searches ? 'all' : `${roomOfCap} of ${searches}`}.`,
		leftOfDay !== undefined &&
			`Of 'Max Credits per Day' of ${tellAmount(account.maxCreditsPerDay ?? 0)}, ${tellAmount(leftOfDay)} are left.`,
		'credits' in balance && balance.credits !== undefined
			? `The account has ${tellCredits(balance.credits)}${!isRefused && balance.credits < searches * price.credits ? ', which is not enough' : ''}.`
			: `The balance could not be read${'refusal' in balance ? `: ${balance.refusal.message}` : ' at the moment'}.`,
		tellForgetful(account, searches),
		objection !== undefined && !isRefused && `So only the first ${covered} would be started.`,
	];
	return sentences.filter(Boolean).join(' ');
}

/** How many searches go without a value, or may find nobody; the items say why. */
function tellDoubts({ lookup }: Pick<Form, 'lookup'>, fresh: readonly Entry[]): string[] {
	const { one, many } = lookup.noun;
	const rows = fresh.map(({ rows: [first] }) => first);
	const reduced = rows.filter((row) => tellReduced(row) !== undefined).length;
	const doubtful = rows.filter(({ search }) => doubtAbout(lookup, search) !== undefined).length;
	return [
		reduced === 0
			? ''
			: `${counted(reduced, one, many)} ${reduced === 1 ? 'goes' : 'go'} without a value that could not be used: 'reason' says which.`,
		doubtful === 0 ? '' : `${counted(doubtful, one, many)} may find nobody: 'note' says why.`,
	];
}

/** That searches are paid for again by a Start, which another operation would read. */
function tellPaidAgain(
	{ lookup: { noun, words }, size, task }: Pick<Form, 'lookup' | 'size' | 'task'>,
	account: Account,
	repeated: number,
): string {
	if (task !== 'start' || repeated === 0) return '';
	const reader = `${words.verb}${size === 'bulk' ? ' Many' : ''}`;
	return `${counted(repeated, noun.one, noun.many)} would be paid for again: '${reader}' reads free of charge what is less than ${tellMemory(account)} old.`;
}

function tellCost(searches: number, price: Price): string {
	const each = tellAmount(price.credits);
	const sum = tellCredits(searches * price.credits);
	switch (price.source) {
		case 'documented':
			return `It would cost at most ${sum} (${each} each).`;
		case 'charged':
			return `It would cost at most ${sum}, at the last price of ${each} each.`;
		case 'usual':
			return `It would cost about ${sum} at the usual ${each} each; your plan may differ.`;
	}
}
