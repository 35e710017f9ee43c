import type { IExecuteFunctions } from 'n8n-workflow';
import type { Envelope } from '../input/envelope';
import { readRows } from '../input/readRows';
import type { Given } from '../input/rows';
import type { Run } from '../input/run';
import { findWebhook } from '../input/webhook';
import type { Order } from '../orders/order';
import { give } from '../results/give';
import { summarize } from '../results/summary';
import { dryRun } from './dryRun';
import { openLedger, start } from './start';

const MAX_ITEMS_SHOWN = 10;

/** Operations Start Search and Start Bulk Search: submits, and gives the receipts. */
export async function startOnly(context: IExecuteFunctions, run: Run): Promise<Given[]> {
	const { settings, connection } = run;
	const { lookup, size } = settings;
	const { baseUrl } = connection.account;
	const rows = readRows(run, (optionOf) =>
		findWebhook(context, { lookup, size, baseUrl }, optionOf('webhook')),
	);
	if (rows.length === 0) return [];
	const ledger = openLedger(run);
	if (settings.dryRun) return await dryRun(run, ledger, rows);
	const { orders, balance } = await start(run, ledger, rows);
	const given = give(settings, rows, orders);
	run.hint(summarize(settings, { given, orders, balance, repeated: ledger.repeated }));
	const unused = orders.flatMap(itemsWithUnusedWebhook);
	if (unused.length > 0) {
		run.hint(
			`Equal searches were paid for once, and the service notifies the webhook of the first. Not used: the webhook of ${listOfItems(unused)}.`,
		);
	}
	return given;
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
