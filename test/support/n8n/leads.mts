import type { Ledger } from '../sandbox/ledger.mts';
import type { Execution } from './execution.mts';

// What the example `find-and-verify-leads` ends with, and whether that is right.

/** A row of the example's last node. */
export interface Row {
	name: string;
	company: string;
	email: string;
	result: 'verified' | 'found' | 'not found';
}

/** A lead of the example: some have an address already. */
export interface Lead {
	fullname: string;
	email: string;
}

/** What the example workflow was given and what it ends with, in the order of the leads. */
export interface Outcome {
	leads: Lead[];
	rows: Row[];
	seconds: number;
}

export function readOutcome(execution: Execution): Outcome {
	const leads = execution.json<Lead>('Leads');
	const names = leads.map(({ fullname }) => fullname);
	const rows = execution.json<Row>('Table');
	rows.sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
	return { leads, rows, seconds: execution.seconds };
}

/** What is wrong with the outcome, judged by what the sandbox charged; empty: it is right. */
export function problemsOf({ leads, rows }: Outcome, ledger: Ledger): string[] {
	const problems: string[] = [];
	const expectEqual = (what: string, is: number, wanted: number) => {
		if (is !== wanted) problems.push(`${what}: ${is} instead of ${wanted}`);
	};
	const names = rows.map(({ name }) => name);
	if (names.join() !== leads.map(({ fullname }) => fullname).join()) {
		problems.push(`${leads.length} leads went in, these came out: ${names}`);
	}
	const paidBy = (endpoint: string) =>
		ledger.entries.filter((entry) => entry.endpoint === endpoint);
	const searched = (entries: ReturnType<typeof paidBy>) =>
		entries.reduce((sum, { searches }) => sum + searches.length, 0);
	const finds = paidBy('POST /email/find/bulk');
	expectEqual(
		'Addresses that were verified',
		searched(paidBy('POST /email/verify/bulk')),
		leads.filter(({ email }) => email !== '').length,
	);
	expectEqual(
		'People who were searched for',
		searched(finds),
		rows.length - withResult(rows, 'verified').length,
	);
	expectEqual(
		'People who were found',
		withResult(rows, 'found').length,
		// A search that finds nothing is refunded, at one credit each.
		finds.reduce((sum, { credits, refunded }) => sum + credits - refunded, 0),
	);
	for (const { name, email, result } of rows) {
		if (result === 'not found' ? email !== '' : !namesakes(name, email)) {
			problems.push(`${email} is in the row of ${name}, ${result}`);
		}
	}
	for (const search of ledger.chargedTwice()) problems.push(`${search} was paid for twice`);
	return problems;
}

export function withResult(rows: Row[], result: Row['result']): Row[] {
	return rows.filter((row) => row.result === result);
}

/** The emails of the leads, and those that the sandbox makes, have the words of the name. */
function namesakes(name: string, email: string): boolean {
	const plain = name
		.normalize('NFKD')
		.replace(/\p{Mark}/gu, '')
		.toLowerCase();
	return plain.match(/[a-z]+/g)?.every((word) => email.includes(word)) ?? false;
}
