import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Lookup, Size } from '../lookups/types';
import type { Account } from '../service/account';
import { getAccount } from '../service/account';
import type { Ask, ItemFailure } from '../input/itemSearches';
import { isAsk, readAsks } from '../input/itemSearches';
import { Budget } from './budget';
import type { Submission } from './plan';
import { plan } from './plan';
import { recall } from './earlierTries';
import { Receipts } from './receipts';
import type { RunOptions } from '../input/runOptions';
import type { Outcome } from './submitAll';
import { submitAll } from './submitAll';

/** Where an ask was submitted, and what became of that. */
export interface Placed {
	ask: Ask;
	submission: Submission;
	/** The place of the ask's search in the submission. */
	position: number;
	outcome: Outcome;
}

export function isPlaced(place: Placed | ItemFailure): place is Placed {
	return 'ask' in place;
}

export interface Started {
	account: Account;
	receipts: Receipts;
	/** What became of each ask, in the order of the input items. */
	places: Array<Placed | ItemFailure>;
	submissions: Submission[];
	outcomes: Outcome[];
}

/**
 * The first half of every submit operation: reads and checks all items, plans, checks the money,
 * and submits. Nothing is sent while an item is wrong, unless the workflow goes on after errors.
 */
export async function start(
	context: IExecuteFunctions,
	lookup: Lookup,
	size: Size,
	options: RunOptions,
	webhookOf: (options: IDataObject, item: number) => string | undefined,
): Promise<Started> {
	const account = await getAccount(context);
	const reads = readAsks(context, lookup, size, webhookOf);
	const goesOn = context.continueOnFail();
	const firstError = reads.find((read): read is ItemFailure => !isAsk(read));
	if (!goesOn && firstError !== undefined) throw firstError.error;

	const receipts = Receipts.of(context);
	const asks = reads.filter(isAsk);
	const budget = new Budget(lookup, size, account, options.maxCredits);
	const { baseUrl } = account;
	const { recalled, rest } = recall(lookup, size, baseUrl, receipts, asks);
	const firstBatchSize = budget.needsProbe ? 1 : undefined;
	const planned = plan(lookup, size, baseUrl, rest, firstBatchSize);
	const submissions = [...recalled, ...planned];
	const outcomes = await submitAll(
		{
			caller: context,
			account,
			lookup,
			size,
			receipts,
			budget,
			signal: context.getExecutionCancelSignal(),
			stopOnFailure: !goesOn,
		},
		submissions,
	);

	const placeOf = new Map<Ask, Placed>();
	submissions.forEach((submission, index) => {
		const outcome = outcomes[index];
		submission.asks.forEach((askers, position) => {
			if (outcome === undefined) return;
			for (const ask of askers) placeOf.set(ask, { ask, submission, position, outcome });
		});
	});
	const places = reads.flatMap((read) => {
		const place = isAsk(read) ? placeOf.get(read) : read;
		return place === undefined ? [] : [place];
	});
	return { account, receipts, places, submissions, outcomes };
}
