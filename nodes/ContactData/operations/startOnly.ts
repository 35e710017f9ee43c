import type { IExecuteFunctions } from 'n8n-workflow';
import type { Envelope } from '../input/envelope';
import type { Row } from '../input/rows';
import { readRows } from '../input/readRows';
import type { Run } from '../input/run';
import type { Settings } from '../input/settings';
import { findWebhook } from '../input/webhook';
import type { Order } from '../orders/order';
import { chargeOf, rowsOf } from '../orders/order';
import { collect } from '../results/collect';
import { simplify } from '../results/simplify';
import { summarizeStart } from '../results/summary';
import { dryRun } from './dryRun';
import { start } from './start';

const MAX_ITEMS_SHOWN = 10;

/** Operations Start Search and Start Bulk Search: submits, and gives the receipts. */
export async function startOnly(
	context: IExecuteFunctions,
	run: Run,
	settings: Settings,
): Promise<Row[]> {
	const { lookup, size } = settings;
	const { baseUrl } = run.connection.account;
	const rows = readRows(run, settings, (optionOf) =>
		findWebhook(context, { lookup, size, baseUrl }, optionOf('webhook')),
	);
	if (rows.length === 0) return rows;
	if (settings.dryRun) return await dryRun(run, settings, rows);
	const { orders, balance } = await start(run, settings, rows);
	collect(settings, orders);
	run.hint(summarizeStart(settings, rows, orders, balance));
	const unused = orders.flatMap(itemsWithUnusedWebhook);
	if (unused.length > 0) {
		run.hint(
			`Equal searches were paid for once, and the service notifies the webhook of the first. Not used: the webhook of ${listOfItems(unused)}.`,
		);
	}
	for (const order of orders) giveReceipt(order, settings);
	return settings.isSimple ? simplify(lookup, rows, true) : rows;
}

/** A single search has a receipt for each of its rows; a batch has one for all its items. */
function giveReceipt(order: Order, { isSimple }: Settings): void {
	const { size, fate, entries } = order;
	if (!('id' in fate)) return;
	const { id } = fate;
	const rows = rowsOf(order);
	const ofItems = [...new Set(rows.map(({ item }) => item))].sort((a, b) => a - b);
	rows.forEach((row, position) => {
		const isFirst = position === 0;
		// Equal searches are charged once.
		const credits = isFirst ? (chargeOf(order) ?? null) : 0;
		const json = { ...(isSimple ? { id, credits } : fate.receipt), status: 'ongoing' };
		const ofBatch = { ...json, batch_id: id, size: entries.length };
		if (size === 'single') row.outputs = [{ kind: 'result', json }];
		else row.outputs = isFirst ? [{ kind: 'result', json: ofBatch, ofItems }] : [];
		// It is of nobody alone.
		if (entries.length > 1) row.search = {};
	});
}

/** The items that share a search with an earlier item that names another webhook. */
function itemsWithUnusedWebhook({ entries }: Order): number[] {
	return entries.flatMap(({ rows: [first, ...others] }) =>
		others
			.filter(({ envelope }) => webhookOf(envelope) !== webhookOf(first.envelope))
			.map(({ item }) => item),
	);
}

function webhookOf({ settings }: Envelope): unknown {
	return settings?.webhook;
}

function listOfItems(items: number[]): string {
	const rows = items.map((item) => item + 1);
	const shown = rows.slice(0, MAX_ITEMS_SHOWN).join(', ');
	const more = items.length > MAX_ITEMS_SHOWN ? ` and ${items.length - MAX_ITEMS_SHOWN} more` : '';
	return `${items.length === 1 ? 'row' : 'rows'} ${shown}${more}`;
}
