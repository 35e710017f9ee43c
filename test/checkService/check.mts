import { parseJson } from '../../nodes/ContactData/common/values.ts';
import type { Table } from '../support/figures.mts';
import { Words } from './anonymous.mts';
import { findingsOf, outline, type Finding } from './findings.mts';
import type { Talk } from './talk.mts';
import type { Whom } from './wishes.mts';

/** What is shown, and what is for an issue: neither holds the key, a name, an address or an id. */
export interface Report {
	readonly findings: readonly Finding[];
	readonly table: Table;
	readonly verdict: string;
	/** With all that was seen; not where nothing was. */
	readonly copes: boolean;
	readonly markdown: string;
}

const HEAD = ['Left open', 'Section', 'What the service did', 'The package copes'];

export function reportOn(talk: Talk, { person, domain, email, profile = '' }: Whom): Report {
	const words = new Words([person, domain, email, profile]);
	const findings = findingsOf(talk, words);
	const rows = findings.map(({ open, section, did, copes }) => [open, section, did, copes]);
	const missed = findings.filter(({ copes }) => copes === 'no').map(({ open }) => open);
	const verdict =
		talk.told.length === 0
			? `Nothing was sent that costs credits: ${outline(talk.accounts[0].heard, words)}`
			: missed.length === 0
				? 'The package copes with all that was seen.'
				: `The package does not cope with ${missed.length}: ${missed.join('; ')}.`;
	const markdown = [
		'# What the service answers',
		'',
		verdict,
		'',
		markdownRow(HEAD),
		markdownRow(HEAD.map(() => '---')),
		...rows.map(markdownRow),
		'',
		'## The answers, without what was in them',
		'',
		'`<12>` is a text of 12 characters that is not shown.',
		'',
		'```',
		...shapesIn(talk, words),
		'```',
		'',
	].join('\n');
	const copes = talk.told.length > 0 && missed.length === 0;
	return { findings, table: { head: HEAD, rows }, verdict, copes, markdown };
}

function markdownRow(cells: readonly string[]): string {
	return `| ${cells.map((cell) => cell.replace(/[|\n]/g, ' ')).join(' | ')} |`;
}

/** A line for each different answer. */
function shapesIn(
	{ accounts, wrongKey, unknownIds, told, received = [] }: Talk,
	words: Words,
): string[] {
	const heard = [
		...accounts.map((account) => account.heard),
		wrongKey?.heard,
		...unknownIds.map((look) => look.heard),
		...told.flatMap(({ receipt, looks }) => [receipt, ...looks.map((look) => look.heard)]),
	].filter((one) => one !== undefined);
	const answers = heard.map(
		({ endpoint, status, headers, body }) =>
			`${endpoint} → ${status} ${words.type(headers['content-type'])} ${JSON.stringify(words.shape(body, 'message'))}`,
	);
	const notifications = received.map(
		({ headers, text }) =>
			`notification → ${Object.keys(headers)
				.map((name) => words.name(name))
				.join(', ')} ${JSON.stringify(words.shape(parseJson(text)))}`,
	);
	return [...new Set([...answers, ...notifications])];
}
