import type { IDataObject } from 'n8n-workflow';
import type { Failure } from '../common/errors';
import { addCredits, counted, tellAmount, tellCredits } from '../common/values';
import { failuresOf, type Row, type RowOutput } from '../input/rows';
import { isStopped, type Run } from '../run/run';
import type { Lookup } from '../lookups/types';
import {
	chargeOf,
	costOf,
	countSearches,
	isAccepted,
	isOwn,
	type Order,
	rowsOf,
	searchesOf,
} from '../orders/order';
import { verdictOf } from '../service/verdict';
import { tellMemory } from '../orders/memory';
import { refundOf } from '../orders/refunds';
import type { Account } from '../service/request';
import { isStranger } from './whose';

type Summed = Pick<Run, 'settings' | 'connection' | 'signal'>;

/** What became of the rows of a run. */
export interface Outcome {
	outputs: readonly RowOutput[];
	orders: readonly Order[];
	/** The account's credits before the run, where they are known. */
	balance?: number;
	/** Until when a paused node waits. */
	pause?: { until: Date; timeZone: string };
}

/** One line for the output pane: how many were found or started, what it cost, what came back, what is left. */
export function summarize(run: Summed, outcome: Outcome): string {
	const { lookup, task } = run.settings;
	const { outputs, orders, pause } = outcome;
	const isOfStart = task === 'start' || pause !== undefined;
	const counts = isOfStart ? countStarted(run, orders) : countResults(run, outputs);
	const sentences = [
		tellFates(lookup, counts, outputs),
		...(task === 'read'
			? [tellEarly(run, outputs), tellShared(lookup, outputs)]
			: [tellLeftOut(lookup, orders), ...tellMoney(run, outcome)]),
		tellStrangers(lookup, outcome),
		pause && `The results come by themselves: the node waits for them until ${tellTime(pause)}.`,
	];
	return sentences.filter(Boolean).join(' ');
}

function countStarted({ settings: { lookup, size } }: Summed, orders: readonly Order[]): string[] {
	const started = orders.filter(isOwn).filter(isAccepted);
	if (started.length === 0) return ['Nothing new was started'];
	const searches = counted(countSearches(started), lookup.noun.one, lookup.noun.many);
	const batches = size === 'bulk' ? ` in ${counted(started.length, 'batch', 'batches')}` : '';
	return [`Started ${searches}${batches}`];
}

function countResults(
	{ settings: { lookup, size, task } }: Summed,
	outputs: readonly RowOutput[],
): string[] {
	const { words } = lookup;
	const results = resultsOf(outputs).map(({ json }) => json);
	const count = (isCounted: (json: IDataObject) => boolean) => results.filter(isCounted).length;
	const unchecked = count(isUnchecked);
	const notFound = count(({ found }) => found === false) - unchecked;
	const ongoing = count(isOngoing);
	const isOfBatches = task === 'read' && size === 'bulk';
	const all = task === 'read' ? outputs.length - ongoing : outputs.length;
	const batches = new Set(results.filter(isOngoing).map(({ batch_id }) => batch_id)).size;
	const running = isOfBatches ? counted(batches, 'batch', 'batches') : ongoing;
	const ended = results.length - ongoing;
	const found = count(({ found: isFound }) => isFound === true);
	const isCountable = !isOfBatches || found + notFound + unchecked > 0 || ended === 0;
	const read = isCountable
		? `${words.found} ${found} of ${all}`
		: `Read ${counted(ended, 'batch', 'batches')}`;
	return [
		...(all > 0 ? [read] : []),
		...(notFound > 0 ? [`${notFound} ${words.notFound}`] : []),
		...(unchecked > 0 ? [`${unchecked} not checked (no address)`] : []),
		...(ongoing > 0 ? [`${running} still running`] : []),
	];
}

