import { ProblemError } from '../common/errors';
import type { RowOutput, Row } from '../input/rows';
import { patienceOf } from '../run/run';
import type { LedgerRun } from '../orders/ledger';
import { Bill } from '../orders/bill';
import { leftOfDay as leftOf, limitsOf, tooManyForTool } from '../orders/limits';
import { costIn } from '../orders/receipts';
import { cannotSucceed } from '../orders/send';
import { findBadRows } from '../results/badRows';
import { forecastItems, tellForecast } from '../results/forecast';
import { askBalance } from '../service/account';
import { plan } from './start';

/**
 * Tells what a run would do and cost, and submits nothing.
 * @throws ProblemError when the service refuses the account, as it would refuse the run
 */
export async function dryRun(run: LedgerRun, rows: readonly Row[]): Promise<RowOutput[]> {
	const { lookup, maxCredits } = run.settings;
	const { known, fresh } = await plan(run, rows);
	const balance = await askBalance(run.connection, patienceOf(run));
	// What cannot be reached now may be there later, and the items are checked all the same. A run that
	// submits nothing does not ask for the balance.
	if (
		'refusal' in balance &&
		!balance.isUnreachable &&
		(fresh.length > 0 || balance.refusal.affects === 'account')
	) {
		const searches = run.settings.size === 'bulk' ? fresh.length : undefined;
		throw new ProblemError({ problem: balance.refusal, item: fresh[0]?.rows[0].item, searches });
	}
	const credits = 'credits' in balance ? balance.credits : undefined;
	const limits = limitsOf(run, { balance: credits, cost: costIn(run.saved) }, new Bill());
	const { price, room, roomOfCap } = limits;
	const paidBefore = run.ledger.countReadable(fresh);
	const { account } = run.connection;
	const leftOfDay = leftOf(account);
	const forecast = {
		known,
		fresh,
		paidBefore,
		price,
		balance,
		maxCredits,
		leftOfDay,
		room,
		roomOfCap,
	};
	const outputs = forecastItems(run.settings, rows, forecast);
	const objection = tooManyForTool(run, fresh.length) ?? limits.objection(fresh.length);
	const isDoubtful = fresh.length > 0 && cannotSucceed(run, known);
	const bad = run.continueOnFail ? undefined : findBadRows(lookup, rows, run.input);
	run.hint(
		tellForecast(run.settings, account, forecast, outputs, {
			bad: bad?.problem.message,
			objection: isDoubtful
				? 'one of these searches may have been charged before'
				: objection?.message,
			continues: run.continueOnFail,
		}),
	);
	return outputs;
}
