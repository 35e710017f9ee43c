import Table from 'cli-table3';

import { found, type Outcome, type Row } from '../support/n8n/leads.mts';
import type { Spent } from './service.mts';

export function showTable(rows: Row[]): string {
	const table = new Table({
		head: ['Name', 'Company', 'Email', 'Result'],
		style: { head: [], border: [], compact: true },
	});
	for (const { name, company, email, result } of rows) table.push([name, company, email, result]);
	return table.toString();
}

/** E.g. `18 of 25 emails found, 16 verified · 29.5 credits spent, 7 refunded · 5.1 seconds`. */
export function summary({ rows, seconds }: Outcome, spent: Spent): string {
	const verified = rows.filter(({ result }) => result === 'verified').length;
	const credits =
		spent.refunded === undefined
			? `${spent.credits} credits spent`
			: `${spent.credits} credits spent, ${spent.refunded} refunded`;
	return [
		`${found(rows).length} of ${rows.length} emails found, ${verified} verified`,
		credits,
		`${seconds.toFixed(1)} seconds`,
	].join(' · ');
}