/** What became of all, with the first reason why some failed: where all did, nothing else comes before it. */
function tellFates({ noun }: Lookup, counts: string[], outputs: readonly RowOutput[]): string {
	const failures = failuresOf(outputs);
	const failed = failures.length;
	const { problem } =
		failures.find(({ problem: { isConsequence } }) => !isConsequence) ?? failures[0] ?? {};
	if (problem === undefined) return `${counts.join(', ')}.`;
	const all = failed === 1 ? `The ${noun.one} failed` : `All ${failed} ${noun.many} failed`;
	const sum = failed === outputs.length ? all : [...counts, `${failed} failed`].join(', ');
	const [kind] = failures.filter((failure) => failure.problem === problem).map(kindOf);
	const others = failures.filter((failure) => kindOf(failure) !== kind).length;
	const rest =
		others === 0 ? '' : ` (${others} for ${others === 1 ? 'another reason' : 'other reasons'})`;
	return `${sum}: ${problem.message.replace(/\.$/, '')}${rest}.`;
}

/** What is the same where only the value or the ID differs. */
function kindOf({ problem: { message }, ids }: Failure): string {
	const withoutValue = message.replace(/".*?"/gs, '');
	const id = ids?.id ?? ids?.batch_id;
	return id === undefined ? withoutValue : withoutValue.replaceAll(id, '');
}

function tellEarly({ settings: { waitForResult } }: Summed, outputs: readonly RowOutput[]): string {
	return !waitForResult && hasOngoing(outputs)
		? "With 'Wait for Result' on, the node waits until all are finished."
		: '';
}

/** That searches went without a value that the row has. */
function tellLeftOut({ noun }: Lookup, orders: readonly Order[]): string {
	const rows = orders.filter(({ origin }) => origin === 'new').flatMap(searchesOf);
	const labels = rows.map(({ leftOut = [] }) => leftOut).filter(({ length }) => length > 0);
	const all = [...new Set(labels.flat())].map((label) => `'${label}'`).join(' and ');
	return all === ''
		? ''
		: `${counted(labels.length, noun.one, noun.many)} went without ${all}, which could not be used.`;
}

/** That the results of a batch are of none of the items alone that name it. */
function tellShared({ words }: Lookup, outputs: readonly RowOutput[]): string {
	return outputs.some(({ ofItems = [] }) => ofItems.length > 1)
		? `Several items name one batch, and its results belong to none of them alone: '${words.verb} Many' with the batch as 'ID of an Earlier Search' gives each item its own.`
		: '';
}

/** That rows may have got the results of others: the IDs of earlier searches may stand in the wrong rows. */
function tellStrangers(lookup: Lookup, { outputs, orders }: Outcome): string {
	const naming = new Set(orders.filter(({ origin }) => origin === 'named').flatMap(rowsOf));
	const strangers = resultsOf(outputs).filter(
		({ row, json }) => naming.has(row) && isStranger(lookup, row.search, json),
	).length;
	return strangers === 0
		? ''
		: `In ${counted(strangers, 'row', 'rows')} the person found shares no name with the row's: check that each ID stands in its own row.`;
}

