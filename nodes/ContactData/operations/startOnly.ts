import { readRows } from '../input/readRows';
import type { RowOutput } from '../input/rows';
import { findWebhook } from '../input/webhook';
import { requireTriggerUrl } from '../run/triggerUrl';
import type { Execution } from '../pausing/pause';
import { isAccepted } from '../orders/order';
import { give } from '../results/give';
import { summarize } from '../results/summary';
import { dryRun } from './dryRun';
import { start } from './start';

/** The editor runs what is before a node again, where something has changed or was reloaded. */
const PIN = 'Pin this output before you go on in the editor: each run of this node is paid for.';

/** Operations Start Search and Start Bulk Search: submits, and gives the receipts. */
export async function startOnly(run: Execution): Promise<RowOutput[]> {
	const { context, settings, connection, saved } = run;
	const { lookup, size } = settings;
	const { baseUrl } = connection.account;
	const rows = readRows(run, (optionOf) =>
		findWebhook({ lookup, size, baseUrl }, optionOf('webhook'), () =>
			requireTriggerUrl(context, saved.node),
		),
	);
	if (rows.length === 0) return [];
	if (settings.dryRun) return await dryRun(run, rows);
	const { written, ...started } = await start(run, rows);
	await written;
	const outputs = give(settings, rows, started.orders);
	run.hint(summarize(run, { outputs, ...started }));
	if (context.getMode() === 'manual' && started.orders.some(isAccepted)) run.hint(PIN);
	return outputs;
}
