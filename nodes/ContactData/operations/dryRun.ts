import { ProblemError } from '../common/errors';
import type { Given, Row } from '../input/rows';
import type { Run } from '../input/run';
import { patienceOf } from '../input/run';
import { Ledger } from '../orders/ledger';
import { cannotSucceed, openLimits } from '../orders/send';
import { forecastItems, tellForecast } from '../results/forecast';
import { readBalance } from '../service/account';
import { plan } from './start';

/**
 * Tells what a run would do and cost, and submits nothing.
 * @throws ProblemError when the service refuses the account, as it would refuse the run
 */
export async function dryRun(run: Run, rows: readonly Row[]): Promise<Given[]> {
	const ledger = new Ledger(run);
	const { lookup, maxCredits } = run.settings;
	const { known, fresh } = plan(run, ledger, rows);
	const limits = openLimits(run, ledger, known);
	const balance = await readBalance(run.connection, patienceOf(run));
	if ('credits' in balance) limits.limitToBalance(balance.credits);
	// What cannot be reached now may be there later, and the items are checked all the same. A run that
	// submits nothing does not ask for the balance.
	else if (!balance.isUnreachable && (fresh.length > 0 || balance.refusal.scope === 'account')) {
		throw new ProblemError({ problem: balance.refusal, item: fresh[0]?.rows[0].item });
	}
	const { price, room } = limits;
	const forecast = { known, fresh, price, balance, maxCredits, room };
	const given = forecastItems(lookup, rows, forecast);
	const objection = limits.tooManyForTool(fresh.length) ?? limits.objection(fresh.length);
	const isDoubtful = fresh.length > 0 && cannotSucceed(run, known);
	run.hint(
		tellForecast(lookup, forecast, given, {
			objection: isDoubtful
				? 'a search of an earlier try may have been charged'
				: objection?.message,
			continues: run.continueOnFail,
		}),
	);
	return given;
}