function tellMoney(run: Summed, { outputs, orders, balance }: Outcome): string[] {
	const { lookup, size, task, searchesAgain, maxCredits = Infinity } = run.settings;
	const { account } = run.connection;
	const ofOrigin = (origin: Order['origin']) => orders.filter((order) => order.origin === origin);
	const [now, before] = [ofOrigin('new'), ofOrigin('earlierTry')];
	const { credits: spent, isSure } = costOf(now);
	const { credits: spentBefore } = costOf(before);
	const repeats = orders.flatMap(rowsOf).length - orders.flatMap(searchesOf).length;
	const sumOfRefunds = (some: readonly Order[]) =>
		some.map((order) => refundOf(lookup, order)).reduce(addCredits, 0);
	const refunded = sumOfRefunds([...now, ...before]);
	const countRead = (origin: Order['origin']) => {
		const rows = new Set(ofOrigin(origin).flatMap(rowsOf));
		return resultsOf(outputs).filter(({ row, json }) => rows.has(row) && !isOngoing(json)).length;
	};
	const [named, recent] = [countRead('named'), countRead('recent')];
	// The document promises a refund for batches; plans may give it for single searches, too.
	const areRefunded = (some: readonly Order[]) =>
		size === 'single' && lookup.batchRefunds && some.some((order) => hasFoundNobody(lookup, order));
	const mayBeRefunded = areRefunded([...now, ...before]);
	const atMost = isSure ? (areRefunded(now) ? 'At most ' : '') : 'At least ';
	const price = now.reduce(
		(most, order) => Math.max(most, (chargeOf(order) ?? 0) / order.count),
		0,
	);
	const parts = [
		isSure || spent > 0 ? `${atMost}${tellCredits(spent)} spent` : 'It is not known what was spent',
		spent > maxCredits &&
			`more than 'Max Credits' of ${tellAmount(maxCredits)}, as the price is ${tellAmount(price)} now`,
		spentBefore > 0 &&
			`${areRefunded(before) ? 'at most ' : ''}${tellAmount(spentBefore)} in earlier tries`,
		named > 0 && `${named} read from earlier searches`,
		recent > 0 &&
			`${recent} read from searches of the last ${tellMemory(account)} ('Search Again' in Options searches anew)`,
		refunded > 0 && `${tellAmount(refunded)} refunded`,
		repeats > 0 && counted(repeats, 'item repeats another', 'items repeat another'),
	];
	// What is left is reckoned, not read. What an earlier try got back may be in the balance that this one has read.
	const left = isSure && balance !== undefined ? balance - spent : -1;
	return [
		`${parts.filter(Boolean).join(', ')}.`,
		mayBeRefunded ? `${lookup.words.verb} Many gives back what is not found.` : '',
		isStopped(run) && task === 'find' && !searchesAgain && hasOngoing(outputs)
			? 'A new run reads free of charge what still runs.'
			: '',
		left < 0
			? ''
			: `The account has ${mayBeRefunded ? 'at least' : 'about'} ${tellCredits(addCredits(left, sumOfRefunds(now)))} left.`,
		tellForgetful(account, countSearches(now.filter(isAccepted))),
	];
}

const MANY = 1_000;

/** That a restart forgets what a large run has paid for, or would pay for. */
export function tellForgetful({ memoryDays }: Account, searches: number): string {
	return memoryDays === undefined && searches >= MANY
		? "A restart of n8n forgets what was paid: 'Remember Paid Searches' in the credential can keep it."
		: '';
}

function hasFoundNobody(lookup: Lookup, { fate }: Order): boolean {
	return fate.kind === 'completed' && verdictOf(lookup, fate.body) === 'notFound';
}

function resultsOf(outputs: readonly RowOutput[]): Array<{ row: Row; json: IDataObject }> {
	return outputs.flatMap(({ row, output }) =>
		output.kind === 'failure' ? [] : { row, json: output.json },
	);
}

function hasOngoing(outputs: readonly RowOutput[]): boolean {
	return resultsOf(outputs).some(({ json }) => isOngoing(json));
}

function isOngoing({ status }: IDataObject): boolean {
	return status === 'ongoing';
}

/** What cannot be an address has its verdict without an id. */
function isUnchecked({ reason, id, batch_id }: IDataObject): boolean {
	return reason !== undefined && (id ?? batch_id) === undefined;
}

/** In the time zone of the workflow: n8n has also ones that are none, such as `DEFAULT`. */
function tellTime({ until, timeZone }: { until: Date; timeZone: string }): string {
	const date = { day: 'numeric', month: 'short', year: 'numeric' } as const;
	const hour = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const;
	const tellIn = (zone: string) =>
		new Intl.DateTimeFormat('en-GB', { ...date, ...hour, timeZone: zone }).format(until);
	try {
		return tellIn(timeZone);
	} catch {
		return tellIn('UTC');
	}
}

/** That n8n's time limit ends a pause before its Timeout. */
export function tellShortPause(ms: number): string {
	const minutes = Math.floor(ms / 60_000);
	return `What is not finished after ${counted(minutes, 'minute', 'minutes')} comes out as ongoing: 'Timeout' is longer than n8n's time limit for this execution allows.`;
}
