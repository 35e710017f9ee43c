import type { Ledger } from '../sandbox/ledger.mts';
import type { Execution } from './execution.mts';

// What the example `find-and-verify-leads` ends with, and whether that is right.

/** A row of the example's last node. */
export interface Row {
	name: string;
	company: string;
	email: string;
	result: 'verified' | 'undeliverable' | 'not found';
}

/** What the example workflow was given and what it ends with, in the order of the leads. */
export interface Outcome {
	leads: string[];
	rows: Row[];
	seconds: number;
}

export function readOutcome(execution: Execution): Outcome {
	const leads = execution.json<{ fullname: string }>('Leads').map(({ fullname }) => fullname);
	const rows = execution.json<Row>('Table');
	rows.sort((a, b) => leads.indexOf(a.name) - leads.indexOf(b.name));
	return { leads, rows, seconds: execution.seconds };
}

/** What is wrong with the outcome, judged by what the sandbox charged; empty: it is right. */
export function problemsOf({ leads, rows }: Outcome, ledger: Ledger): string[] {
	const names = rows.map(({ name }) => name);
	const accounted = names.length === leads.length && leads.every((lead) => names.includes(lead));
	const problems = accounted ? [] : [`${leads.length} leads went in, these came out: ${names}`];
	const finds = ledger.entries.filter(({ endpoint }) => endpoint === 'POST /email/find/bulk');
	const verifications = ledger.entries.filter(
		({ endpoint }) => endpoint === 'POST /email/verify/bulk',
	);
	// A search that finds nothing is refunded, at one credit each.
	const paidFor = finds.reduce((sum, { credits, refunded }) => sum + credits - refunded, 0);
	if (found(rows).length !== paidFor) {
		problems.push(`${found(rows).length} emails were found, ${paidFor} were paid for`);
	}
	const verified = verifications.reduce((sum, { searches }) => sum + searches.length, 0);
	if (verified !== found(rows).length) {
		problems.push(`${found(rows).length} emails were found, ${verified} were verified`);
	}
	for (const { name, email } of found(rows)) {
		if (!namesakes(name, email)) problems.push(`${email} is in the row of ${name}`);
	}
	for (const search of ledger.chargedTwice()) problems.push(`${search} was paid for twice`);
	return problems;
}

export function found(rows: Row[]): Row[] {
	return rows.filter(({ email }) => email !== '');
}

/** The sandbox makes an email of the words of the name. */
function namesakes(name: string, email: string): boolean {
	const plain = name
		.normalize('NFKD')
		.replace(/\p{Mark}/gu, '')
		.toLowerCase();
	return plain.match(/[a-z]+/g)?.every((word) => email.includes(word)) ?? false;
}
