import { asText, counted, tellAmount, tellCredits } from '../common/values';
import type { Given, Row } from '../input/rows';
import { tellNote } from '../lookups/paidForNothing';
import type { Lookup, Search } from '../lookups/types';
import type { Price } from '../orders/limits';
import type { Entry, Order } from '../orders/order';
import type { Balance } from '../service/account';
import { unacceptedProblem } from './problems';
import { tellDoubtful } from './summary';

/** What a run would do and cost, if it were started now. */
export interface Forecast {
	/** Orders that would only be read. */
	known: readonly Order[];
	/** What would be submitted. */
	fresh: readonly Entry[];
	/** Of one search; `undefined` where nobody knows. */
	price: Price | undefined;
	/** The account's credits, or why they are not known. */
	balance: Balance;
	maxCredits: number | undefined;
	/** How many searches the cap and the balance cover. */
	room: number;
}

/** What would become of a row. */
interface Planned {
	action: 'submit' | 'same_as' | 'read' | 'invalid';
	reason?: string;
	/** The number of the row that is submitted for this one, too. */
	same_as?: number;
	search: Search;
}

/** What a dry run gives: one item for each row, with the same columns in all. */
export function forecastItems(
	lookup: Lookup,
	rows: readonly Row[],
	{ known, fresh, price }: Pick<Forecast, 'known' | 'fresh' | 'price'>,
): Given[] {
	const planned = new Map<Row, Planned>();
	for (const order of known) {
		for (const row of order.entries.flatMap((entry) => entry.rows)) {
			planned.set(row, ofKnown(lookup, order, row));
		}
	}
	const numbers = new Map(rows.map((row, index) => [row, index + 1]));
	for (const { rows: same } of fresh) {
		for (const row of same) {
			const isFirst = row === same[0];
			planned.set(row, ofFresh(row, isFirst ? undefined : numbers.get(same[0])));
		}
	}
	return rows.map((row) => {
		const { action, reason, same_as, search } = planned.get(row) ?? ofRead(row);
		const isSubmitted = action === 'submit';
		const asked = lookup.fields.map(({ name }) => [name, search[name] ?? null]);
		const json = {
			action,
			reason: reason ?? null,
			same_as: same_as ?? null,
			...Object.fromEntries(asked),
			credits: isSubmitted ? (price?.credits ?? null) : 0,
			note: (isSubmitted ? tellNote(lookup, search) : undefined) ?? null,
			dry_run: true,
		};
		return { row, output: { kind: 'final', json } };
	});
}

function ofKnown(lookup: Lookup, order: Order, { search }: Row): Planned {
	if ('id' in order.fate) return { action: 'read', search };
	return { action: 'invalid', reason: unacceptedProblem(lookup, order).message, search };
}

/** @param first the number of the row that is submitted for this one, too */
function ofFresh({ search, leftOut = [] }: Row, first?: number): Planned {
	if (first !== undefined) return { action: 'same_as', same_as: first, search };
	const labels = leftOut.map((label) => `'${label}'`).join(' and ');
	const reason = labels === '' ? undefined : `goes without ${labels}, which could not be used`;
	return { action: 'submit', reason, search };
}

/** What is certain of a row before anything is planned. */
function ofRead({ search, known }: Row): Planned {
	return known?.kind === 'failure'
		? { action: 'invalid', reason: known.problem.message, search: known.search ?? search }
		: { action: 'invalid', reason: asText(known?.json.reason), search };
}

/** The sum of a dry run, for the output pane. */
export function tellForecast(
	lookup: Lookup,
	{ known, fresh, price, balance, maxCredits, room }: Forecast,
	given: readonly Given[],
	{ objection, continues }: { objection: string | undefined; continues: boolean },
): string {
	const { one, many } = lookup.noun;
	const items = given.flatMap(({ output }) => (output.kind === 'final' ? [output.json] : []));
	const count = (action: Planned['action']) =>
		items.filter((item) => item.action === action).length;
	const unclear = known.flatMap(({ fate, entries }) =>
		'id' in fate ? [] : entries.flatMap(({ rows }) => rows),
	).length;
	const searches = fresh.length;
	const covered = Math.min(searches, room);
	const others = [
		tellIfAny(count('same_as'), 'repeats another item', 'repeat another item'),
		tellIfAny(count('read'), 'is read from an earlier search', 'are read from earlier searches'),
		tellIfAny(count('invalid') - unclear, 'item is invalid', 'items are invalid'),
		tellIfAny(unclear, 'may have been charged before', 'may have been charged before'),
	].flat();
	const sentences = [
		'Dry run: nothing was started.',
		`A real run would start ${searches === 0 ? 'nothing' : counted(searches, one, many)}.`,
		others.length > 0 && `${others.join(', ')}.`,
		tellDoubtful(
			lookup,
			fresh.map(({ rows: [row] }) => row),
		),
		searches > 0 && tellCost(searches, price),
		maxCredits !== undefined &&
			price !== undefined &&
			searches > 0 &&
			`'Max Credits' of ${maxCredits} covers ${covered === searches ? 'all' : `${covered} of ${searches}`}.`,
		'credits' in balance && balance.credits !== undefined
			? `The account has ${tellCredits(balance.credits)}.`
			: `The balance could not be read${'refusal' in balance ? `: ${balance.refusal.message}` : ' at the moment'}.`,
		objection !== undefined &&
			(continues && covered > 0
				? `So only the first ${covered} would be started.`
				: `So the run would end before anything is started: ${objection}.`),
	];
	return sentences.filter((sentence) => sentence !== false && sentence !== '').join(' ');
}

function tellCost(searches: number, price: Price | undefined): string {
	if (price === undefined) return 'Nobody knows the price yet.';
	const each = tellAmount(price.credits);
	const sum = tellCredits(searches * price.credits);
	switch (price.source) {
		case 'documented':
			return `It would cost at most ${sum} (${each} each).`;
		case 'charged':
			return `It would cost at most ${sum}, if one still costs ${each} as it did last.`;
		case 'usual':
			return `It would cost about ${sum} at the usual ${each} each; your plan may differ.`;
	}
}

function tellIfAny(count: number, one: string, many: string): string[] {
	return count === 0 ? [] : [counted(count, one, many)];
}
